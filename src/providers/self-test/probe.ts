import type { ImagePart, Message, MessagePart } from '#protocol/message.ts';
import type { ModelClient, StepPart } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ToolSchema } from '#protocol/tool.ts';
import type { Usage } from '#protocol/usage.ts';

export type ProbeCall = Extract<StepPart, { kind: 'tool-call' }>;

/** What one small request came to. */
export type Probed = {
  text: string;
  calls: readonly ProbeCall[];
  usage: Usage | null;
  costUsd: number | null;
  /** Milliseconds from sending to the first word, and from there to the end. */
  firstTokenMs: number | null;
  restMs: number;
  error: ModelError | undefined;
  /** It took longer than one check may take. */
  isTooSlow: boolean;
};

export type Question = { messages: readonly Message[]; tools?: readonly ToolSchema[] };

/** How one asks; each question in a conversation of its own. */
export type Ask = (client: ModelClient, question: Question) => Promise<Probed>;

/** Asks one model. Never rejects. */
export async function probe(
  client: ModelClient,
  { messages, tools = [] }: Question,
  { signal, limitMs, now }: { signal: AbortSignal; limitMs: number; now: () => number },
): Promise<Probed> {
  const started = now();
  const limit = AbortSignal.timeout(limitMs);
  let text = '';
  let firstAt: number | undefined;
  const calls: ProbeCall[] = [];
  const result = (more: Partial<Probed>): Probed => ({
    text: text.trim(),
    calls,
    usage: null,
    costUsd: null,
    firstTokenMs: firstAt === undefined ? null : firstAt - started,
    restMs: firstAt === undefined ? 0 : now() - firstAt,
    error: undefined,
    isTooSlow: false,
    ...more,
  });
  const request = {
    system: ['You are being tested. Do exactly what is asked, as shortly as you can.'],
    messages,
    tools,
    maxOutputTokens: 2_000,
    threadId: 'self-test',
  };
  for await (const part of client.stream(request, {
    signal: AbortSignal.any([signal, limit]),
    maxAttempts: 1,
  })) {
    switch (part.kind) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        firstAt ??= now();
        break;
      case 'text-end':
        text += `${part.text}\n`;
        break;
      case 'tool-call':
        firstAt ??= now();
        calls.push(part);
        break;
      case 'error':
        return result({ error: part.error });
      case 'finish':
        return result({ usage: part.usage, costUsd: part.costUsd });
      default:
        break;
    }
  }
  return result({ isTooSlow: limit.aborted });
}

export function asked(text: string, images: readonly ImagePart[] = []): Message {
  const parts: MessagePart[] = [{ kind: 'text', id: 'text', text }, ...images];
  return { id: 'question', role: 'user', parts, createdAt: 0 };
}
