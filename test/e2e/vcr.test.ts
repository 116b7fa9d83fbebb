import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerDialog } from '../support/e2e/answer-dialog.ts';
import { threadLogs } from '../support/e2e/home.ts';
import { fixedTotal } from '../support/e2e/sample-repo.ts';
import { say, stageTests, turnEnds } from '../support/e2e/stage.ts';
import type { ServerStep } from '../support/model-servers/index.ts';

const stage = stageTests();

const script: ServerStep[] = [
  { parts: [{ text: 'Before the tape runs.' }] },
  { parts: [{ text: 'I look.' }, { call: 'read_file', input: { path: 'src/total.mjs' } }] },
  {
    parts: [
      {
        call: 'edit_file',
        input: { path: 'src/total.mjs', old_string: 'sum + coupon', new_string: 'sum - coupon' },
      },
    ],
  },
  { parts: [{ text: 'It is mended.' }] },
];

describe('a session recorded with /vcr on', () => {
  it('plays by itself on the screen, dialogs included, when server and files are gone', async () => {
    const { server, repo, home } = await stage.start(script);
    const screen = stage.open({ repo, home });
    await screen.waitFor(/test-model · local/);
    await say(screen, 'hello');
    await screen.waitFor('Before the tape runs.');
    await turnEnds(home, 1);
    await say(screen, '/vcr on');
    await screen.waitFor('Recording to');
    await say(screen, 'mend it');
    await answerDialog(screen, 'y', 'src/total.mjs');
    await screen.waitFor('It is mended.');
    await turnEnds(home, 2);
    await say(screen, '/vcr off');
    await screen.waitFor('The recording is in');
    await screen.end();
    await server.close();
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(fixedTotal);
    repo.remove();

    const folder = path.join(home, 'vcr');
    const [name = ''] = readdirSync(folder);
    const elsewhere = await stage.start([]);
    const replay = stage.open(elsewhere, {
      args: ['--replay', path.join(folder, name), '--speed', '0'],
    });
    await replay.waitFor('The replay is over: 3 of 3 model calls.');
    for (const text of ['Before the tape runs.', 'mend it', 'I look.', 'It is mended.'])
      expect(replay.screen()).toContain(text);
    await say(replay, 'and now?');
    await replay.waitFor(/ends after 3\s+model\s+calls/);
    expect(threadLogs(elsewhere.home)).toEqual([]);
    expect(elsewhere.server.requests).toEqual([]);
  });
});
