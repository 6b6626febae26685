import { ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleSettingsUpdate: Handler<'settings.update'> = (_deps, { defaultConnectionId, defaultModel }) => ({
	kind: 'write',
	tables: ['kv'],
	async decide(unit) {
		const earlier = await unit.database.kv.get(['app', 'defaultModel']);
		await unit.database.kv.put({
			ns: 'app',
			key: 'defaultModel',
			value: { connectionId: defaultConnectionId, model: defaultModel },
			updatedAt: unit.nowMs,
			stamp: unit.stamp(earlier?.stamp)
		});
		return ok({});
	}
});
