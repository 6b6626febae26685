// The small tables whose changes will one day be synced: the change feed observes these and no other (docs/decisions/0005).

export const observedTables: ReadonlySet<string> = new Set([
	'threads',
	'kv',
	'skills',
	'memories',
	'plugins',
	'projects',
	'providers',
	'scheduledTasks'
]);
