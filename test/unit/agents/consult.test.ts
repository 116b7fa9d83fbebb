import { expect, it } from 'vitest';
import { composeBundle } from '#agents/consult/bundle.ts';
import { textToSend } from '#agents/consult/consults.ts';
import { mentionSpellings, mentionsIn } from '#agents/consult/mentions.ts';
import { roundsOf } from '#agents/consult/rounds.ts';
import { automaticName, checkThreadName } from '#agents/consult/thread-name.ts';
import { modelMessages } from '#engine/context/history.ts';
import { settleCrash } from '#engine/thread/fold.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import { someUsage } from '../../support/engine/scripted-model.ts';

it('finds the paths that a question names, and nothing in addresses or quotations of code', () => {
  const text = 'See @src/a.ts, (@src/b.ts) and @"my file.txt"; mail me@example.org, x@y. Again @src/a.ts,';
  expect(mentionsIn(text)).toEqual(['src/a.ts,', 'src/b.ts)', 'my file.txt']);
  expect(mentionSpellings('src/a.ts,')).toEqual(['src/a.ts,', 'src/a.ts']);
  expect(mentionSpellings('src/a.ts')).toEqual(['src/a.ts']);
});

it('makes names that are free and refuses those that a command line would misread', () => {
  const now = new Date(2026, 2, 4, 5, 6, 7).getTime();
  const taken = new Set(['my-lab-0304-050607']);
  expect(automaticName('my.lab', { now, taken })).toBe('my-lab-0304-050607-2');
  for (const bad of ['a b', '', 'ä', 'a/b', 'all', 'Reply', 'x'.repeat(65)])
    expect(() => checkThreadName(bad)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  expect(() => checkThreadName('arch_2-b')).not.toThrow();
});

it('says where a secret stands, sends it only when told to, and leaves files of secrets out when it blanks', () => {
  const key = `sk-${'a1'.repeat(12)}`;
  const file = (name: string, text: string, isSecret: boolean) =>
    ({ kind: 'file', name, text, isSecret, isOutside: false }) as const;
  const bundle = composeBundle('Why?', [
    file('a.txt', `one\ntwo ${key}\n`, false),
    file('.env', 'P=1', true),
  ]);
  expect(bundle.secrets).toEqual([
    { kind: 'provider-key', where: 'a.txt', line: 2 },
    { kind: 'secrets-file', where: '.env', line: 0 },
  ]);
  expect(() => textToSend(bundle, 'refuse')).toThrow('provider-key in a.txt:2, secrets-file in .env');
  expect(textToSend(bundle, 'send')).toBe(
    `Why?\n\n<attached-file name="a.txt">\none\ntwo ${key}\n</attached-file>\n\n<attached-file name=".env">\nP=1\n</attached-file>`,
  );
  expect(textToSend(bundle, 'blank')).toBe(
    'Why?\n\n<attached-file name="a.txt">\none\ntwo [secret:provider-key]\n</attached-file>',
  );
});

it('counts answered rounds, adds up what each took, and knows one that has no end on record', () => {
  let seq = 0;
  const at = (turnId: string, body: EventBody): EngineEvent => {
    seq += 1;
    return { ...body, threadId: 'T', turnId, seq, at: seq } as EngineEvent;
  };
  const model = { provider: 'p', model: 'm' };
  const ask = (turn: string, text: string) =>
    at(turn, {
      kind: 'message-added',
      message: {
        id: turn,
        role: 'user',
        origin: 'person',
        parts: [{ id: 't', kind: 'text', text }],
        createdAt: 0,
      },
    });
  const say = (turn: string, id: string, text: string, costUsd: number | null) => [
    at(turn, { kind: 'message-start', messageId: id, model }),
    at(turn, { kind: 'text-end', messageId: id, part: { id: 't', kind: 'text', text } }),
    at(turn, { kind: 'message-end', messageId: id, finish: 'stop', usage: someUsage, costUsd }),
  ];
  const end = (turn: string, reason: 'done' | 'aborted') =>
    at(turn, { kind: 'turn-end', reason, steps: 1, durationMs: 40 });
  const rounds = roundsOf([
    ask('1', 'first'),
    ...say('1', 'a', 'Looking.', 0.25),
    ...say('1', 'b', 'Found.', 0.5),
    end('1', 'done'),
    ask('2', 'second'),
    end('2', 'aborted'),
    ask('3', 'second again'),
    ...say('3', 'c', ' ', null),
    end('3', 'done'),
    ask('4', 'third'),
  ]);
  expect(rounds.map(({ number, status, text, costUsd }) => ({ number, status, text, costUsd }))).toEqual([
    { number: 1, status: 'answered', text: 'Found.', costUsd: 0.75 },
    { number: 2, status: 'stopped', text: '', costUsd: 0 },
    { number: 2, status: 'failed', text: '', costUsd: null },
    { number: 2, status: 'unknown', text: '', costUsd: 0 },
  ]);
  expect(rounds[0]).toMatchObject({ usage: { input: 1_800, output: 40 }, durationMs: 40, model });
  expect(rounds[2]?.failure).toMatchObject({ message: 'The peer gave no answer.' });
});

it('a thread that was left while a peer was asked says so when it is opened again, once', () => {
  const start = emptyThreadState({ threadId: 'T', cwd: '/w', mode: 'prompt' });
  const stamp = { threadId: 'T', turnId: null, at: 5 };
  const consult = { id: 'C', peer: 'p/m', thread: 'arch', round: 2, question: 'why?' };
  const left = applyEvent(start, { ...stamp, kind: 'consult-start', consult, seq: 1 });
  expect(left.consults).toEqual([{ ...consult, startedAt: 5 }]);
  const bodies = settleCrash(left);
  expect(bodies).toHaveLength(1);
  const settled = bodies.reduce(
    (state, body, index) => applyEvent(state, { ...body, ...stamp, seq: 2 + index } as EngineEvent),
    left,
  );
  expect(settled.consults).toEqual([]);
  expect(settled.messages).toMatchObject([
    { role: 'notice', parts: [{ kind: 'consult', status: 'unknown', thread: 'arch', round: 2 }] },
  ]);
  expect(settleCrash(settled)).toEqual([]);
  expect(modelMessages(settled)).toEqual([]);
});
