import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InteractiveSession } from '#app/session/interactive-session.ts';
import { createSessionPort } from '#app/session/session-port.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ConsultPart } from '#protocol/message.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { fakeHost, runLlmcode } from '../../support/app/run-llmcode.ts';
import { ThreadView } from '../../support/app/thread-view.ts';
import { type FourVendors, refOf, startFourVendors, type VendorId } from '../../support/e2e/four-vendors.ts';
import { type SampleRepo, sampleRepo } from '../../support/e2e/sample-repo.ts';
import type { ServerScript, ServerStep } from '../../support/model-servers/index.ts';

let four: FourVendors;
let home: string;
let repo: SampleRepo;
let scripts: Partial<Record<VendorId, ServerScript>>;
const sessions: InteractiveSession[] = [];

beforeEach(async () => {
  scripts = {};
  repo = sampleRepo();
  four = await startFourVendors((vendor) => async (request, index) => {
    const script = scripts[vendor] ?? [];
    if (typeof script === 'function') return script(request, index);
    return script[index] ?? { status: 500, message: 'no step' };
  });
  home = four.newHome();
});

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  expect(four.violations()).toEqual([]);
  await four.close();
  repo.remove();
});

const says = (text: string): ServerStep => ({ parts: [{ text }] });

function open(permissionMode: PermissionMode = 'prompt') {
  const { host } = fakeHost(['x'], { home, cwd: repo.folder });
  const session = new InteractiveSession({
    host,
    flags: { permissionMode },
    cwd: repo.folder,
    mode: permissionMode,
  });
  sessions.push(session);
  const port = createSessionPort(session, { theme: 'auto', mode: permissionMode });
  const view = new ThreadView(port.handle);
  session.begin();
  const say = (text: string) => port.handle.submit({ kind: 'prompt', text, images: [], delivery: 'steer' });
  return { session, port, view, say };
}

function reviewIn(outcome: CommandOutcome) {
  if (outcome.kind !== 'consult-review') throw new Error(`no review: ${JSON.stringify(outcome)}`);
  return outcome.review;
}

const blocks = ({ messages }: ThreadState): ConsultPart[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'consult' ? [part] : [])));
const isIdle = ({ turnId, messages }: ThreadState) => turnId === null && messages.length > 0;
const sentTo = (vendor: VendorId) => JSON.stringify(four.servers[vendor].requests.map(({ body }) => body));

