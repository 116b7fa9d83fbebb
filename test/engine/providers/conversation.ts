import type {
  Message,
  MessagePart,
  ToolCallPart,
  ToolContent,
  ToolResultRecord,
  ToolStatus,
} from '#protocol/message.ts';
import type { ModelClient, StepPart } from '#protocol/model-client.ts';
import type { ToolSchema } from '#protocol/tool.ts';

/** One transparent pixel. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const tools: ToolSchema[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, offset: { type: 'integer', minimum: 0 } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  {
    name: 'bash',
    description: 'Runs a command.',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
      additionalProperties: false,
    },
  },
];

/** A conversation as an engine would hold it: steps appended as messages, results put into their calls. */
export class Conversation {
  readonly messages: Message[] = [];
  #count = 0;

  say(...parts: (string | { image: string })[]): void {
    const made = parts.map((part): MessagePart => {
      if (typeof part === 'string') return { kind: 'text', id: this.#id(), text: part };
      return {
        kind: 'image',
        id: this.#id(),
        mediaType: 'image/png',
        source: { kind: 'inline', base64: part.image },
      };
    });
    this.messages.push({ id: this.#id(), role: 'user', createdAt: 0, parts: made });
  }

  notice(text: string): void {
    const part: MessagePart = { kind: 'notice', id: this.#id(), level: 'info', text };
    this.messages.push({ id: this.#id(), role: 'notice', createdAt: 0, parts: [part] });
  }

  /** Asks the model for one step and keeps what it says; returns the parts. */
  async step(model: ModelClient, signal: AbortSignal = new AbortController().signal): Promise<StepPart[]> {
    const seen: StepPart[] = [];
    const parts: MessagePart[] = [];
    const request = {
      system: ['You are a test.', 'Be brief.'],
      messages: [...this.messages],
      tools,
      threadId: 'thread-1',
    };
    for await (const part of model.stream(request, { signal })) {
      seen.push(part);
      const message = this.#partOf(part);
      if (message) parts.push(message);
    }
    this.messages.push({
      id: this.#id(),
      role: 'assistant',
      createdAt: 0,
      model: model.info.ref,
      parts,
      finish: signal.aborted ? 'aborted' : 'stop',
    });
    return seen;
  }

  /** Answers every open call of the newest message. */
  answer(
    make: (call: ToolCallPart, index: number) => { forModel: ToolContent[]; status?: ToolStatus },
  ): void {
    const last = this.messages.at(-1);
    if (!last) return;
    let index = 0;
    const parts = last.parts.map((part) => {
      if (part.kind !== 'tool-call' || part.result) return part;
      const made = make(part, index);
      index += 1;
      const result: ToolResultRecord = {
        status: made.status ?? 'ok',
        forModel: made.forModel,
        durationMs: 1,
      };
      return { ...part, result };
    });
    this.messages[this.messages.length - 1] = { ...last, parts };
  }

  #partOf(part: StepPart): MessagePart | undefined {
    switch (part.kind) {
      case 'text-end':
        return {
          kind: 'text',
          id: part.partId,
          text: part.text,
          ...(part.private ? { private: part.private } : {}),
        };
      case 'reasoning-end':
        return {
          kind: 'reasoning',
          id: part.partId,
          text: part.text,
          ...(part.private ? { private: part.private } : {}),
        };
      case 'tool-call':
        return {
          kind: 'tool-call',
          id: part.partId,
          callId: this.#id(),
          vendorCallId: part.vendorCallId,
          tool: part.tool,
          input: part.input,
          ...(part.rawInput === undefined ? {} : { rawInput: part.rawInput }),
          ...(part.private ? { private: part.private } : {}),
        };
      default:
        return undefined;
    }
  }

  #id(): string {
    this.#count += 1;
    return `01TEST${String(this.#count).padStart(20, '0')}`;
  }
}
