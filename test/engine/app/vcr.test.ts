import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EngineEvent, engineEventSchema } from '#protocol/event.ts';
import { isDelta } from '#protocol/is-delta.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, type RunResult, runLlmcode } from '../../support/app/run-llmcode.ts';
import { threadLogs } from '../../support/e2e/home.ts';
import { brokenTotal } from '../../support/e2e/sample-repo.ts';
import type { ServerScript } from '../../support/model-servers/index.ts';

const started = headlessTests();

// Put together here, so that no scanner takes it for a real one.
const planted = `sk-${'plantedKey'}${'0123456789abcdefghij'}`;

/** Calls, a limit, a broken answer, and a key that the person, a tool and the model all say. */
const script: ServerScript = [
  { status: 429, message: 'Slow down.', headers: { 'retry-after-ms': '1' } },
  { parts: [{ text: 'I look ' }, { cut: true }] },
  {
    parts: [
      { reasoning: `They gave me ${planted}.` },
      { text: `The key is ${planted}, I look.` },
      { call: 'read_file', input: { path: 'src/total.mjs' } },
      { call: 'bash', input: { command: `echo ${planted}`, description: 'show it' } },
    ],
  },
  { parts: [{ call: 'todo_write', input: { todos: [{ content: 'fix it', status: 'in_progress' }] } }] },
  { parts: [{ call: 'append_file', input: { path: 'src/total.mjs', content: '\n// seen\n' } }] },
  { parts: [{ text: 'Done.' }] },
];
const prompt = `fix it with ${planted}`;
const flags = ['--output-format', 'events', '--permission-mode', 'auto_accept'];

type Recorded = { text: string; file: string; run: RunResult; mode: number };
let tape: Promise<Recorded> | undefined;

/** One session for all of these tests, in a folder and with a server that are gone afterwards. */
function recorded(): Promise<Recorded> {
  tape ??= record();
  return tape;
}

async function record(): Promise<Recorded> {
  const { home, cwd, server } = await started(script);
  const file = path.join(home, 'vcr', 'session.jsonl');
  const env = { LLMCODE_VCR: 'record', LLMCODE_VCR_FILE: file, OTHER_TOKEN: 'a-plain-secret' };
  const run = await runLlmcode(['-p', prompt, ...flags], { home, cwd, env });
  expect(server.violations).toEqual([]);
  const mode = statSync(file).mode & 0o777;
  return { file, run, mode, text: readFileSync(file, 'utf8') };
}

/** A new home and workspace with the recording, or what a test makes of it. */
async function withTape(change: (text: string) => string = (text) => text) {
  const { home, cwd, repo, server } = await started([]);
  const file = path.join(home, 'session.jsonl');
  writeFileSync(file, change((await recorded()).text));
  const replay = (args: readonly string[], env: Record<string, string> = {}) =>
    runLlmcode(['-p', '--replay', file, '--speed', '0', ...args], { home, cwd, env });
  return { home, cwd, repo, server, file, replay };
}

/** Events that both runs have, without what differs by nature: ids, times, and text in pieces. */
function essence(stdout: string): EngineEvent[] {
  const events = jsonLines(stdout).map((line) => engineEventSchema.parse(line));
  const seen: string[] = [];
  const strip = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(/0[0-7][0-9A-HJKMNP-TV-Z]{24}/g, (id) => {
        if (!seen.includes(id)) seen.push(id);
        return `#${seen.indexOf(id)}`;
      });
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) =>
        /^(at|seq|until|durationMs|createdAt|startedAt|turnStartedAt)$/.test(key) ? [] : [[key, strip(each)]],
      ),
    );
  };
  return events
    .filter((event: EngineEvent) => !isDelta(event) && !isByMachine(event))
    .map((event) => strip(event) as EngineEvent);
}

/**
 * When a model was opened, and how long what is said of folder and day is, is a matter of the machine; and a replay
 * changes no files.
 */
function isByMachine({ kind }: EngineEvent): boolean {
  return ['thread-snapshot', 'model-switched', 'frame-measured', 'files-changed'].includes(kind);
}

/** A call runs as soon as it is whole: what its neighbours do meanwhile is a matter of milliseconds. */
function runsLast(events: EngineEvent[]): EngineEvent[] {
  const isStart = ({ kind }: EngineEvent) => kind === 'tool-run-start';
  return [...events.filter((event) => !isStart(event)), ...events.filter(isStart)];
}

