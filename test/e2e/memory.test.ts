import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../support/e2e/eventually.ts';
import { say, stageTests, turnEnds } from '../support/e2e/stage.ts';

const stage = stageTests();

it('a fact of the prompt line is shown, used by the next session, and taken back', async () => {
  const scene = await stage.start([
    { parts: [{ text: 'On 8082.' }] },
    { parts: [{ text: 'I do not know.' }] },
  ]);
  const sent = () => JSON.stringify(scene.server.requests.at(-1)?.body.messages);

  const first = stage.open(scene);
  await first.waitFor('test-model');
  first.type('# The server runs on port 8082');
  await first.waitFor('The server runs on port 8082');
  first.press('enter');
  await first.waitFor('Remembered for this project');
  await say(first, '/memory');
  await first.waitFor(/Memory of this project, 1 entry,/);
  await say(first, '/exit');
  await first.exited;

  const second = stage.open(scene);
  await second.waitFor('test-model');
  await say(second, 'where does the server run?');
  await second.waitFor('On 8082.');
  await turnEnds(scene.home, 1);
  expect(sent()).toContain('The server runs on port 8082');
  await say(second, '/memory undo');
  await second.waitFor('No longer remembered');
  await say(second, '/clear');
  await say(second, 'and now?');
  await second.waitFor('I do not know.');
  expect(sent()).not.toContain('The server runs on port 8082');
  expect(scene.server.violations).toEqual([]);
});

it('leaving does not wait for what the session taught, even when the server is silent', async () => {
  const answers = [1, 2, 3].map((count) => ({ parts: [{ text: `Answer ${count}.` }] }));
  const scene = await stage.start([...answers, { stall: true }], {
    settings: () => ({ memory: { consolidate: 'on' } }),
  });
  stage.onEnd(() => {
    for (const pid of helpersOf(scene.home)) process.kill(pid, 'SIGKILL');
  });
  const screen = stage.open(scene);
  await screen.waitFor('test-model');
  for (const count of [1, 2, 3]) {
    await say(screen, `question ${count}`);
    await screen.waitFor(`Answer ${count}.`);
    await turnEnds(scene.home, count);
  }
  await say(screen, '/exit');
  const start = performance.now();
  expect(await screen.exited).toEqual({ code: 0, signal: 0 });
  expect(performance.now() - start).toBeLessThan(2_000);
  await eventually(() => scene.server.requests.length === 4, { what: 'the question of the helper' });
  expect(helpersOf(scene.home)).toHaveLength(1);
});

/** Processes that note what a session with this home taught. */
function helpersOf(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
      try {
        return read('cmdline').includes('\0consolidate\0') && read('environ').includes(home);
      } catch {
        return false; // It has ended meanwhile.
      }
    })
    .map(Number);
}
