import type { IdSource } from '#lib/ids.ts';
import type { ImagePart, Message } from '#protocol/message.ts';
import type { PendingInput } from '#protocol/thread-state.ts';
import type { CompactionWish, IncomingPrompt, TurnInbox } from './turn/turn-deps.ts';

/**
 * What waits to go into the conversation. A message of the person can be taken back until a turn has claimed it, and
 * is shown as pending until it has become a message.
 */
export class Inbox implements TurnInbox {
  readonly #ids: IdSource;
  readonly #onChange: (pending: PendingInput[]) => void;
  readonly #claimed = new Set<string>();
  #pending: PendingInput[];
  #messages: Message[] = [];
  #compaction: CompactionWish | undefined;

  constructor(options: {
    pending: readonly PendingInput[];
    ids: IdSource;
    onChange: (pending: PendingInput[]) => void;
  }) {
    this.#pending = [...options.pending];
    this.#ids = options.ids;
    this.#onChange = options.onChange;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  add(input: { text: string; images: ImagePart[]; delivery: 'steer' | 'queue' }): void {
    const { text, images, delivery } = input;
    const imageParts = images.length > 0 ? { imageParts: images } : {};
    this.#pending = [
      ...this.#pending,
      { id: this.#ids(), text, delivery, images: images.length, ...imageParts },
    ];
    this.#onChange(this.#pending);
  }

  takeBack(pendingId: string): void {
    if (!this.#claimed.has(pendingId)) this.#remove(pendingId);
  }

  /** What the next turn begins with: the oldest message, and when that is no queued one, all up to the next queued. */
  claimNext(): IncomingPrompt[] {
    const [first, ...rest] = this.#pending;
    if (!first) return [];
    if (first.delivery === 'queue') return [this.#claim(first)];
    const until = rest.findIndex(({ delivery }) => delivery === 'queue');
    return [first, ...(until === -1 ? rest : rest.slice(0, until))].map((input) => this.#claim(input));
  }

  claimAll(): IncomingPrompt[] {
    return this.#pending.map((input) => this.#claim(input));
  }

  hasSteers(): boolean {
    return this.#pending.some(({ id, delivery }) => delivery === 'steer' && !this.#claimed.has(id));
  }

  takeSteers(): IncomingPrompt[] {
    return this.#pending
      .filter(({ id, delivery }) => delivery === 'steer' && !this.#claimed.has(id))
      .map((input) => ({ ...this.#claim(input), origin: 'steer' }));
  }

  /** What a turn claimed and did not take waits again. */
  releaseClaims(): void {
    this.#claimed.clear();
  }

  addMessage(message: Message): void {
    this.#messages.push(message);
  }

  takeMessages(): Message[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  wishCompaction(wish: CompactionWish): void {
    this.#compaction = wish;
  }

  takeCompaction(): CompactionWish | undefined {
    const wish = this.#compaction;
    this.#compaction = undefined;
    return wish;
  }

  #claim({ id, text, imageParts }: PendingInput): IncomingPrompt {
    this.#claimed.add(id);
    return { text, images: imageParts ?? [], origin: 'person', onTaken: () => this.#remove(id) };
  }

  #remove(id: string): void {
    const left = this.#pending.filter((input) => input.id !== id);
    this.#claimed.delete(id);
    if (left.length === this.#pending.length) return;
    this.#pending = left;
    this.#onChange(left);
  }
}
