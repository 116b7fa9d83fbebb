import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { logOf, say, stageTests, turnEnds } from '../support/e2e/stage.ts';
import type { ServerStep } from '../support/model-servers/index.ts';

const stage = stageTests();

it('shows what fills the window, what was shortened and what was summarised, and takes it back', async () => {
  const read = (index: number): ServerStep => ({
    parts: [{ call: 'read_file', input: { path: `part-${index}.txt` } }],
    usage: false,
  });
  const scene = await stage.start(
    [
      ...Array.from({ length: 9 }, (_, index) => read(index)),
      { parts: [{ text: 'All read.' }], usage: false },
      { parts: [{ text: '## Goal\nread every part' }], usage: false },
      { parts: [{ text: 'Yes.' }], usage: false },
    ],
    { settings: (url) => windowOf(url, 13_500) },
  );
  for (let index = 0; index < 9; index += 1)
    writeFileSync(
      scene.repo.file(`part-${index}.txt`),
      `part ${index} begins\n${'more words here\n'.repeat(240)}`,
    );
  const screen = stage.open(scene, { columns: 80, rows: 24 });
  await screen.waitFor('test-model');
  await say(screen, 'read every part');
  await screen.waitFor('All read.');
  await turnEnds(scene.home, 1);
  expect(logOf(scene.home).some(({ kind }) => kind === 'history-trimmed')).toBe(true);

  await say(screen, '/context');
  await screen.waitFor(/▓░+ +system prompt +[\d,]+ +\d+ %/);
  await screen.waitFor(/░ +files read +[\d,]+ +\d+ %/);
  await screen.waitFor(/tool results are shortened/);

  await say(screen, '/compact');
  await screen.waitFor(/is summarised for the model/);
  await say(screen, '/compact undo');
  await screen.waitFor(/The compaction is undone/);
  await say(screen, 'still there?');
  await screen.waitFor('Yes.');
  const sent = JSON.stringify(scene.server.requests.at(-1)?.body.messages);
  expect(sent).toContain('part 8 begins');
  expect(sent).not.toContain('## Goal');
  expect(scene.server.violations).toEqual([]);
});

function windowOf(url: string, tokens: number) {
  const models = { 'test-model': { context_window: tokens } };
  return { providers: { local: { type: 'openai-compatible', base_url: url, api_key: 'key', models } } };
}
