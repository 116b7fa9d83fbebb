import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionFlags } from '#app/cli/flags.ts';
import { InteractiveSession } from '#app/session/interactive-session.ts';
import { createSessionPort } from '#app/session/session-port.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { fakeHost } from '../../support/app/run-llmcode.ts';
import { ThreadView } from '../../support/app/thread-view.ts';
import { llmcodeHome } from '../../support/e2e/home.ts';

const started = headlessTests();
const sessions: InteractiveSession[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

type Asked = { flags?: SessionFlags; env?: Record<string, string> };

/** A session with a screen that does nothing but look. */
function open(place: { home: string; cwd: string; env?: Record<string, string> }, flags: SessionFlags = {}) {
  const session = new InteractiveSession({
    host: fakeHost(['x'], place).host,
    flags,
    cwd: place.cwd,
    mode: 'prompt',
  });
  sessions.push(session);
  const port = createSessionPort(session, { theme: 'auto', mode: 'prompt' });
  const view = new ThreadView(port.handle);
  session.begin();
  return { session, port, view };
}

function attached(outcome: CommandOutcome): EngineHandle {
  if (outcome.kind !== 'attach') throw new Error(`not attached: ${JSON.stringify(outcome)}`);
  return outcome.handle;
}

const say = (handle: EngineHandle, text: string) =>
  handle.submit({ kind: 'prompt', text, images: [], delivery: 'steer' });

const lastText = (state: ThreadState): string =>
  state.messages
    .flatMap((message) => message.parts)
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .at(-1) ?? '';

const notices = (state: ThreadState): string[] =>
  state.messages
    .flatMap((message) => message.parts)
    .flatMap((part) => (part.kind === 'notice' ? [part.text] : []));

describe('an interactive session', () => {
  it('answers with the configured model', async () => {
    const place = await started([{ parts: [{ text: 'hello back' }] }]);
    const { port, view } = open(place);
    say(port.handle, 'hello');
    await view.until((state) => state.lastTurnEnd?.reason === 'done');
    expect(lastText(view.state)).toBe('hello back');
    expect(await port.needsModel).toBe(false);
  });

  it('begins anew with /clear and comes back with /resume', async () => {
    const place = await started([{ parts: [{ text: 'one' }] }, { parts: [{ text: 'two' }] }]);
    const { port, view } = open(place);
    say(port.handle, 'alpha');
    await view.until((state) => state.lastTurnEnd?.reason === 'done');
    const firstId = port.handle.threadId;

    const second = attached(await port.runCommand('/clear'));
    const secondView = new ThreadView(second);
    expect(second.threadId).not.toBe(firstId);
    say(second, 'second');
    await secondView.until((state) => state.lastTurnEnd?.reason === 'done');
    expect(JSON.stringify(place.server.requests[1]?.body.messages)).not.toContain('alpha');

    expect((await port.threads()).map((thread) => thread.title)).toEqual(['second', 'alpha']);
    const again = attached(await port.openThread(firstId));
    const againView = new ThreadView(again);
    await againView.until((state) => state.threadId === firstId);
    expect(lastText(againView.state)).toBe('one');
  });

  it('says what is wrong with the settings, keeps the prompt, and goes on when they are right', async () => {
    const place = await started([{ parts: [{ text: 'here' }] }]);
    const file = path.join(place.home, 'config.json');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, '{"modle": "x"}');
    const { port, view } = open(place);
    say(port.handle, 'first');
    await view.until((state) => notices(state).some((text) => text.includes("did you mean 'model'?")));
    writeFileSync(file, good);
    say(port.handle, 'second');
    await view.until((state) => lastText(state) === 'here');
    expect(JSON.stringify(view.state.messages)).toContain('first');
  });

  it('takes a configured model that is not known for a reason to ask', async () => {
    const place = await started([], () => ({ model: 'nowhere/at-all' }));
    const { port, view } = open(place);
    expect(await port.needsModel).toBe(true);
    await view.until((state) => notices(state).length > 0);
    expect(notices(view.state)[0]).toContain('nowhere/at-all');
  });
});

