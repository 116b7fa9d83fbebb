import type { ImagePart, Message } from '#protocol/message.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ToolSchema } from '#protocol/tool.ts';
import { asObject, parseJson } from '../wire/json.ts';
import type { LongPrompt, Outcome } from './card.ts';
import { type Ask, asked, type Probed } from './probe.ts';

/** One that no model has seen in training, so that it cannot be called without having been read. */
const lookUpTool: ToolSchema = {
  name: 'look_up_parcel',
  description: 'Says where a parcel is.',
  parameters: {
    type: 'object',
    properties: { code: { type: 'string' }, hours: { type: 'integer' } },
    required: ['code', 'hours'],
  },
};

const toolQuestion = asked(
  'Call the tool look_up_parcel with the code KX-7 and 36 hours. Then say in which town the parcel is.',
);
const town = 'Vardzia';

/** A call with the right arguments by the way that is tested, and an answer that uses what the tool returned. */
export async function checkTools(
  ask: Ask,
  client: ModelClient,
  { way }: { way: 'native' | 'text' },
): Promise<Outcome> {
  const first = await ask(client, { messages: [toolQuestion], tools: [lookUpTool] });
  if (first.error) return refusal(first);
  if (first.isTooSlow) return 'unknown';
  const [call] = first.calls;
  // What was read out of the text has no id of the server.
  if (!call || (way === 'native' && call.vendorCallId === '')) return 'ignored';
  const input = asObject(call.input);
  if (call.tool !== lookUpTool.name || call.rawInput !== undefined) return 'wrong';
  if (input?.['code'] !== 'KX-7' || String(input['hours']) !== '36') return 'wrong';
  const called: Message = {
    id: 'answer',
    role: 'assistant',
    model: client.info.ref,
    createdAt: 0,
    parts: [
      {
        kind: 'tool-call',
        id: 'call',
        callId: 'call',
        vendorCallId: call.vendorCallId,
        tool: call.tool,
        input: call.input,
        ...(call.private ? { private: call.private } : {}),
        result: {
          status: 'ok',
          forModel: [{ kind: 'text', text: `The parcel is in ${town}.` }],
          durationMs: 0,
        },
      },
    ],
  };
  const second = await ask(client, { messages: [toolQuestion, called], tools: [lookUpTool] });
  if (second.error) return refusal(second);
  if (second.isTooSlow) return 'unknown';
  return second.text.includes(town) ? 'works' : 'wrong';
}

export async function checkJson(ask: Ask, client: ModelClient): Promise<Outcome> {
  const answer = await ask(client, {
    messages: [
      asked(
        'Answer with one JSON object and nothing else, no code block: "name" is the text heron, "legs" is the number 2.',
      ),
    ],
  });
  if (answer.error) return refusal(answer);
  if (answer.isTooSlow) return 'unknown';
  const bare = answer.text.replace(/^```(?:json)?\s*|\s*```$/g, '');
  const value = asObject(parseJson(bare));
  return value?.['name'] === 'heron' && value['legs'] === 2 ? 'works' : 'wrong';
}

/** A square of 64 by 64 points, all of them red. */
const redSquare: ImagePart = {
  kind: 'image',
  id: 'image',
  mediaType: 'image/png',
  source: {
    kind: 'inline',
    base64:
      'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItw/dMZxQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLQTQDx3uY1cQAAAABJRU5ErkJggg==',
  },
};

export async function checkImages(ask: Ask, client: ModelClient): Promise<Outcome> {
  const question =
    'Which colour fills this picture? Answer with that one word, or with "none" if you see no picture.';
  const answer = await ask(client, { messages: [asked(question, [redSquare])] });
  if (answer.error) return refusal(answer);
  if (answer.isTooSlow || answer.text === '') return 'unknown';
  return /\bred\b/i.test(answer.text) ? 'works' : 'ignored';
}

/** Long enough for the default of a small local server to show, short enough to be read in seconds. */
const longTokens = 6_000;
/** Of the sentence that fills it. */
const tokensPerChar = 0.21;
const codeWord = 'heron-42';

/** Whether the beginning of a long prompt still reaches the model. */
export async function checkLongPrompt(ask: Ask, client: ModelClient): Promise<LongPrompt> {
  const line = 'The ferry leaves the harbour at dawn and comes back at dusk. ';
  const filler = line.repeat(Math.ceil(longTokens / tokensPerChar / line.length));
  const text = `The code word is ${codeWord}.\n\n${filler}\n\nWhat is the code word? Answer with it alone.`;
  const sent = Math.round(text.length * tokensPerChar);
  const answer = await ask(client, { messages: [asked(text)] });
  const counted = answer.usage ? answer.usage.input : null;
  const end = (outcome: LongPrompt['outcome']): LongPrompt => ({ outcome, sent, counted });
  if (answer.error) return end(answer.error.class === 'overflow' ? 'refused' : 'unknown');
  if (answer.isTooSlow) return end('unknown');
  if (answer.text.toLowerCase().includes(codeWord)) return end('whole');
  // A weak model may forget; a server that read far less than was sent has cut it.
  return end(counted !== null && counted < sent * 0.7 ? 'cut' : 'unknown');
}

function refusal({ error }: Probed): Outcome {
  switch (error?.class) {
    case 'tools-unsupported':
    case 'tool-use-failed':
    case 'bad-request':
    case 'not-found':
    case 'too-large':
      return 'refused';
    default:
      return 'unknown';
  }
}
