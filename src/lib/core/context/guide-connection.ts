// The connection that is always there: the built-in Guide, which is no AI and needs no network.
import type { Connection } from './model.ts';

export const guideConnectionId = 'guide';

export const guideConnection: Connection = {
	id: guideConnectionId,
	name: 'Guide',
	kind: 'guide',
	baseUrl: '',
	defaultModel: 'guide',
	modelIds: ['guide'],
	enabled: true,
	hasKey: false,
	firstByteTimeoutMs: 30_000,
	silenceTimeoutMs: 30_000,
	createdAt: 1,
	updatedAt: 1
};
