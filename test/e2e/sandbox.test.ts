import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandboxProgram } from '#permissions/sandbox/find-program.ts';
import { answerDialog, armedDialog } from '../support/e2e/answer-dialog.ts';
import { say, stageTests, turnEnds } from '../support/e2e/stage.ts';

const stage = stageTests();
const program = await findSandboxProgram();

describe.skipIf(program.kind !== 'bubblewrap')(`the sandbox on the screen (${program.kind})`, () => {
  it('stands in the status line, holds a command, and asks before it runs again outside', async () => {
    const target = path.join(homedir(), `.llmcode-e2e-${process.pid}`);
    const { repo, home } = await stage.start(
      [
        { parts: [{ call: 'bash', input: { command: `mkdir ${target} && rmdir ${target} && echo made` } }] },
        { parts: [{ text: 'That was all.' }] },
      ],
      { settings: () => ({ sandbox: 'auto' }) },
    );
    const screen = stage.open({ repo, home });
    await screen.waitFor(/prompt ⇧⇥ sandbox/);
    await say(screen, 'make it');
    await answerDialog(screen, 'y', /bash wants to run/);
    await armedDialog(screen, 'run again without the sandbox');
    expect(existsSync(target)).toBe(false);
    screen.type('y');
    await turnEnds(home, 1);
    await screen.waitFor('made');
    await say(screen, '/sandbox');
    await screen.waitFor('outside of the workspace nothing can be changed');
  });

  it('runs what stays in the scratch folder unasked, and asks before what starts programs comes back', async () => {
    const make = `node -e 'require("fs").writeFileSync(".mcp" + ".json", "{}")'`;
    const { repo, home } = await stage.start(
      [
        { parts: [{ call: 'bash', input: { command: 'echo hi > "$TMPDIR/x" && cat "$TMPDIR/x"' } }] },
        { parts: [{ call: 'bash', input: { command: make } }] },
        { parts: [{ text: 'That was all.' }] },
      ],
      { settings: () => ({ sandbox: { mode: 'auto', auto_allow: true } }) },
    );
    const screen = stage.open({ repo, home });
    await screen.waitFor(/prompt ⇧⇥ sandbox/);
    await say(screen, 'make it');
    await armedDialog(screen, 'the sandbox took that away');
    expect(existsSync(path.join(repo.folder, '.mcp.json'))).toBe(false);
    screen.type('y');
    await turnEnds(home, 1);
    expect(existsSync(path.join(repo.folder, '.mcp.json'))).toBe(true);
  });
});