describe('a recorded session', () => {
  it('holds no secret, only its owner may read it, and it is said that it is recorded', async () => {
    const { file, run, text, mode } = await recorded();
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining(`Recording to ${file}`) });
    expect(text).toContain('[secret:provider-key]');
    // Not in pieces either: what the model wrote came a few characters at a time.
    const letters = text.replaceAll(/[^A-Za-z0-9-]/g, '');
    for (const secret of [planted, 'test-key', 'a-plain-secret', 'plantedKey', '0123456789abcdefghij'])
      for (const place of [text, letters]) expect(place).not.toContain(secret);
    expect(mode).toBe(0o600);
    const kinds = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).kind as string]));
    const world = ['hook', 'decision', 'tool-start', 'tool-view', 'tool-end', 'files'];
    const rest = ['cassette', 'session', 'request', 'response', 'event', 'action'];
    expect([...new Set(kinds)].sort()).toEqual([...world, ...rest].sort());
  });

  it('is replayed to the same events without server, keys and settings, and nothing runs', async () => {
    const { run } = await recorded();
    const { home, repo, server, replay } = await withTape();
    rmSync(path.join(home, 'config.json'));
    const { code, stdout, stderr } = await replay(['--output-format', 'events']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('no network, and no tool runs'),
    });
    const events = essence(stdout);
    expect(runsLast(events)).toEqual(
      runsLast(essence(run.stdout.replaceAll(planted, '[secret:provider-key]'))),
    );
    expect(events.filter(({ kind }) => kind === 'retry-wait')).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === 'tool-run-end')).toHaveLength(4);
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(brokenTotal);
    expect(server.requests).toEqual([]);
    expect(threadLogs(home)).toEqual([]);
  });

  it('gives the answer as text, also when variables ask for it', async () => {
    const { home, cwd, file } = await withTape();
    const env = { LLMCODE_VCR: 'replay', LLMCODE_VCR_FILE: file, LLMCODE_VCR_SPEED: '0' };
    const { code, stdout } = await runLlmcode(['-p'], { home, cwd, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
  });

  it('takes as long as it did, divided by the speed', async () => {
    const { text } = await recorded();
    const times = text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [(JSON.parse(line).at as number) ?? 0]));
    const { replay } = await withTape();
    const start = performance.now();
    await replay(['--speed', '4']);
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(Math.max(...times) / 4 / 2);
    expect(took).toBeLessThan(Math.max(...times));
  });

  it('says which part of which request differs, and asks for nothing more', async () => {
    const { replay } = await withTape();
    const { code, stdout, stderr } = await replay(['another prompt']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /request 1 of 6: messages\[1\]\S* differs: recorded "fix it with \[secret:provider-key\]", now "another prompt"/,
    );
  });

  it('names a request that goes to another model, and one that a changed answer leads to', async () => {
    const model = await withTape((text) =>
      text.replaceAll('"body":{"model":"test-model"', '"body":{"model":"old"'),
    );
    expect((await model.replay([])).stderr).toMatch(
      /request 1 of 6: model differs: recorded "old", now "test-model"/,
    );
    const answer = await withTape((text) =>
      text.replace(/"action":\{"kind":"prompt","text":"[^"]*"/, '"action":{"kind":"prompt","text":"other"'),
    );
    expect((await answer.replay([])).stderr).toMatch(
      /request 1 of 6: messages\[1\]\S* differs: recorded "fix it/,
    );
  });

  it('can be read up to where a crash cut it, and ends there', async () => {
    const { replay } = await withTape((text) => {
      const lines = text.split('\n');
      const cut = lines.findIndex(
        (line) => line.startsWith('{"kind":"response"') && line.includes('todo_write'),
      );
      return `${lines.slice(0, cut).join('\n')}\n${lines[cut]?.slice(0, 80)}`;
    });
    const { code, stderr } = await replay([]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/ends in the middle of answer 4 of 4: there is no more to replay/);
  });

  it('is never overwritten by another one', async () => {
    const { home, cwd, file } = await withTape();
    const env = { LLMCODE_VCR: 'record', LLMCODE_VCR_FILE: file };
    await runLlmcode(['-p', 'x', '--max-turns', '1'], { home, cwd, env });
    expect(readFileSync(file, 'utf8')).toBe((await recorded()).text);
    expect(readdirSync(home)).toContain('session-2.jsonl');
  });
});

describe('a recording that cannot be used', () => {
  it.each([
    ['is missing', undefined, 'no such file'],
    ['is something else', '{"kind":"thread"}\n', 'line 1'],
    [
      'is of another version',
      '{"kind":"cassette","version":9,"llmcode":"9.0.0","recordedAt":1}\n',
      'version 9',
    ],
    [
      'holds no session',
      '{"kind":"cassette","version":1,"llmcode":"0.1.0","recordedAt":1}\n',
      'before a session began',
    ],
  ])('is refused in one line when it %s', async (_what, text, why) => {
    const { home, cwd } = await started([]);
    const file = path.join(home, 'bad.jsonl');
    if (text !== undefined) writeFileSync(file, text);
    const { code, stdout, stderr } = await runLlmcode(['-p', '--replay', file], { home, cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(why);
  });
});
