// Message → validated command → handler → receipt. Trusts no sender; answers every command. ENGINE WORKER. SPEC.md ENG-01 to ENG-08.
import { idSchema } from '#lib/core/protocol/command.ts';
import { commands, type CommandType, type EngineRefusal, type Refusal } from '#lib/core/protocol/commands.ts';
import { PROTOCOL_VERSION, type CommandEnvelope, type ReceiptEnvelope } from '#lib/core/protocol/messages.ts';
import { err, type Result } from '#lib/core/std/result.ts';
import { fingerprintOf } from '#lib/platform/fingerprint.ts';
import { isStorageError, storageFailureOf } from '#lib/storage/open-database.ts';
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

/** A command that has no receipt yet; who repeats it meanwhile waits for the same answer. */
interface AtWork {
	readonly type: string;
	readonly requestFingerprint: string;
	readonly answer: Promise<AnyResult>;
}

export function createEngine(deps: EngineDeps): Engine {
	const atWork = new Map<string, AtWork>();
	return {
		async handle(envelope) {
			try {
				const result = await handle(deps, atWork, envelope);
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

async function handle(deps: EngineDeps, atWork: Map<string, AtWork>, envelope: CommandEnvelope): Promise<AnyResult> {
	const { type, clientId, submissionId } = envelope;
	if (envelope.version !== PROTOCOL_VERSION) return err({ code: 'engine-outdated' });
	if (!idSchema.safeParse(clientId).success || !idSchema.safeParse(submissionId).success) return err({ code: 'engine-bad-payload' });
	if (!isCommandType(type)) return err({ code: 'engine-unknown-command', detail: String(type).slice(0, 80) });
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
	const prepare = async () => handler(deps, parsed.data, { clientId, submissionId });
	if (!definition.durable) return perform(await prepare());
	const id = `${clientId}\u0000${submissionId}`;
	const requestFingerprint = await fingerprintOf(parsed.data, definition.secretFields);
	const running = atWork.get(id);
	if (running) return isSame(running, type, requestFingerprint) ? running.answer : err({ code: 'engine-submission-reused' });
	const answer = carryOut(deps, { id, clientId, submissionId, commandType: type, requestFingerprint }, prepare);
	atWork.set(id, { type, requestFingerprint, answer });
	try {
		return await answer;
	} finally {
		atWork.delete(id);
	}
}

type Submission = Pick<ReceiptRow, 'id' | 'clientId' | 'submissionId' | 'commandType' | 'requestFingerprint'>;

async function carryOut(deps: EngineDeps, submission: Submission, prepare: () => Promise<AnyPlan>): Promise<AnyResult> {
	const answered = answerFrom(await deps.database.commandReceipts.get(submission.id), submission);
	if (answered) return answered;
	const plan = await prepare();
	const receipt = (response: AnyResult, nowMs: number): ReceiptRow => ({
		...submission,
		status: response.ok ? 'acknowledged' : 'rejected',
		response,
		createdAt: nowMs,
		expiresAt: nowMs + receiptLifetimeMs
	});
	if (plan.kind !== 'write') {
		const response = await perform(plan);
		await writeTransaction(deps, ['commandReceipts'], (unit) => {
			unit.add('commandReceipts', receipt(response, unit.nowMs));
			return Promise.resolve();
		});
		return response;
	}
	const response = await writeTransaction(deps, [...plan.tables, 'commandReceipts'], async (unit) => {
		const decided: AnyResult = await plan.decide(unit);
		unit.add('commandReceipts', receipt(decided, unit.nowMs));
		return decided;
	});
	if (response.ok) plan.afterCommit?.();
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
function answerFrom(receipt: ReceiptRow | undefined, { commandType, requestFingerprint }: Submission): AnyResult | null {
	if (!receipt) return null;
	return isSame({ type: receipt.commandType, requestFingerprint: receipt.requestFingerprint }, commandType, requestFingerprint)
		? receipt.response
		: err({ code: 'engine-submission-reused' });
}

function isSame(earlier: Pick<AtWork, 'type' | 'requestFingerprint'>, type: string, requestFingerprint: string): boolean {
	return earlier.type === type && earlier.requestFingerprint === requestFingerprint;
}

/** What a throw means to the one who asked. Nothing was changed: the transaction is gone. */
function refusalOf(error: unknown): Refusal<EngineRefusal> {
	if (!isStorageError(error)) {
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
