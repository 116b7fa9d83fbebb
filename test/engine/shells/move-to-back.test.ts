import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { createTools } from '#tools/index.ts';
import { ThreadShells } from '#tools/shell/shell-desk.ts';
import { answer, call, calls } from '../../support/engine/scripted-model.ts';
import { callParts, openTestThread, resultText, tempFolder } from '../../support/engine/test-thread.ts';

test('a command that cannot move to the background goes on where it is, and the person is told why', async () => {
  const home = await tempFolder();
  const cwd = path.join(home, 'work');
  await mkdir(cwd);
  // Where nothing is written down, no command may outlive its call.
  const desk = { cwd, roots: [cwd], clock: systemClock, newId: createIdSource(), registry: undefined };
  const command = 'mkfifo gate; echo begun; cat gate; echo done';
  const thread = await openTestThread({
    ...{ home, cwd, roots: [cwd], tools: createTools() },
    script: [calls(call('bash', { command })), answer('ok')],
    childEnv: { PATH: process.env['PATH'] ?? '' },
    openShells: () => new ThreadShells(desk),
  });
  const turn = thread.prompt('go');
  await thread.next('tool-run-progress');
  thread.handle.submit({ kind: 'background-run' });
  await expect(thread.next('notice-added')).resolves.toMatchObject({
    notice: { level: 'warning', text: 'Commands cannot run in the background here.' },
  });
  await appendFile(path.join(cwd, 'gate'), 'through\n');
  await turn;
  expect(callParts(thread.state().messages).map(resultText)).toEqual(['begun\nthrough\ndone']);
  expect(thread.state().shells ?? []).toEqual([]);
});