describe('the first run', () => {
  const withoutModel = (url: string, models: object) => ({
    model: undefined,
    providers: { local: { type: 'openai-compatible', base_url: url, api_key: 'k', models } },
  });

  it('takes the only model there is and says why', async () => {
    const place = await started([], (url) => withoutModel(url, { only: {} }));
    const { port, view } = open(place);
    expect(await port.needsModel).toBe(false);
    await view.until((state) => state.model?.model === 'only');
    expect(notices(view.state)[0]).toContain('the only model found');
  });

  it('asks when there are several, and remembers the choice', async () => {
    const place = await started([], (url) => withoutModel(url, { one: {}, two: {} }));
    const { port } = open(place);
    expect(await port.needsModel).toBe(true);
    let choices: readonly ModelChoice[] = [];
    for await (const list of port.modelChoices(new AbortController().signal)) choices = list;
    expect(choices.map((choice) => choice.ref.model)).toEqual(expect.arrayContaining(['one', 'two']));
    const chosen = await port.chooseModel({ provider: 'local', model: 'two' });
    expect(chosen).toMatchObject({
      kind: 'action',
      action: { kind: 'switch-model', model: { model: 'two' } },
    });

    const next = open(place);
    expect(await next.port.needsModel).toBe(false);
    await next.view.until((state) => state.model?.model === 'two');
  });

  it('adds a provider with the name of its key, never the key, and keeps comments', async () => {
    const place = await started([]);
    const file = path.join(place.home, 'config.json');
    writeFileSync(file, '{\n  // no servers here\n  "local_servers": false\n}\n');
    const { port, view } = open(place);
    expect(await port.needsModel).toBe(true);
    const draft = { id: 'mine', baseUrl: place.server.url, model: 'm', apiKeyEnv: 'MY_KEY' };
    expect(port.previewProvider?.(draft).text).toContain('"api_key_env": "MY_KEY"');
    expect(await port.addProvider(draft)).toMatchObject({
      action: { model: { provider: 'mine', model: 'm' } },
    });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('// no servers here');
    expect(text).toContain('"api_key_env": "MY_KEY"');
    await view.until((state) => notices(state).some((each) => each.includes('MY_KEY is not set')));
  });

  it('leads into the demo, which works on a copy', async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'llmcode-cwd-'));
    const { port, session } = open({ home: llmcodeHome([]), cwd });
    expect(await port.needsModel).toBe(true);
    const handle = attached(await port.startDemo());
    const view = new ThreadView(handle);
    expect(session.cwd).toContain('corner-shop');
    expect(existsSync(path.join(session.cwd, 'src/cart.js'))).toBe(true);
    say(handle, 'fix the failing test');
    await view.answerAll('once');
    await view.until((state) => state.lastTurnEnd?.reason === 'done', 25_000);
    expect(lastText(view.state)).toContain('all 6 tests pass');
    expect(view.state.model?.model).toBe('demo (offline, scripted)');
  }, 30_000);
});

