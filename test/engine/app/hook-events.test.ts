import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InteractiveSession } from '#app/session/interactive-session.ts';
import { createSessionPort } from '#app/session/session-port.ts';
import { sampleNames } from '#hooks/event-samples.ts';
import { hookEvents } from '#hooks/events/index.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { fakeHost, runLlmcode } from '../../support/app/run-llmcode.ts';
import { ThreadView } from '../../support/app/thread-view.ts';
import { type FourVendors, refOf, startFourVendors, type VendorId } from '../../support/e2e/four-vendors.ts';
import { type SampleRepo, sampleRepo } from '../../support/e2e/sample-repo.ts';
import type { ServerStep } from '../../support/model-servers/index.ts';

let four: FourVendors;
let home: string;
let repo: SampleRepo;
let scripts: Partial<Record<VendorId, ServerStep[]>>;
const sessions: InteractiveSession[] = [];

beforeEach(async () => {
  scripts = {};
  repo = sampleRepo();
  four = await startFourVendors((vendor) => async () => {
    return scripts[vendor]?.shift() ?? { status: 500, message: 'no step' };
  });
  home = four.newHome();
  mkdirSync(seenFolder());
});

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  await four.close();
  rmSync(seenFolder(), { recursive: true, force: true });
  repo.remove();
});

const ownNames = hookEvents.flatMap(({ names }) => names);
const claudeNames = hookEvents.flatMap((def) => def.claudeNames);
/** The 25 of the first llmcode; its memory is not there yet, and so nothing dreams. */
const firstNames = [
  ...['pre_tool_use', 'post_tool_use', 'tool_error', 'tool_denied'],
  ...['pre_command', 'post_command', 'command_error'],
  ...['prompt_submit', 'prompt_compile', 'prompt_cache_hit', 'prompt_cache_miss'],
  ...['agent_spawn', 'agent_complete', 'agent_error', 'agent_message'],
  ...['session_start', 'session_end', 'session_save', 'session_compact'],
  ...['http_request', 'http_response', 'http_error', 'http_retry', 'http_fallback'],
];

const keep = (form: string, name: string) => `cat > ${seenFolder()}/${form}-${name}-$$.json`;
const seenFolder = () => path.join(path.dirname(repo.folder), `seen-${path.basename(repo.folder)}`);

type Payload = Record<string, unknown>;
function seen(form: 'own' | 'claude'): Map<string, Payload[]> {
  const found = new Map<string, Payload[]>();
  for (const file of readdirSync(seenFolder())) {
    const [kind, name = ''] = file.split('-');
    if (kind !== form) continue;
    const text = readFileSync(path.join(seenFolder(), file), 'utf8');
    if (text === '') continue; // It is being written.
    found.set(name, [...(found.get(name) ?? []), JSON.parse(text) as Payload]);
  }
  return found;
}

function changeConfig(more: object): void {
  const file = path.join(home, 'config.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }));
}

function nested(names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, [{ hooks: [{ type: 'command', command: keep('claude', name) }] }]]),
  );
}

function writeProjectHooks(hooks: object): void {
  mkdirSync(path.join(repo.folder, '.claude'), { recursive: true });
  writeFileSync(path.join(repo.folder, '.claude', 'settings.json'), JSON.stringify({ hooks }));
}

function open() {
  const { host } = fakeHost(['x'], { home, cwd: repo.folder });
  const session = new InteractiveSession({ host, flags: {}, cwd: repo.folder, mode: 'prompt' });
  sessions.push(session);
  const port = createSessionPort(session, { theme: 'auto', mode: 'prompt' });
  const view = new ThreadView(port.handle);
  session.begin();
  let ends = 0;
  const turn = async (text: string) => {
    port.handle.submit({ kind: 'prompt', text, images: [], delivery: 'queue' });
    ends += 1;
    await view.until(({ messages, turnId }) => turnId === null && said(messages) >= ends);
  };
  return { session, port, view, turn };
}

const said = (messages: ThreadState['messages']) =>
  messages.filter(({ origin }) => origin === 'person').length;
const says = (text: string, cacheRead = 0, input = 5_000): ServerStep => ({
  parts: [{ text }],
  usage: { input, output: 10, cacheRead },
});
const calls = (call: string, input: unknown, cacheRead = 0): ServerStep => ({
  parts: [{ call, input }],
  usage: { input: 5_000, output: 10, cacheRead },
});
const overloaded: ServerStep = { status: 500, message: 'try later' };

async function consult(port: ReturnType<typeof open>['port'], question: string): Promise<void> {
  const outcome: CommandOutcome = await port.runCommand(`/consult ${refOf('claude')} ${question}`);
  if (outcome.kind !== 'consult-review') throw new Error(JSON.stringify(outcome));
  await port.runCommand(`/consult send ${outcome.review.id}`);
}

