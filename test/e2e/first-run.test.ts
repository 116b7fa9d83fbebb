import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answerDialog, armedKeyRow } from '../support/e2e/answer-dialog.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { darkColors } from '../support/pty/screen-svg.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';
import { projectRoot } from '../support/source-files.ts';

let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;

afterEach(async () => {
  await session?.end();
  repo?.remove();
});

describe('the first start with an empty home', () => {
  it('offers the offline demo, which leads to a passing test in the sample project', async () => {
    repo = sampleRepo();
    session = new TerminalSession({ cwd: repo.folder, columns: 100, rows: 30 });
    await session.waitFor('Which model should work here?');
    await session.waitFor('add a provider');
    await session.waitUntilGone('looking for servers');
    picture(session, 'first-run');

    await armedKeyRow(session, 'Enter choose');
    session.type('demo');
    await session.waitFor(/❯ offline demo/);
    session.press('enter');
    await session.waitFor('demo (offline, scripted)');
    await session.waitFor('say what to do');

    session.type('fix the failing test');
    await session.waitFor('fix the failing test');
    session.press('enter');
    await session.waitFor('bash wants to run');
    picture(session, 'permission-command');
    await answerDialog(session, 'y', 'bash wants to run');

    await session.waitFor('edit_file wants to change');
    picture(session, 'permission-edit');
    const cart = () => readFileSync(path.join(scratchFolder(session), 'src/cart.js'), 'utf8');
    const couponFirst = (text: string) => text.indexOf('coupon.share') < text.indexOf('giftCard.amount');
    expect(couponFirst(cart())).toBe(false);
    await answerDialog(session, 'y', 'edit_file wants to change');

    await session.waitFor('bash wants to run');
    await answerDialog(session, 'y', 'bash wants to run');
    await session.waitFor('all 6 tests pass', { timeoutMs: 30_000 });
    await session.waitFor('say what to do');
    picture(session, 'answer');
    expect(couponFirst(cart())).toBe(true);
    expect(session.clears).toBe(0);

    session.type('/exit');
    await session.waitFor('/exit');
    session.press('enter');
    expect((await session.exited).code).toBe(0);
    expect(session.isAlternate).toBe(false);
    expect(session.modes()).toEqual({ mouse: 'none', bracketedPaste: false, focus: false });
  });
});

/** The demo says where its copy of the sample project lies. */
function scratchFolder(of: TerminalSession | undefined): string {
  const found = /(\/\S*llmcode-demo-\w+\/corner-shop)/.exec(of?.raw ?? '')?.[1];
  if (found === undefined) throw new Error('the demo did not name its folder');
  return found;
}

/** With LLMCODE_WRITE_SCREENS=1 the screens become the pictures of the README. */
function picture(of: TerminalSession, name: string): void {
  if (process.env['LLMCODE_WRITE_SCREENS'] !== '1') return;
  const folder = path.join(projectRoot, 'docs/screens');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.svg`), of.svg(darkColors));
}
