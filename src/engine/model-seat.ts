import { LlmcodeError } from '#lib/errors.ts';
import type { ModelClient, ModelDirectory } from '#protocol/model-client.ts';
import type { ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';

/** Why a model came to its seat without being chosen, and which one left it. */
export type Succession = { reason: 'fallback' | 'return'; from: ModelRef };

/** Who answers: the model of a thread, opened when it is first needed, and changed only by one that opens. */
export class ModelSeat {
  readonly #directory: ModelDirectory;
  readonly #onOpened: (client: ModelClient, succession?: Succession) => void;
  #client: ModelClient | undefined;
  #wanted: ModelRef | null;
  #chosen: ModelRef | null;
  #opening: Promise<void> = Promise.resolve();

  constructor(options: {
    directory: ModelDirectory;
    /** The thread's own model or the configured one; null = none yet. */
    wanted: ModelRef | null;
    /** The model for which `wanted` stands in, when it does. */
    chosen?: ModelRef | null | undefined;
    onOpened: (client: ModelClient, succession?: Succession) => void;
  }) {
    this.#directory = options.directory;
    this.#wanted = options.wanted;
    this.#chosen = options.chosen ?? options.wanted;
    this.#onOpened = options.onOpened;
  }

  get hasModel(): boolean {
    return this.#wanted !== null;
  }

  /** Who answers, as far as it opens. */
  get seated(): ModelRef | null {
    return this.#wanted;
  }

  /** What is known of the model that is open; null before the first one is. */
  get info(): ModelInfo | null {
    return this.#client?.info ?? null;
  }

  /** The model that the person wants; another one may stand in for it. */
  get chosen(): ModelRef | null {
    return this.#chosen;
  }

  /** Waits for switches that were asked for before. Rejects when there is no model or it does not open. */
  async client(): Promise<ModelClient> {
    await this.#opening;
    if (this.#client) return this.#client;
    if (!this.#wanted)
      throw new LlmcodeError('no-model', 'No model is chosen yet. Choose one with /model or --model.', {
        exitCode: 2,
      });
    await this.#seat(this.#wanted);
    if (this.#client) return this.#client;
    throw new LlmcodeError('no-model', `${formatModelRef(this.#wanted)} could not be opened.`, {
      exitCode: 2,
    });
  }

  /** Rejects when the model does not open; the old one stays then. Switches happen in the order of the calls. */
  switchTo(ref: ModelRef): Promise<void> {
    return this.#seat(ref, () => {
      this.#chosen = ref;
    });
  }

  /** Another model answers in place of the chosen one, or the chosen one again. Rejects as `switchTo` does. */
  succeed(ref: ModelRef, succession: Succession): Promise<void> {
    return this.#seat(ref, () => undefined, succession);
  }

  #seat(ref: ModelRef, onSeated: () => void = () => undefined, succession?: Succession): Promise<void> {
    const opened = this.#opening.then(async () => {
      const client = await this.#directory.open(ref);
      this.#client = client;
      this.#wanted = ref;
      onSeated();
      this.#onOpened(client, succession);
    });
    this.#opening = opened.catch(() => undefined);
    return opened;
  }
}