describe('hooks', () => {
  it('are told of every event, in both forms, with what happened', async () => {
    changeConfig({
      hooks: ownNames.map((event) => ({ event, command: keep('own', event) })),
      max_retries: 1,
      model_routing: { fallback: [refOf('google')], fallback_after: 2 },
    });
    writeFileSync(path.join(repo.folder, 'AGENTS.md'), 'Be brief.');
    writeProjectHooks(nested(claudeNames));
    // Only what the person trusted runs; of Claude's form, from the first event on.
    expect((await runLlmcode(['config', 'trust'], { home, cwd: repo.folder })).code).toBe(0);

    scripts.local = [
      overloaded,
      calls('read_file', { path: 'not-there.txt' }),
      calls('write_file', { path: 'notes.txt', content: 'one\n' }, 4_800),
      says('Written.', 0),
      calls('write_file', { path: 'notes.txt', content: 'two\n' }, 4_800),
      says('Then not.', 4_800),
      says('A summary of it all.'),
    ];
    scripts.claude = [says('Fine.'), { status: 401, message: 'bad key' }];
    scripts.google = [says('I take over.'), { parts: [{ text: 'No' }], finish: 'content-filter' }];
    const { session, port, view, turn } = open();
    await view.answerAll('once');
    await turn('write notes');
    await view.answerAll('reject');
    await turn('write them again');
    port.handle.submit({ kind: 'shell', command: 'echo out' });
    port.handle.submit({ kind: 'shell', command: 'false' });
    await port.runCommand('/mode prompt');
    await consult(port, 'Is it good?');
    await view.until(({ consults, messages }) => consults.length === 0 && rounds(messages) === 1);
    await consult(port, 'Is it really?');
    await view.until(({ consults, messages }) => consults.length === 0 && rounds(messages) === 2);
    await port.runCommand('/config set max_steps 50');
    port.handle.submit({ kind: 'compact' });
    await view.until(({ compaction }) => compaction !== null);
    await turn('go on');
    await turn('and on');
    const { threadId } = port.handle;
    await session.close();
    sessions.splice(0);

    const own = seen('own');
    const claude = seen('claude');
    expect(firstNames.filter((name) => !own.has(name))).toEqual([]);
    expect(ownNames.filter((name) => !own.has(name))).toEqual([]);
    expect(claudeNames.filter((name) => !claude.has(name))).toEqual([]);
    for (const def of hookEvents)
      for (const [form, names, kind] of [
        [own, def.names, 'fields'],
        [claude, def.claudeNames, 'claudeFields'],
      ] as const)
        for (const name of names) {
          const promised = def.samples
            .filter((sample) => def.isAbout(sample, name))
            .map((sample) => Object.keys(def[kind](sample, { cwd: '', isResumed: false })));
          const told = form.get(name)?.[0] ?? {};
          const always = (promised[0] ?? []).filter((key) => promised.every((keys) => keys.includes(key)));
          const optional = ['suggested_rule', 'reason', 'status', 'error'];
          expect(Object.keys(told), name).toEqual(
            expect.arrayContaining(always.filter((key) => !optional.includes(key))),
          );
          expect(told, name).toMatchObject({ session_id: expect.any(String), cwd: repo.folder });
        }
    expect(own.get('tool_denied')?.[0]).toMatchObject({
      schema_version: 1,
      session_id: threadId,
      mode: 'prompt',
      tool: 'write_file',
      input: { path: 'notes.txt', content: 'two\n' },
    });
    expect(claude.get('PermissionRequest')?.[0]).toMatchObject({
      permission_mode: 'default',
      transcript_path: expect.stringContaining(threadId),
      tool_name: 'Write',
      tool_input: { file_path: path.join(repo.folder, 'notes.txt'), content: expect.any(String) },
    });
    expect(own.get('http_retry')?.[0]).toMatchObject({ attempt: 2, model: refOf('local') });
    expect(own.get('http_fallback')?.[0]).toMatchObject({ to: refOf('google') });
    expect(own.get('agent_complete')?.[0]).toMatchObject({ text: 'Fine.', agent_type: 'peer' });
    const commands = own.get('pre_command')?.map(({ command }) => command);
    expect(commands).toEqual(expect.arrayContaining(['/mode prompt', '!echo out', '!false']));
    const sources = own.get('session_start')?.map(({ source }) => source);
    expect(sources).toEqual(expect.arrayContaining(['startup', 'compact']));
  }, 60_000);

  it('have a sample for every name', () => {
    for (const def of hookEvents)
      for (const name of [...def.names, ...def.claudeNames])
        expect(
          def.samples.some((sample) => def.isAbout(sample, name)),
          name,
        ).toBe(true);
    expect(new Set(sampleNames).size).toBe(sampleNames.length);
  });
});

const rounds = (messages: ThreadState['messages']) =>
  messages.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'consult').length;