describe('/consult', () => {
  it('counts for the budget of the run, for the thread and in what is shown', async () => {
    const file = path.join(home, 'config.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.providers.claude.models['claude-sonnet-4-5'].price = { input: 3, output: 15 };
    writeFileSync(file, JSON.stringify({ ...config, max_budget_usd: { run: 0.272 } }));
    scripts.claude = () => ({ parts: [{ text: 'Mine.' }], usage: { input: 90_000, output: 100 } });
    const { port, view } = open();
    for (const round of [1, 2]) {
      const review = reviewIn(await port.runCommand(`/consult ${refOf('claude')} and @gone.txt @src why?`));
      expect(review.unattached?.map(({ name }) => name)).toEqual(['gone.txt', 'src']);
      await port.runCommand(`/consult send ${review.id}`);
      await view.until((state) => blocks(state).length === round);
    }
    const { totals } = view.state;
    expect(four.servers.claude.requests).toHaveLength(1);
    expect(blocks(view.state).at(-1)).toMatchObject({ status: 'failed', usage: null });
    expect(JSON.stringify(blocks(view.state).at(-1))).toContain('max_budget_usd.run');
    expect(totals).toMatchObject({ steps: 0, costUsd: 0, peers: { rounds: 1, unpriced: false } });
    expect(totals.peers?.costUsd).toBeGreaterThan(0.2);
    expect(JSON.stringify(await port.runCommand('/cost'))).toMatch(
      /peers asked from it: \$0\.\d+ · 1 answer/,
    );
  });

  it('shows what it sends, asks beside the running turn, and keeps the answer from the model', async () => {
    const turn = Promise.withResolvers<void>();
    scripts.local = [
      { parts: [{ text: 'Working' }, { wait: turn.promise }, { text: ' done.' }] },
      says('Next.'),
    ];
    scripts.claude = [says('The sum starts at 1.')];
    const { port, view, say } = open();
    say('my private plan');
    await view.until(({ live }) => live !== null);
    const review = reviewIn(
      await port.runCommand(`/consult ${refOf('claude')} -t arch What of @src/total.mjs?`),
    );
    expect(review).toMatchObject({
      seats: [{ peer: refOf('claude'), thread: 'arch', round: 1, isLocal: true, costUsd: 0 }],
      attachments: [{ kind: 'file', name: 'src/total.mjs', isOutside: false }],
      secrets: [],
    });
    expect(four.servers.claude.requests).toHaveLength(0);
    await port.runCommand(`/consult send ${review.id}`);
    await view.until((state) => blocks(state).length === 1);
    expect(view.state.live).not.toBeNull();
    expect(view.state.consults).toEqual([]);
    expect(blocks(view.state)[0]).toMatchObject({
      peer: refOf('claude'),
      thread: 'arch',
      round: 1,
      status: 'answered',
      question: 'What of @src/total.mjs?',
      text: 'The sum starts at 1.',
      costUsd: 0,
    });
    const [request] = four.servers.claude.requests;
    expect(request?.body.messages).toEqual([
      { role: 'user', content: [expect.objectContaining({ text: review.text })] },
    ]);
    expect(sentTo('claude')).not.toContain('private plan');
    turn.resolve();
    await view.until(isIdle);
    say('and now?');
    await four.servers.local.received(2);
    await view.until(isIdle);
    expect(sentTo('local')).not.toContain('starts at 1');
    // A draft is sent once.
    await expect(port.runCommand(`/consult send ${review.id}`)).rejects.toThrow('waits to be sent');
  });

  it('goes on through an interrupt, is stopped by name, and ends with the session', async () => {
    scripts.claude = [{ stall: true }, { stall: true }];
    const { session, port, view } = open();
    const ask = async (line: string) =>
      port.runCommand(`/consult send ${reviewIn(await port.runCommand(line)).id}`);
    await ask(`/consult ${refOf('claude')} -t arch q`);
    await four.servers.claude.received(1);
    port.handle.submit({ kind: 'interrupt' });
    await view.until(({ consults }) => consults.length === 1);
    await port.runCommand('/consult stop arch');
    await view.until((state) => blocks(state).length === 1);
    expect(blocks(view.state)[0]).toMatchObject({ status: 'stopped', error: { code: 'chat_cancelled' } });
    await ask('/consult reply arch again');
    await four.servers.claude.received(2);
    await session.close();
    await view.until((state) => blocks(state).length === 2);
    const shown = await runLlmcode(['consult', 'show', 'arch', '--json'], { home, cwd: repo.folder });
    expect(JSON.parse(shown.stdout).rounds).toMatchObject([
      { round: 1, status: 'stopped', question: 'q' },
      { round: 1, status: 'stopped', question: 'again' },
    ]);
  });

  it('asks all that are marked but the model one talks to, and says in another thread when they have answered', async () => {
    const answer = Promise.withResolvers<void>();
    scripts.local = [says('Hello.')];
    scripts.claude = [{ parts: [{ text: 'One.' }], before: answer.promise }];
    scripts.google = [{ parts: [{ text: 'Two.' }], before: answer.promise }];
    const { port, view, say } = open();
    say('hello');
    await view.until(isIdle);
    for (const id of ['local', 'claude', 'google'] as const) {
      const [provider = '', model = ''] = refOf(id).split('/');
      await port.markFavourite({ provider, model }, { isFavourite: true });
    }
    await expect(port.runCommand('/consult all --diff q')).rejects.toThrow('no changes to send');
    const review = reviewIn(await port.runCommand('/consult all q'));
    expect(review.seats.map(({ peer }) => peer).sort()).toEqual([refOf('claude'), refOf('google')]);
    await port.runCommand(`/consult send ${review.id}`);
    await view.until(({ consults }) => consults.length === 2);
    const outcome = await port.runCommand('/clear');
    if (outcome.kind !== 'attach') throw new Error('not attached');
    const next = new ThreadView(outcome.handle);
    answer.resolve();
    await next.until(({ messages }) => JSON.stringify(messages).split('has answered in').length === 3);
    expect(blocks(next.state)).toEqual([]);
  });
});

describe('consult_peer', () => {
  const asking = (input: object): ServerStep => ({ parts: [{ call: 'consult_peer', input }] });
  const question = { peer: refOf('claude'), prompt: 'Is the sum right?', files: ['src/total.mjs'] };

  it('asks the person with what would be sent, even where the mode asks nothing, and brings back attributed words', async () => {
    scripts.local = [asking(question), says('They say no.')];
    scripts.claude = [says('No: it starts at 1.')];
    const { view, say } = open('auto_accept');
    say('check with another model');
    await view.until(({ permissions }) => permissions.length === 1);
    const [request] = view.state.permissions;
    expect(request).toMatchObject({ tool: 'consult_peer', reasons: [{ check: 'other-provider' }] });
    const shown = request?.view?.kind === 'text' ? request.view.text : '';
    for (const part of [
      `to        ${refOf('claude')}`,
      'about',
      'free',
      'Is the sum right?',
      'reduce((all, item)',
    ])
      expect(shown).toContain(part);
    expect(request?.suggestedRule).toBeUndefined();
    expect(four.servers.claude.requests).toHaveLength(0);
    // What was shown is what is sent.
    writeFileSync(repo.file('src/total.mjs'), 'changed meanwhile\n');
    await view.answerAll('once');
    await view.until(isIdle);
    expect(sentTo('claude')).toContain('reduce((all, item)');
    expect(sentTo('local')).toContain('<peer-answer peer=');
    expect(sentTo('local')).toContain('No: it starts at 1.');
  });

  it('is refused in plan mode and where nobody can be asked, and never sends a secret', async () => {
    writeFileSync(repo.file('notes.txt'), 'sk-abcdefghijklmnopqrstuvwx0123');
    scripts.local = [
      asking(question),
      says('Refused.'),
      asking({ ...question, files: ['notes.txt'] }),
      says('Secret.'),
    ];
    const plan = open('plan');
    plan.say('check with another model');
    await plan.view.until(isIdle);
    expect(sentTo('local')).toContain('gets the question and what is attached');
    const run = (...args: string[]) => runLlmcode(['-p', 'check', ...args], { home, cwd: repo.folder });
    expect(await run('--allowed-tools', 'consult_peer')).toMatchObject({ code: 0 });
    expect(sentTo('local')).toContain('Nothing was sent, it holds secrets: provider-key in notes.txt:1');
    expect(four.servers.claude.requests).toHaveLength(0);
  });

  it('says what is wrong before anybody is asked, and is told when it asks itself', async () => {
    scripts.local = [
      asking({ prompt: 'Is the sum right?', peer: ' ' }),
      asking({ prompt: 'Is the sum right?', peer: 'nowhere/x' }),
      asking({ prompt: 'Is the sum right?', peer: refOf('local') }),
      says('No, says the peer.'),
      says('I agree with myself.'),
    ];
    const { view, say } = open();
    say('check with another model');
    await view.until(({ permissions }) => permissions.length === 1);
    const told = sentTo('local');
    expect(told).toContain('give either peer (provider/model), to begin, or thread');
    expect(told).toMatch(/There is no model .{0,4}nowhere\/x.{0,4}\. There are [^;]*; /);
    expect(told).toContain(refOf('claude'));
    const [request] = view.state.permissions;
    expect(request?.view).toMatchObject({ text: expect.stringContaining('is the model that asks') });
    await view.answerAll('once');
    await view.until(isIdle);
    expect(sentTo('local')).toContain('is the model that asks, not another one');
  });

  it('is not offered where nobody can be asked and no rule allows it', async () => {
    const offered = async (...args: string[]) => {
      scripts.local = () => says('Done.');
      await runLlmcode(['-p', 'check', ...args], { home, cwd: repo.folder });
      const tools: { function: { name: string } }[] = four.servers.local.requests.at(-1)?.body.tools ?? [];
      return tools.map((tool) => tool.function.name).filter((name) => name === 'consult_peer');
    };
    expect(await offered()).toEqual([]);
    expect(await offered('--allowed-tools', 'consult_peer')).toEqual(['consult_peer']);
  });
});
