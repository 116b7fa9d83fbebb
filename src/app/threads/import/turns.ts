import type { PeerConversation, PeerMessage, PeerPart } from '#engine/thread/peer-log.ts';
import type { ModelRef } from '#protocol/model-ref.ts';

type Call = { tool: string; input: Extract<PeerPart, { kind: 'call' }>['input'] };

/** Builds a conversation from what a transcript says, line by line. */
export class TurnBuilder {
  readonly #messages: { role: PeerMessage['role']; at: number; model?: ModelRef; parts: PeerPart[] }[] = [];
  readonly #calls = new Map<string, Extract<PeerPart, { kind: 'call' }>>();

  /** What the person said; nothing when it is empty. */
  person(text: string, at: number): void {
    if (text.trim() !== '')
      this.#messages.push({ role: 'user', at, parts: [{ kind: 'text', text: text.trim() }] });
  }

  say(kind: 'text' | 'reasoning', text: string, at: number, model?: ModelRef): void {
    if (text.trim() !== '') this.#answer(at, model).push({ kind, text });
  }

  call(id: string, { tool, input }: Call, at: number, model?: ModelRef): void {
    const part: Extract<PeerPart, { kind: 'call' }> = {
      kind: 'call',
      tool: tool === '' ? 'unknown' : tool,
      input,
    };
    this.#answer(at, model).push(part);
    if (id !== '') this.#calls.set(id, part);
  }

  /** The result of a call that was made; one of another call is left out. */
  result(id: string, text: string, isError: boolean): void {
    const part = this.#calls.get(id);
    if (part && !part.result) part.result = { text, isError };
  }

  build(about: Omit<PeerConversation, 'messages'>): PeerConversation {
    return { ...about, messages: this.#messages };
  }

  /** Results come between: what follows them is another message, as it was another call of the model. */
  #answer(at: number, model?: ModelRef): PeerPart[] {
    const last = this.#messages.at(-1);
    const hasResults = last?.parts.some((part) => part.kind === 'call' && part.result !== undefined);
    if (last?.role === 'assistant' && !hasResults) return last.parts;
    const parts: PeerPart[] = [];
    this.#messages.push({ role: 'assistant', at, parts, ...(model ? { model } : {}) });
    return parts;
  }
}