describe('switching in mid-session', () => {
  const twoProviders = (url: string) => ({
    providers: {
      local: { type: 'openai-compatible', base_url: url, api_key: 'k', models: { 'test-model': {} } },
      vendor: { type: 'openai-compatible', base_url: url, local: false, models: { big: {} } },
    },
  });
  const choices = ({ home }: { home: string }) => {
    const file = path.join(home, 'choices.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  };

  it('shows what it means where there is something to lose, and remembers what was used and marked', async () => {
    const place = await started([{ parts: [{ text: 'hello' }] }], twoProviders);
    const { port, view } = open(place);
    await view.until((state) => state.model !== null);
    const vendor = { provider: 'vendor', model: 'big' };
    // Nothing was said yet: nothing to ask.
    expect(await port.runCommand('/model local/test-model')).toMatchObject({ kind: 'action' });
    say(port.handle, 'hello');
    await view.until((state) => state.lastTurnEnd?.reason === 'done');
    expect(await port.runCommand('/model vendor/big')).toMatchObject({
      kind: 'preflight',
      preflight: { info: { ref: vendor }, fit: 'fits', firstCallUsd: null, leavesMachine: true },
    });
    expect(view.state.model?.provider).toBe('local');
    await port.chooseModel(vendor, { compactFirst: false });
    await port.markFavourite(vendor, { isFavourite: true });
    expect(await port.modelMarks()).toEqual({
      recent: [vendor, { provider: 'local', model: 'test-model' }],
      favourites: [vendor],
    });
    await expect(port.runCommand('/model nowhere/x')).rejects.toThrow('There is no model');
  });

  it.each([
    ['a flag', { flags: { model: 'vendor/big' } }],
    ['a variable', { env: { LLMCODE_MODEL: 'vendor/big' } }],
  ])('the model of %s is for this run alone', async (_from, { flags = {}, env = {} }: Asked) => {
    const place = await started([], twoProviders);
    const config = readFileSync(path.join(place.home, 'config.json'), 'utf8');
    const { port, view } = open({ ...place, env }, flags);
    await view.until((state) => state.model?.model === 'big');
    expect(choices(place)).toEqual({});
    // Nor does a choice in that run become the model of later ones.
    await port.chooseModel({ provider: 'local', model: 'test-model' });
    expect(choices(place)).toEqual({ recentModels: ['local/test-model'] });
    expect(readFileSync(path.join(place.home, 'config.json'), 'utf8')).toBe(config);
  });

  it('asks the server of a new provider what it has', async () => {
    const place = await started([]);
    const { port } = open(place);
    const { signal } = new AbortController();
    const draft = { id: 'mine', baseUrl: place.server.url, apiKeyEnv: '' };
    expect(await port.providerModels(draft, signal)).toEqual([]);
    const gone = { ...draft, baseUrl: 'http://127.0.0.1:9/v1' };
    await expect(port.providerModels(gone, signal)).rejects.toThrow();
  });
});

describe('settings of a running session', () => {
  it('follow the file', async () => {
    const place = await started([]);
    const { port, session, view } = open(place);
    await view.until((state) => state.threadId !== '');
    const pushed = firstOf(port);
    const file = path.join(place.home, 'config.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(
      file,
      JSON.stringify({ ...settings, theme: 'light', model_aliases: { quick: 'local/test-model' } }),
    );
    expect(await pushed).toEqual({ kind: 'theme', theme: 'light' });
    await view.until((state) => notices(state).some((text) => text.includes('theme')));
    const composition = await session.composition();
    expect(await composition.catalogue.resolve('quick')).toMatchObject({ model: 'test-model' });
  });

  it('follow a file that was not there before', async () => {
    const place = await started([]);
    const { port, session, view } = open(place);
    await view.until((state) => state.threadId !== '');
    const pushed = firstOf(port);
    mkdirSync(path.join(place.cwd, '.llmcode'));
    const save = () =>
      writeFileSync(path.join(place.cwd, '.llmcode/config.json'), '{"permissions": {"deny": ["Bash(ls)"]}}');
    save();
    // A busy machine may still be setting up the watch: what falls between is seen when it is saved again.
    const savings = setInterval(save, 1_000);
    await view
      .until((state) => notices(state).some((text) => text.includes('permissions')))
      .finally(() => clearInterval(savings));
    const gate = (await session.composition()).createGate();
    expect(
      gate.decide({
        tool: 'bash',
        effect: 'exec',
        input: { command: 'ls' },
        mode: 'prompt',
        resources: [{ kind: 'command', command: 'ls', cwd: place.cwd }],
      }).decision,
    ).toBe('deny');
    await session.close();
    expect(await pushed).toBeUndefined();
  });

  it('of the project count once it is trusted', async () => {
    const place = await started([]);
    mkdirSync(path.join(place.cwd, '.llmcode'));
    writeFileSync(
      path.join(place.cwd, '.llmcode/config.json'),
      '{"model_aliases": {"theirs": "local/test-model"}}',
    );
    const { port, view, session } = open(place);
    await view.until((state) => notices(state).some((text) => text.includes('is not trusted')));
    const { catalogue } = await session.composition();
    await expect(catalogue.resolve('theirs')).rejects.toThrow();
    expect(await port.runCommand('/trust')).toMatchObject({ text: expect.stringContaining('model_aliases') });
    expect(await catalogue.resolve('theirs')).toMatchObject({ model: 'test-model' });
  });

  it('are shown with where they come from', async () => {
    const place = await started([]);
    const { port } = open(place);
    const rows = await port.settings();
    expect(rows).toContainEqual({
      key: 'model',
      value: '"local/test-model"',
      origin: path.join(place.home, 'config.json'),
    });
    expect(rows.find((row) => row.key === 'providers.local.api_key')?.value).toBe('"•••"');
  });

  it('remember a theme beside the config', async () => {
    const place = await started([]);
    const { port } = open(place);
    expect(await port.runCommand('/theme dark')).toEqual({ kind: 'theme', theme: 'dark' });
    expect((await port.settings()).find((row) => row.key === 'theme')).toEqual({
      key: 'theme',
      value: '"dark"',
      origin: path.join(place.home, 'choices.json'),
    });
  });
});

async function firstOf({ pushed }: ScreenPort): Promise<CommandOutcome | undefined> {
  for await (const outcome of pushed ?? []) return outcome;
  return undefined;
}
