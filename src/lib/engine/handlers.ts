// One handler a command. A missing one, or one of another shape, does not compile.
import type { CommandType } from '#lib/core/protocol/commands.ts';
import { handleBranchDelete } from './commands/branch-delete.ts';
import { handleBranchDeleteOthers } from './commands/branch-delete-others.ts';
import { handleBranchRestore } from './commands/branch-restore.ts';
import { handleConnectionFindLocal } from './commands/connection-find-local.ts';
import { handleConnectionRemove } from './commands/connection-remove.ts';
import { handleConnectionSave } from './commands/connection-save.ts';
import { handleConnectionTest } from './commands/connection-test.ts';
import { handleImportCancel } from './commands/import-cancel.ts';
import { handleImportFile } from './commands/import-file.ts';
import { handleNodeDelete } from './commands/node-delete.ts';
import { handleNodeGraft } from './commands/node-graft.ts';
import { handleNodeLabel } from './commands/node-label.ts';
import { handleNodeSaveVersion } from './commands/node-save-version.ts';
import { handleNodeRestore } from './commands/node-restore.ts';
import { handlePing } from './commands/ping.ts';
import { handleSettingsUpdate } from './commands/settings-update.ts';
import { handleThreadCreate } from './commands/thread-create.ts';
import { handleThreadDelete } from './commands/thread-delete.ts';
import { handleThreadFork } from './commands/thread-fork.ts';
import { handleThreadRename } from './commands/thread-rename.ts';
import { handleThreadRepair } from './commands/thread-repair.ts';
import { handleThreadSelectBranch } from './commands/thread-select-branch.ts';
import { handleThreadUpdate } from './commands/thread-update.ts';
import { handleTurnFork } from './commands/turn-fork.ts';
import { handleTurnInterrupt } from './commands/turn-interrupt.ts';
import { handleTurnResume } from './commands/turn-resume.ts';
import { handleTurnSubmit } from './commands/turn-submit.ts';
import type { Handler } from './engine-deps.ts';

export const handlers: { readonly [T in CommandType]: Handler<T> } = {
	'thread.create': handleThreadCreate,
	'thread.rename': handleThreadRename,
	'thread.update': handleThreadUpdate,
	'thread.delete': handleThreadDelete,
	'thread.selectBranch': handleThreadSelectBranch,
	'thread.fork': handleThreadFork,
	'thread.repair': handleThreadRepair,
	'turn.submit': handleTurnSubmit,
	'turn.fork': handleTurnFork,
	'turn.resume': handleTurnResume,
	'turn.interrupt': handleTurnInterrupt,
	'node.delete': handleNodeDelete,
	'node.restore': handleNodeRestore,
	'node.saveVersion': handleNodeSaveVersion,
	'node.label': handleNodeLabel,
	'node.graft': handleNodeGraft,
	'branch.delete': handleBranchDelete,
	'branch.deleteOthers': handleBranchDeleteOthers,
	'branch.restore': handleBranchRestore,
	'connection.save': handleConnectionSave,
	'connection.remove': handleConnectionRemove,
	'connection.test': handleConnectionTest,
	'connection.findLocal': handleConnectionFindLocal,
	'settings.update': handleSettingsUpdate,
	'import.file': handleImportFile,
	'import.cancel': handleImportCancel,
	ping: handlePing
};
