import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ImagePart } from '#protocol/message.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { apis, httpSession, refOf } from '../../support/engine/http-thread.ts';
import { expectSound } from '../../support/engine/strict-thread.ts';
import { openTestThread } from '../../support/engine/test-thread.ts';
import type { AnswerPart, ServerApi, ServerRequest, ServerStep } from '../../support/model-servers/index.ts';

const base64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const picture: ImagePart = {
  kind: 'image',
  id: 'i1',
  mediaType: 'image/png',
  source: { kind: 'inline', base64 },
};

/** What only the vendor can read again begins with the name of its API. */
const secrets: Readonly<Partial<Record<ServerApi, RegExp>>> = {
  anthropic: /"signature":"anthropic\.[\w-]{43}"/g,
  'openai-responses': /"encrypted_content":"openai-responses\.[\w-]{43}"/g,
  gemini: /"thoughtSignature":"gemini\.[\w-]{43}"/g,
};
const efforts: Readonly<Partial<Record<ServerApi, ModelRef['effort']>>> = {
  anthropic: 'high',
  'openai-responses': 'medium',
};

function modelOf(api: ServerApi): ModelRef {
  const effort = efforts[api];
  return { ...refOf(api), ...(effort ? { effort } : {}) };
}

const stepsInTurn = 5;
const stepsOnModel = 3;
const abortedStep = 14;

/** What a model does in a step: single and parallel calls, of which some fail, one shows a picture and one has no input. */
function callsOf(step: number): AnswerPart[] {
  switch (step % 4) {
    case 1:
      return [
        { call: 'read_file', input: { path: 'shot.png' } },
        { call: 'read_file', input: { path: 'sum.js' } },
      ];
    case 2:
      return [
        { text: 'A look around.' },
        { call: 'glob_search', input: { pattern: `*.${step}` } },
        { call: 'todo_write', input: { todos: [{ content: `step ${step}`, status: 'in_progress' }] } },
      ];
    case 3:
      return [
        { call: 'read_file', input: { path: `missing-${step}.js` } },
        { call: 'no_such_tool', input: {} },
      ];
    default:
      return [{ text: 'Listing.' }, { call: 'list_directory' }];
  }
}

test('forty steps with another model after every third, in all four APIs: no vendor refuses a request', async () => {
  let step = 0;
  let thread: { handle: EngineHandle } | undefined;
  /** Finished answers of each model that are still sent as they are. */
  const answers = new Map<ServerApi, number>();
  const wrong: string[] = [];

  const answer =
    (api: ServerApi) =>
    ({ body }: ServerRequest): ServerStep => {
      const sent = JSON.stringify(body);
      // Summaries are asked for without tools.
      if (body.tools === undefined) {
        answers.clear();
        return { parts: [{ reasoning: 'Long.' }, { text: 'The person wants forty steps; some are done.' }] };
      }
      step += 1;
      for (const [other, secret] of Object.entries(secrets)) {
        const found = [...sent.matchAll(secret)].length;
        const wanted = other === api ? (answers.get(api) ?? 0) : 0;
        if (found !== wanted) wrong.push(`step ${step}, ${api}: ${found} secrets of ${other}, not ${wanted}`);
      }
      if (step % stepsOnModel === 0) {
        const next = apis[(apis.indexOf(api) + 1) % apis.length] ?? 'anthropic';
        thread?.handle.submit({ kind: 'switch-model', model: modelOf(next) });
      }
      const thought: AnswerPart = { reasoning: `Thought of step ${step}.` };
      if (step === abortedStep)
        return {
          parts: [thought, { text: 'I begin' }, { call: 'read_file', input: { path: 'a' } }, { stall: true }],
        };
      answers.set(api, (answers.get(api) ?? 0) + 1);
      const isLast = step % stepsInTurn === 0;
      return { parts: [thought, ...(isLast ? [{ text: `Turn of step ${step} is done.` }] : callsOf(step))] };
    };

  const { servers, options } = await httpSession(Object.fromEntries(apis.map((api) => [api, answer(api)])));
  await writeFile(path.join(options.cwd, 'shot.png'), Buffer.from(base64, 'base64'));
  const opened = await openTestThread(options);
  thread = opened;
  const { handle, events } = opened;

  const say = async (text: string, images: ImagePart[] = []) => {
    const before = events.filter(({ kind }) => kind === 'turn-end').length;
    handle.submit({ kind: 'prompt', text, images, delivery: 'steer' });
    await opened.turnEnds(before + 1);
  };
  for (let turn = 1; step < 40; turn += 1) {
    const isAborted = step < abortedStep && step + stepsInTurn >= abortedStep;
    const turnOver = say(`Turn ${turn}: look around.`, turn % 3 === 1 ? [picture] : []);
    if (isAborted) {
      await opened.next('text-delta', ({ text }) => text.startsWith('I b'));
      handle.submit({ kind: 'interrupt' });
    }
    await turnOver;
    if (turn === 6) {
      handle.submit({ kind: 'compact' });
      await opened.next('thread-compacted');
      await opened.next('compaction-end');
    }
  }

  for (const [api, server] of servers) {
    expect({ api, violations: server.violations }).toEqual({ api, violations: [] });
    expect(server.requests.length).toBeGreaterThanOrEqual(9);
  }
  expect(wrong).toEqual([]);
  expect(step).toBeGreaterThanOrEqual(40);
  const ends = events.flatMap((event) => (event.kind === 'turn-end' ? [event.reason] : []));
  expect(ends.filter((reason) => reason === 'aborted')).toHaveLength(1);
  expect(ends.every((reason) => reason === 'done' || reason === 'aborted')).toBe(true);
  const switches = events.filter(({ kind }) => kind === 'model-switched');
  expect(switches.length).toBeGreaterThanOrEqual(13);
  expectSound(events);
});
