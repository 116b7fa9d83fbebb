import { LlmcodeError } from '#lib/errors.ts';
import type { ModelClient, ModelDirectory } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';

/** Who answers: the model of a thread, opened when it is first needed, and changed only by one that opens. */
export class ModelSeat {
  readonly #directory: ModelDirectory;
  readonly #onOpened: (client: ModelClient) => void;
  #client: ModelClient | undefined;
  #wanted: ModelRef | null;
  #opening: Promise<void> = Promise.resolve();

  constructor(options: {
    directory: ModelDirectory;
    /** The thread's own model or the configured one; null = none yet. */
    wanted: ModelRef | null;
    onOpened: (client: ModelClient) => void;
  }) {
    this.#directory = options.directory;
    this.#wanted = options.wanted;
    this.#onOpened = options.onOpened;
  }

  get hasModel(): boolean {
    return this.#wanted !== null;
  }

  /** Waits for switches that were asked for before. Rejects when there is no model or it does not open. */
  async client(): Promise<ModelClient> {
    await this.#opening;
    if (this.#client) return this.#client;
    if (!this.#wanted)
      throw new LlmcodeError('no-model', 'No model is chosen yet. Choose one with /model or --model.', {
        exitCode: 2,
      });
    await this.switchTo(this.#wanted);
    if (this.#client) return this.#client;
    throw new LlmcodeError('no-model', `${formatModelRef(this.#wanted)} could not be opened.`, {
      exitCode: 2,
    });
  }

  /** Rejects when the model does not open; the old one stays then. Switches happen in the order of the calls. */
  switchTo(ref: ModelRef): Promise<void> {
    const opened = this.#opening.then(async () => {
      const client = await this.#directory.open(ref);
      this.#client = client;
      this.#wanted = ref;
      this.#onOpened(client);
    });
    this.#opening = opened.catch(() => undefined);
    return opened;
  }
}
