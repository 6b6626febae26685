// One import of a file, from the choice to the report.
import type { AcceptedOf, Refusal } from '#lib/core/protocol/commands.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Session } from '../session.ts';

export interface ImportProgress {
	readonly name: string;
	readonly bytesRead: number;
	readonly totalBytes: number;
	readonly conversations: number;
}

export class ImportState {
	readonly #session: Session;
	#importId: string | null = null;
	#progress = $state.raw<ImportProgress | null>(null);
	#summary = $state.raw<AcceptedOf<'import.file'> | null>(null);
	#refusal = $state.raw<Refusal | null>(null);

	constructor(session: Session) {
		this.#session = session;
	}

	/** Null when none runs. */
	get progress(): ImportProgress | null {
		return this.#progress;
	}

	get summary(): AcceptedOf<'import.file'> | null {
		return this.#summary;
	}

	get refusal(): Refusal | null {
		return this.#refusal;
	}

	async run(file: File): Promise<void> {
		const importId = newId();
		this.#importId = importId;
		this.#summary = null;
		this.#refusal = null;
		this.#progress = { name: file.name, bytesRead: 0, totalBytes: file.size, conversations: 0 };
		const stop = this.#session.engine.listen((event) => {
			if (event.type === 'import.progress' && event.importId === importId) {
				const { bytesRead, totalBytes, conversations } = event;
				this.#progress = { name: file.name, bytesRead, totalBytes, conversations };
			}
		});
		const receipt = await this.#session.engine.send('import.file', { importId, file });
		stop();
		this.#progress = null;
		if (receipt.ok) this.#summary = receipt.value;
		else this.#refusal = receipt.error;
	}

	/** Stops after the conversation at hand. */
	async cancel(): Promise<void> {
		if (this.#importId !== null) await this.#session.engine.send('import.cancel', { importId: this.#importId });
	}
}
