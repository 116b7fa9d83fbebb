import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { answerDialog, armedDialog } from '../support/e2e/answer-dialog.ts';
import { llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { brokenTotal, fixedTotal, type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, startModelServer } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

let server: ModelServer | undefined;
let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;

afterEach(async () => {
  await session?.end();
  await server?.close();
  repo?.remove();
});

describe('a typed task on the screen', () => {
  it('leads over todo, read, test, edit and test to a green test', async () => {
    repo = sampleRepo();
    server = await startModelServer({
      api: 'openai-chat',
      script: [
        {
          parts: [
            { text: 'I will look at the failing test first.' },
            {
              call: 'todo_write',
              input: { todos: [{ content: 'find the wrong total', status: 'in_progress' }] },
            },
            { call: 'read_file', input: { path: 'src/total.mjs' } },
          ],
        },
        { parts: [{ call: 'bash', input: { command: 'node --test', description: 'run the tests' } }] },
        {
          parts: [
            { text: 'The coupon is added instead of taken off.' },
            {
              call: 'edit_file',
              input: {
                path: 'src/total.mjs',
                old_string: 'return sum + coupon;',
                new_string: 'return sum - coupon;',
              },
            },
          ],
        },
        { parts: [{ call: 'bash', input: { command: 'node --test', description: 'run the tests' } }] },
        { parts: [{ text: 'Fixed: the **coupon** now lowers the total.' }] },
      ],
    });
    const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
    session = new TerminalSession({ cwd: repo.folder, env: { LLMCODE_HOME: home }, columns: 100, rows: 30 });

    await session.waitFor('test-model');
    session.type('fix the failing test');
    await session.waitFor('fix the failing test');
    session.press('enter');

    await armedDialog(session, /bash wants to run/);
    expect(session.screen()).toContain('node --test');
    await answerDialog(session, 'y', /bash wants to run/);

    await armedDialog(session, /edit_file wants to/);
    expect(session.screen()).toContain('return sum - coupon;');
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(brokenTotal);
    await answerDialog(session, 'y', /edit_file wants to/);

    await answerDialog(session, 'y', /bash wants to run/);
    await session.waitFor('now lowers the total');

    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(fixedTotal);
    expect(server.violations).toEqual([]);
    expect(server.unusedSteps()).toBe(0);
    expect(server.requests).toHaveLength(5);
    const results = lastToolTexts(server);
    expect(results.some((text) => text.includes('fail 1'))).toBe(true);
    expect(results.at(-1)).toContain('pass 1');

    await session.waitFor((screen) => !/esc stops/.test(screen));
    const [log = []] = threadLogs(home);
    expect(log[0]).toMatchObject({ type: 'thread', version: 1, cwd: repo.folder });
    expect(log.filter((line) => line.kind === 'turn-end')).toMatchObject([{ reason: 'done' }]);
    expect(log.filter((line) => line.kind === 'tool-run-end')).toHaveLength(5);
    expect(log.filter((line) => line.kind === 'permission-response')).toMatchObject([
      { answer: { kind: 'once' } },
      { answer: { kind: 'once' } },
      { answer: { kind: 'once' } },
    ]);
    expect(log.some((line) => String(line.kind).endsWith('-delta'))).toBe(false);
  });
});

function lastToolTexts(from: ModelServer): string[] {
  const messages: { role: string; content: unknown }[] = from.requests.at(-1)?.body.messages ?? [];
  return messages.filter((message) => message.role === 'tool').map((message) => String(message.content));
}
