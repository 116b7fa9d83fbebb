import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { armedKeyRow } from '../support/e2e/answer-dialog.ts';
import {
  callsIn,
  type FourVendors,
  imagesIn,
  refOf,
  startFourVendors,
  type VendorId,
  vendors,
} from '../support/e2e/four-vendors.ts';
import { threadLogs } from '../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import type { AnswerPart, ServerScript } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;
let four: FourVendors | undefined;

afterEach(async () => {
  await session?.end();
  await four?.close();
  repo?.remove();
});

/** One transparent pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Every signature of the strict servers begins with the API that made it. */
const signatureBy = (api: string) => new RegExp(`"${api}\\.[\\w-]{43}"`);

/** Looks at a picture and a file when it is asked to look, and answers when it has seen them. */
function looker(vendor: VendorId, before: () => readonly AnswerPart[] = () => []): ServerScript {
  let looks = 0;
  return ({ body }) => {
    const text = JSON.stringify(body);
    const hasSeen = text.lastIndexOf('reduce((all, item)') > text.lastIndexOf('please look');
    if (hasSeen) return { parts: [{ reasoning: 'Now I know.' }, { text: `Seen by ${vendor} (${looks}).` }] };
    looks += 1;
    return {
      parts: [
        { reasoning: `I am ${vendor} and should look at both.` },
        { text: `Looking, says ${vendor}.` },
        ...before(),
        { call: 'read_file', input: { path: 'shot.png' } },
        { call: 'read_file', input: { path: 'src/total.mjs', limit: 2 + looks } },
      ],
    };
  };
}

async function startedSession(scriptFor: (vendor: VendorId) => ServerScript): Promise<{
  terminal: TerminalSession;
  servers: FourVendors['servers'];
}> {
  repo = sampleRepo();
  writeFileSync(repo.file('shot.png'), Buffer.from(pixel, 'base64'));
  four = await startFourVendors(scriptFor);
  session = new TerminalSession({
    cwd: repo.folder,
    env: { LLMCODE_HOME: four.newHome() },
    args: ['--permission-mode', 'auto_accept'],
    columns: 110,
    rows: 40,
  });
  await session.waitFor(/test-model · local/);
  return { terminal: session, servers: four.servers };
}

/** Types a line and sends it once it stands there. */
async function say(terminal: TerminalSession, line: string): Promise<void> {
  terminal.type(line);
  await terminal.waitFor(line);
  terminal.press('enter');
}

const statusOf: Readonly<Record<VendorId, RegExp>> = {
  local: /test-model · local/,
  claude: /claude-sonnet-4-5 high · claude/,
  google: /gemini-3-pro-preview · google/,
  responses: /gpt-5 medium · responses/,
};

async function switchTo(terminal: TerminalSession, id: VendorId): Promise<void> {
  const effort = { local: '', claude: '#high', google: '', responses: '#medium' }[id];
  await say(terminal, `/model ${refOf(id)}${effort}`);
  // While the model before it still answers, the next one stands behind an arrow.
  const { model } = vendors.find((vendor) => vendor.id === id) ?? vendors[0];
  const isDone = (screen: string) => statusOf[id].test(screen) || screen.includes(`→ ${model}`);
  await terminal.waitFor((screen) => isDone(screen) || screen.includes('Enter switch'));
  if (isDone(terminal.screen())) return;
  await confirmSwitch(terminal);
  await terminal.waitFor(isDone);
}

/** A model that costs more is asked about. */
async function confirmSwitch(terminal: TerminalSession): Promise<void> {
  await armedKeyRow(terminal, 'Enter switch');
  expect(terminal.screen()).toMatch(/first call {2}about \$0\.0\d+, nothing cached/);
  terminal.press('enter');
}

