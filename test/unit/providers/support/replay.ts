import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StepPart } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { Usage } from '#protocol/usage.ts';
import type { Exchange, Expected } from './exchanges.ts';
import { openTestModel } from './open-model.ts';

export type Outcome = {
  text: string;
  reasoning: string;
  toolCalls: { name: string; input: unknown; rawInput: string | undefined; id: string }[];
  finish: string | null;
  usage: Usage | null;
  error: ModelError | null;
  privates: string;
};

/** `oddly`: in small pieces that end anywhere, and within each character of more than one byte. */
export type Cutting = 'recorded' | 'bytes' | 'whole' | 'oddly';

/** Serves the recorded answer over HTTP and reads it with a real client. */
export async function replay(
  exchange: Exchange,
  { cutting = 'recorded', dropAt }: { cutting?: Cutting; dropAt?: number } = {},
): Promise<Outcome> {
  const bytes = Buffer.from(exchange.response.chunks.join(''), 'utf8');
  const body = dropAt === undefined ? bytes : bytes.subarray(0, dropAt);
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', async () => {
      response.writeHead(exchange.response.status, exchange.response.headers);
      for (const piece of piecesOf(body, exchange, cutting)) {
        response.write(piece);
        if (cutting !== 'whole') await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const model = await openTestModel({
      api: exchange.api,
      url: `http://127.0.0.1:${port}`,
      model: exchange.model,
    });
    return await outcomeOf(
      model.stream(
        {
          system: [],
          messages: [
            { id: 'm1', role: 'user', createdAt: 0, parts: [{ kind: 'text', id: 'p1', text: 'hello' }] },
          ],
          tools: [],
          threadId: 'thread',
        },
        { signal: new AbortController().signal },
      ),
    );
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function piecesOf(body: Buffer, exchange: Exchange, cutting: Cutting): Buffer[] {
  if (cutting === 'whole') return [body];
  if (cutting === 'recorded') {
    const pieces: Buffer[] = [];
    let start = 0;
    for (const chunk of exchange.response.chunks) {
      const end = Math.min(start + Buffer.byteLength(chunk), body.length);
      if (end > start) pieces.push(body.subarray(start, end));
      start = end;
    }
    return pieces;
  }
  if (cutting === 'oddly') return oddPieces(body);
  return Array.from({ length: body.length }, (_, index) => body.subarray(index, index + 1));
}

function oddPieces(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let end = 1; end <= body.length; end += 1) {
    const isWithinCharacter = ((body[end] ?? 0) & 0xc0) === 0x80;
    if (end - start < 211 && !isWithinCharacter && end < body.length) continue;
    pieces.push(body.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** Folds a stream of parts; what came before a retry is void. */
export async function outcomeOf(parts: AsyncIterable<StepPart>): Promise<Outcome> {
  let outcome = empty();
  const privates: unknown[] = [];
  for await (const part of parts) {
    switch (part.kind) {
      case 'attempt':
        outcome = empty();
        break;
      case 'text-end':
        outcome.text += part.text;
        if (part.private) privates.push(part.private);
        break;
      case 'reasoning-end':
        outcome.reasoning += part.text;
        if (part.private) privates.push(part.private);
        break;
      case 'tool-call':
        outcome.toolCalls.push({
          name: part.tool,
          input: part.input,
          rawInput: part.rawInput,
          id: part.vendorCallId,
        });
        if (part.private) privates.push(part.private);
        break;
      case 'finish':
        outcome.finish = part.reason;
        outcome.usage = part.usage;
        break;
      case 'error':
        outcome.error = part.error;
        break;
      default:
        break;
    }
  }
  return { ...outcome, privates: JSON.stringify(privates) };
}

function empty(): Outcome {
  return { text: '', reasoning: '', toolCalls: [], finish: null, usage: null, error: null, privates: '' };
}

const kinds: Readonly<Record<string, string>> = {
  overflow: 'context_length',
  'bad-response': 'server',
  network: 'server',
};

/** Calls that a broken stream gave out although they are none of those that the whole of it holds. */
export function halfCalls(exchange: Exchange, outcome: Outcome): Outcome['toolCalls'] {
  const whole = exchange.expect.toolCalls.map((call) =>
    JSON.stringify([call.name, call.argsRaw ?? sorted(call.args)]),
  );
  return outcome.toolCalls.filter(
    (call) => !whole.includes(JSON.stringify([call.name, call.rawInput ?? sorted(call.input)])),
  );
}

/** Where an outcome differs from every acceptable reading; empty when it is right. */
export function differences(exchange: Exchange, outcome: Outcome): string[] {
  const readings = [exchange.expect, ...(exchange.alsoOk ?? []).map((also) => merged(exchange.expect, also))];
  const all = readings.map((expected) => differencesFrom(expected, outcome));
  return all.sort((one, two) => one.length - two.length)[0] ?? [];
}

function merged(expected: Expected, also: Partial<Expected>): Expected {
  return { ...expected, ...also } as Expected;
}

function differencesFrom(expected: Expected, outcome: Outcome): string[] {
  const found: string[] = [];
  const check = (what: string, got: unknown, want: unknown) => {
    if (JSON.stringify(got) !== JSON.stringify(want)) {
      found.push(`${what}: got ${short(got)}, want ${short(want)}`);
    }
  };
  const { error } = expected;
  if (error) {
    check('error', outcome.error !== null, true);
    if (!outcome.error) return found;
    const kind = outcome.error.class.replaceAll('-', '_');
    if (error.kind) check('error.kind', kinds[outcome.error.class] ?? kind, error.kind);
    check('error.retryable', outcome.error.retryable, error.retryable);
    if (error.message && !outcome.error.message.includes(error.message.slice(0, 200))) {
      found.push(`error.message: got ${short(outcome.error.message)}, want ${short(error.message)}`);
    }
    if (error.retryAfterMs !== undefined) {
      check('error.retryAfterMs', outcome.error.retryAfterMs, error.retryAfterMs);
    }
    return found;
  }
  if (outcome.error) return [`error: ${outcome.error.class}: ${short(outcome.error.message)}`];
  const { text, reasoning } = expected.afterThinkTagSplit ?? expected;
  check('text', outcome.text, text);
  check('reasoning', outcome.reasoning, reasoning);
  check(
    'toolCalls',
    outcome.toolCalls.map((call) => [call.name, call.rawInput ?? sorted(call.input)]),
    expected.toolCalls.map((call) => [call.name, call.args === null ? call.argsRaw : sorted(call.args)]),
  );
  for (const [index, call] of expected.toolCalls.entries()) {
    if (call.id !== null) check(`toolCalls[${index}].id`, outcome.toolCalls[index]?.id, call.id);
  }
  if (expected.finishReasonUnified !== null) check('finish', outcome.finish, expected.finishReasonUnified);
  check('usage', outcome.usage, expected.usage);
  for (const secret of [...(expected.signatures ?? []), ...(expected.redactedThinking ?? [])]) {
    if (!outcome.privates.includes(JSON.stringify(secret).slice(1, -1)))
      found.push(`signature lost: ${short(secret)}`);
  }
  return found;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
