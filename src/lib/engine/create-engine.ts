// Message → validated command → handler → receipt. Trusts no sender; answers every command. ENGINE WORKER. SPEC.md ENG-01 to ENG-08.
import { commands, type CommandType, type EngineRefusal, type Refusal } from '#lib/core/protocol/commands.ts';
import { PROTOCOL_VERSION, type CommandEnvelope, type ReceiptEnvelope } from '#lib/core/protocol/messages.ts';
import { err, type Result } from '#lib/core/std/result.ts';
import { fingerprintOf } from '#lib/platform/fingerprint.ts';
import { storageFailureOf } from '#lib/storage/open-database.ts';
import type { ReceiptRow } from '#lib/storage/rows.ts';
import { FencedError, writeTransaction } from '#lib/storage/writes/write-transaction.ts';
import type { EngineDeps, Plan } from './engine-deps.ts';
import { handlers } from './handlers.ts';

/** How long a receipt answers for its command (E-08). */
export const receiptLifetimeMs = 7 * 24 * 60 * 60 * 1000;

type AnyResult = Result<unknown, Refusal>;
type AnyPlan = Plan<CommandType>;

export interface Engine {
	/** Answers the receipt, or null when this engine leads no longer: then the new leader will answer. */
	handle(envelope: CommandEnvelope): Promise<ReceiptEnvelope | null>;
}

export function createEngine(deps: EngineDeps): Engine {
	return {
		async handle(envelope) {
			try {
				const result = await handle(deps, envelope);
				return { kind: 'receipt', clientId: envelope.clientId, submissionId: envelope.submissionId, result };
			} catch (error) {
				if (error instanceof FencedError) return null;
				return { kind: 'receipt', clientId: envelope.clientId, submissionId: envelope.submissionId, result: err(refusalOf(error)) };
			}
		}
	};
}

function isCommandType(type: string): type is CommandType {
	return Object.hasOwn(commands, type);
}

async function handle(deps: EngineDeps, envelope: CommandEnvelope): Promise<AnyResult> {
	const { type, clientId, submissionId } = envelope;
	if (envelope.version !== PROTOCOL_VERSION) return err({ code: 'engine-outdated' });
	if (!isCommandType(type)) return err({ code: 'engine-unknown-command', detail: type.slice(0, 80) });
	const definition = commands[type];
	const parsed = definition.payload.safeParse(envelope.payload);
	if (!parsed.success) {
		// Paths only: the values are a person's words or keys.
		return err({
			code: 'engine-bad-payload',
			detail: parsed.error.issues
				.map((issue) => `${issue.path.join('.')}: ${issue.code}`)
				.join(', ')
				.slice(0, 300)
		});
	}
	// The table is typed command by command; here it is one command of many.
	const handler = handlers[type] as (deps: EngineDeps, payload: unknown, identity: object) => Promise<AnyPlan> | AnyPlan;
	if (!definition.durable) return perform(await handler(deps, parsed.data, { clientId, submissionId }));
	const id = `${clientId}\u0000${submissionId}`;
	const requestFingerprint = await fingerprintOf(parsed.data, definition.secretFields);
	const answered = answerFrom(await deps.database.commandReceipts.get(id), type, requestFingerprint);
	if (answered) return answered;
	const plan = await handler(deps, parsed.data, { clientId, submissionId });
	const receipt = (response: AnyResult): ReceiptRow => ({
		id,
		clientId,
		submissionId,
		commandType: type,
		status: response.ok ? 'acknowledged' : 'rejected',
		response,
		requestFingerprint,
		createdAt: deps.clock.nowMs(),
		expiresAt: deps.clock.nowMs() + receiptLifetimeMs
	});
	if (plan.kind !== 'write') {
		const response = await perform(plan);
		await writeTransaction(deps, ['commandReceipts'], async (unit) => {
			await unit.database.commandReceipts.put(receipt(response));
		});
		return response;
	}
	let isRepeated = false;
	const response = await writeTransaction(deps, [...plan.tables, 'commandReceipts'], async (unit) => {
		const earlier = answerFrom(await unit.database.commandReceipts.get(id), type, requestFingerprint);
		if (earlier) {
			isRepeated = true;
			return earlier;
		}
		const decided: AnyResult = await plan.decide(unit);
		await unit.database.commandReceipts.add(receipt(decided));
		return decided;
	});
	if (response.ok && !isRepeated) plan.afterCommit?.();
	return response;
}

function perform(plan: AnyPlan): Promise<AnyResult> {
	switch (plan.kind) {
		case 'answer':
			return plan.answer();
		case 'long':
			return plan.run();
		case 'write':
			throw new Error('a command that writes is durable');
	}
}

/** The first answer to this submission, or the refusal of a submission id that was used for something else; null when it is new. */
function answerFrom(receipt: ReceiptRow | undefined, type: string, requestFingerprint: string): AnyResult | null {
	if (!receipt) return null;
	if (receipt.commandType !== type || receipt.requestFingerprint !== requestFingerprint) return err({ code: 'engine-submission-reused' });
	return receipt.response;
}

/** What a throw means to the one who asked. Nothing was changed: the transaction is gone. */
export function refusalOf(error: unknown): Refusal<EngineRefusal> {
	const isStorage =
		error instanceof Error &&
		(error.name === 'QuotaExceededError' || /^(Dexie|Database|Abort|Version|OpenFailed|Unknown|InvalidState)/.test(error.name));
	if (!isStorage) {
		console.error(error);
		return { code: 'engine-failed', detail: error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300) };
	}
	const failure = storageFailureOf(error);
	return {
		code:
			failure.code === 'storage-full'
				? 'engine-storage-full'
				: failure.code === 'storage-outdated'
					? 'engine-outdated'
					: 'engine-storage-failed',
		detail: failure.detail
	};
}