describe('/model in mid-session', () => {
  it('carries calls, reasoning and images through all four APIs and back, each in its own valid form', async () => {
    const { terminal, servers } = await startedSession((vendor) => looker(vendor));
    let turns = 0;
    const look = async (id: VendorId, round: number) => {
      turns += 1;
      await say(terminal, `please look, turn ${turns}`);
      await terminal.waitFor(`Seen by ${id} (${round}).`);
      await terminal.waitFor((screen) => !/esc stops/.test(screen));
    };

    await look('local', 1);
    await switchTo(terminal, 'claude');
    await look('claude', 1);
    await switchTo(terminal, 'local');
    await look('local', 2);

    // Once through the picker: the first match of what is typed is chosen.
    await say(terminal, '/model');
    await terminal.waitFor('type to filter');
    terminal.type('3-pro');
    await terminal.waitFor(/❯.*gemini-3-pro-preview/);
    terminal.press('enter');
    await confirmSwitch(terminal);
    await terminal.waitFor(statusOf.google);
    await look('google', 1);
    await switchTo(terminal, 'responses');
    await look('responses', 1);
    await switchTo(terminal, 'claude');
    await look('claude', 2);
    await switchTo(terminal, 'google');
    await look('google', 2);
    await switchTo(terminal, 'responses');
    await look('responses', 2);
    await switchTo(terminal, 'local');
    await look('local', 3);

    expect(four?.violations()).toEqual([]);
    const lastTurnOf = { local: 9, claude: 6, google: 7, responses: 8 };
    for (const { id, api } of vendors) {
      const last = JSON.stringify(servers[id].requests.at(-1)?.body);
      expect({ id, calls: callsIn(api, JSON.parse(last)) }).toEqual({ id, calls: lastTurnOf[id] * 2 });
      const images = imagesIn(api, JSON.parse(last));
      expect({ id, images: images.length }).toEqual({ id, images: lastTurnOf[id] });
      expect(new Set(images)).toEqual(new Set([pixel]));
      for (const word of ['reduce((all, item)', 'Seen by local (1).', 'Seen by claude (1).'])
        expect(last).toContain(word);
      // What a model signed goes back to it, and to no other.
      for (const other of vendors)
        if (other.id !== 'local')
          expect({ to: id, of: other.id, sent: signatureBy(other.api).test(last) }).toEqual({
            to: id,
            of: other.id,
            sent: other.id === id,
          });
    }
    const [log = []] = threadLogs(terminal.home);
    expectSoundLog(log);
    expect(log.filter(({ kind }) => kind === 'turn-end').map(({ reason }) => reason)).toEqual(
      Array.from({ length: 9 }, () => 'done'),
    );
    expect(log.filter(({ kind }) => kind === 'model-switched')).toHaveLength(9);
    const file = readFileSync(`${terminal.home}/config.json`, 'utf8');
    expect(JSON.parse(file).model).toBe('local/test-model');
  });

  it('takes effect before the next model call of a turn that runs, whether text streams or a tool runs', async () => {
    const gates = new Map(vendors.map(({ id }) => [id, Promise.withResolvers<void>()]));
    const { terminal, servers } = await startedSession((vendor) =>
      looker(vendor, () =>
        vendor === 'google'
          ? [{ call: 'bash', input: { command: 'until [ -e go ]; do sleep 0.05; done' } }]
          : [{ wait: gates.get(vendor)?.promise ?? Promise.resolve() }],
      ),
    );
    const order: readonly VendorId[] = ['local', 'claude', 'google', 'responses'];
    for (const [index, id] of order.entries()) {
      const next = order[(index + 1) % order.length] ?? 'local';
      await say(terminal, `please look, turn ${index + 1}`);
      await terminal.waitFor(id === 'google' ? /running until/ : `Looking, says ${id}.`);
      await switchTo(terminal, next);
      expect(terminal.screen()).toContain('esc stops');
      if (id === 'google') writeFileSync(path.join(repo?.folder ?? '', 'go'), '');
      gates.get(id)?.resolve();
      await terminal.waitFor(new RegExp(`Seen by ${next} \\(${next === 'local' ? 1 : 0}\\)`));
      await terminal.waitFor((screen) => !/esc stops/.test(screen));
    }
    expect(four?.violations()).toEqual([]);
    for (const [index, { id, api }] of vendors.entries()) {
      const requests = servers[id].requests;
      expect({ id, requests: requests.length }).toEqual({ id, requests: 2 });
      // What a vendor gets first, but for the one that the session began with, is the middle of another's turn.
      const [first] = requests.slice(index === 0 ? 1 : 0);
      const turns = index === 0 ? 4 : index;
      expect(callsIn(api, first?.body)).toBe(turns * 2 + (turns >= 3 ? 1 : 0));
      expect(imagesIn(api, first?.body)).toEqual(Array.from({ length: turns }, () => pixel));
    }
    const [log = []] = threadLogs(terminal.home);
    expectSoundLog(log);
    expect(log.filter(({ kind }) => kind === 'turn-end')).toMatchObject(
      Array.from({ length: 4 }, () => ({ reason: 'done', steps: 2 })),
    );
  });
});
