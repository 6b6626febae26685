// The table of all commands, and the types that follow from it.
import type * as z from 'zod/mini';
import type { Result } from '../std/result.ts';
import { branchDelete } from './commands/branch-delete.ts';
import { branchDeleteOthers } from './commands/branch-delete-others.ts';
import { branchRestore } from './commands/branch-restore.ts';
import { connectionFindLocal } from './commands/connection-find-local.ts';
import { connectionRemove } from './commands/connection-remove.ts';
import { connectionSave } from './commands/connection-save.ts';
import { connectionTest } from './commands/connection-test.ts';
import { importCancel } from './commands/import-cancel.ts';
import { importFile } from './commands/import-file.ts';
import { nodeDelete } from './commands/node-delete.ts';
import { nodeGraft } from './commands/node-graft.ts';
import { nodeLabel } from './commands/node-label.ts';
import { nodeSaveVersion } from './commands/node-save-version.ts';
import { nodeRestore } from './commands/node-restore.ts';
import { ping } from './commands/ping.ts';
import { settingsUpdate } from './commands/settings-update.ts';
import { threadCreate } from './commands/thread-create.ts';
import { threadDelete } from './commands/thread-delete.ts';
import { threadFork } from './commands/thread-fork.ts';
import { threadRename } from './commands/thread-rename.ts';
import { threadRepair } from './commands/thread-repair.ts';
import { threadSelectBranch } from './commands/thread-select-branch.ts';
import { threadUpdate } from './commands/thread-update.ts';
import { turnFork } from './commands/turn-fork.ts';
import { turnInterrupt } from './commands/turn-interrupt.ts';
import { turnResume } from './commands/turn-resume.ts';
import { turnSubmit } from './commands/turn-submit.ts';

export const commands = {
	'thread.create': threadCreate,
	'thread.rename': threadRename,
	'thread.update': threadUpdate,
	'thread.delete': threadDelete,
	'thread.selectBranch': threadSelectBranch,
	'thread.fork': threadFork,
	'thread.repair': threadRepair,
	'turn.submit': turnSubmit,
	'turn.fork': turnFork,
	'turn.resume': turnResume,
	'turn.interrupt': turnInterrupt,
	'node.delete': nodeDelete,
	'node.restore': nodeRestore,
	'node.saveVersion': nodeSaveVersion,
	'node.label': nodeLabel,
	'node.graft': nodeGraft,
	'branch.delete': branchDelete,
	'branch.deleteOthers': branchDeleteOthers,
	'branch.restore': branchRestore,
	'connection.save': connectionSave,
	'connection.remove': connectionRemove,
	'connection.test': connectionTest,
	'connection.findLocal': connectionFindLocal,
	'settings.update': settingsUpdate,
	'import.file': importFile,
	'import.cancel': importCancel,
	ping
} as const;

export type CommandType = keyof typeof commands;
export type PayloadOf<T extends CommandType> = z.infer<(typeof commands)[T]['payload']>;
export type AcceptedOf<T extends CommandType> = z.infer<(typeof commands)[T]['accepted']>;
/** The codes that a command itself may be refused with. */
export type RefusalOf<T extends CommandType> = (typeof commands)[T]['refusals'][number];

/** Codes that any command may be refused with. */
export type EngineRefusal =
	/** The payload is not what this version's schema asks for. */
	| 'engine-bad-payload'
	| 'engine-unknown-command'
	/** The submission id was used before for something else (E-08). */
	| 'engine-submission-reused'
	/** A bug; nothing was changed. */
	| 'engine-failed'
	/** The device's storage for this site is full; nothing was changed. */
	| 'engine-storage-full'
	/** The database could not be opened or written; nothing was changed. */
	| 'engine-storage-failed'
	/** The database is of a newer version of Bough; this tab must be reloaded. */
	| 'engine-outdated'
	/** No engine answered in time; the command may still be carried out. */
	| 'engine-no-answer';

export interface Refusal<Code extends string = string> {
	readonly code: Code;
	/** For people who look closer: which field, which file. Never a secret, never a person's words. */
	readonly detail?: string;
}

/** What the tab gets for a command, once and for ever the same for the same submission. */
export type Receipt<T extends CommandType> = Result<AcceptedOf<T>, Refusal<RefusalOf<T> | EngineRefusal>>;
