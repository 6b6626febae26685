// The whole table map of Bough's first version; later versions fill the tables that are still empty. One file a step: a
// released step is never edited, a new one is added (docs/development.md, "Add a table").
//
// Names that begin with `_` are never observed by the change feed; which others are is said in observed-tables.ts.

export const firstVersion = {
	version: 1,
	stores: {
		// The conversations.
		threads: 'id, updatedAt, folderId, archived, pinned, projectId, deletedAt, *tags',
		nodes: 'id, threadId, [threadId+seq], parentId, [threadId+segmentId+depth], [threadId+forkSegmentId+depth], [threadId+ord], externalId',
		forkChoices: '[threadId+parentId], threadId',
		attachments: 'id, threadId, createdAt, hash, lastAccessedAt',
		_blobs: 'hash',
		// The engine's work.
		runs: 'id, threadId, [threadId+state], state, submissionId, parentNodeId, updatedAt',
		commandReceipts: 'id, [clientId+submissionId], status, createdAt, expiresAt',
		inflight: 'threadId',
		queue: 'id, threadId, [threadId+position], &[threadId+principal+idempotencyKey]',
		approvals: 'id, threadId, runId, [threadId+status], requestedAt',
		interactions: 'id, threadId, runId, [threadId+status], requestedAt',
		// What the person set up.
		kv: '[ns+key], ns, updatedAt',
		providers: 'id, updatedAt',
		models: '[providerId+modelId], providerId',
		secretsMeta: 'id, ownerId',
		_secrets: 'id',
		skills: 'id, name, enabled, sourceRef',
		memories: 'id, key, updatedAt',
		plugins: 'id, name, enabled, updatedAt',
		pluginAssets: 'id, pluginId, [pluginId+path], kind, createdAt',
		projects: 'id, &path, lastOpenedAt',
		// What work leaves behind.
		plans: 'id, threadId, [threadId+status], turnId, &toolCallId',
		artifacts: '[threadId+path], threadId, updatedAt',
		reviewSnapshots: 'id, threadId',
		scheduledTasks: 'id, enabled, nextRunAt',
		taskRuns: 'id, [taskId+startedAt], threadId',
		audit: '++id, ts, [threadId+ts], kind',
		notifications: 'id, &turnId, createdAt, readAt, threadId',
		importOrigins: '[sourceId+externalId], threadId',
		collabLinks: 'threadId, createdByThreadId',
		collabMessages: 'id, sourceThreadId, targetThreadId, [pluginId+sourceThreadId+idempotencyKey]',
		// Derived, and this device's own.
		searchBlocks: 'n',
		searchHeads: 'n',
		maintenance: 'id',
		device: 'key',
		outbox: '++position, table',
		syncOps: '[deviceId+dseq]',
		syncPeers: 'id',
		tombstones: 'id, deletedAt',
		// The change feed's own tables, declared so that a plain and an observed connection agree on the schema.
		_changes: '++rev',
		_syncNodes: '++id,myRevision,lastHeartBeat,&url,isMaster,type,status',
		_intercomm: '++id,destinationNode',
		_uncommittedChanges: '++id,node'
	}
} as const;
