import { tidyBaseUrl } from '#lib/core/context/base-url.ts';
import type { ModelFailure } from '#lib/core/context/model.ts';
import { ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { connectionSecretId } from '../secrets/secret-store.ts';

/** A test that hangs is a failed test. */
const testLimitMs = 60_000;

export const handleConnectionTest: Handler<'connection.test'> = (deps, { connection, key }) => ({
	kind: 'answer',
	async answer() {
		const { origin } = new URL(connection.baseUrl);
		const secretId = connectionSecretId(connection.id);
		const baseUrl = tidyBaseUrl(connection.baseUrl);
		const getKey = () => (key === undefined ? deps.secrets.reveal(secretId, origin) : Promise.resolve(key));
		// A key on record for another origin stays where it is, and the test is one without a key (T10).
		const hasKey = key === undefined ? (await deps.database.secretsMeta.get(secretId))?.origin === origin : key !== null;
		const provider = deps.createProvider({ ...connection, baseUrl, hasKey, createdAt: 0, updatedAt: 0 }, getKey);
		const report = await deps.testConnection(provider, connection.defaultModel, AbortSignal.timeout(testLimitMs));
		return ok({
			failedStep: report.ok ? null : report.failedStep,
			failure: report.ok ? null : { ...report.failure },
			models: report.models.map((model) => ({ ...model })),
			listFailure: report.ok ? plain(report.listFailure) : null,
			answeredModel: report.ok ? report.model : null,
			firstWordMs: report.ok ? report.firstWordMs : null
		});
	}
});

function plain(failure: ModelFailure | undefined) {
	return failure ? { ...failure } : null;
}
