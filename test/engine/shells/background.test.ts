import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { createTools } from '#tools/index.ts';
import { ThreadShells } from '#tools/shell/shell-desk.ts';
import { ShellRegistry } from '#tools/shell/shell-registry.ts';
import { answer, call, calls, type ScriptStep } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  openGate,
  openTestThread,
  resultText,
  type TestThreadOptions,
  tempFolder,
  textOf,
} from '../../support/engine/test-thread.ts';

async function shellThread(script: readonly ScriptStep[], more: TestThreadOptions = {}) {
  const home = more.home ?? (await tempFolder());
  const cwd = path.join(home, 'work');
  await mkdir(path.join(cwd, 'sub'), { recursive: true });
  const registry = new ShellRegistry(home);
  const thread = await openTestThread({
    home,
    cwd,
    script,
    roots: [cwd],
    tools: createTools(),
    childEnv: { PATH: process.env['PATH'] ?? '' },
    openShells: () =>
      new ThreadShells({ cwd, roots: [cwd], clock: systemClock, newId: createIdSource(), registry }),
    ...more,
  });
  const results = () => callParts(thread.state().messages).map(resultText);
  return { ...thread, home, cwd, results };
}

const bash = (command: string, more = {}) => calls(call('bash', { command, ...more }));

test('folder and exported variables of a command are there in the next, also after exit and set -e', async () => {
  const thread = await shellThread([
    bash('cd sub; export STAGE=one; exit 0'),
    bash('basename "$PWD"; echo $STAGE'),
    bash('set -e; cd ..; export STAGE=two LD_PRELOAD=; false'),
    bash('basename "$PWD"; echo "$STAGE ${LD_PRELOAD-none}"'),
    bash('cd /'),
    bash('basename "$PWD"'),
    answer('ok'),
  ]);
  await thread.prompt('go');
  const [first, second, third, fourth, fifth, sixth] = thread.results();
  expect(first).toBe('(no output)\n[Commands now start in sub.]\n[Kept for later commands: STAGE.]');
  expect(second).toBe('sub\none');
  expect(third).toContain('Not kept for later commands: LD_PRELOAD');
  expect(fourth).toBe('work\ntwo none');
  expect(fifth).toContain('outside the workspace');
  expect(sixth).toBe('work');
});

test('a running command moves to the background, is read and ends; the model is told', async () => {
  const thread = await shellThread([
    bash('mkfifo gate; echo begun; cat gate; echo done'),
    answer('Goes on.'),
    answer('Heard.'),
  ]);
  const turn = thread.prompt('go');
  await thread.next('tool-run-progress');
  thread.handle.submit({ kind: 'background-run' });
  await turn;
  expect(thread.results()[0]).toMatch(/^begun\n\[The person moved it to the background as bash_\w+\./);
  expect(thread.state().shells).toMatchObject([{ state: 'running', isKept: false }]);
  await appendFile(path.join(thread.cwd, 'gate'), 'through\n');
  await thread.until(({ shells }) => shells?.[0]?.state === 'exited');
  expect(thread.state().shells?.[0]?.tail).toBe('begun\nthrough\ndone\n');
  await thread.prompt('and?');
  const said = thread.state().messages.map(textOf).join('\n');
  expect(said).toMatch(/The background command bash_\w+ \(mkfifo.*ended: exit code 0/);
});

test('what runs in the background ends with the thread and is written down until then', async () => {
  const thread = await shellThread([bash('echo up; sleep 83', { run_in_background: true }), answer('ok')]);
  await thread.prompt('go');
  const written = async () => (await readdir(path.join(thread.home, 'shells'))).length;
  expect(await written()).toBe(1);
  await thread.close();
  expect(await written()).toBe(0);
});

test('a command whose llmcode was killed is ended by the next one; one of a living llmcode is not', async () => {
  const thread = await shellThread([bash('sleep 84', { run_in_background: true }), answer('ok')]);
  await thread.prompt('go');
  const folder = path.join(thread.home, 'shells');
  const [name = ''] = await readdir(folder);
  const registry = new ShellRegistry(thread.home);
  expect(await registry.sweep()).toEqual({ ended: [], kept: [] });
  const entry = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  // The number of another process, but not its start time: never ended.
  const stranger = {
    ...entry,
    id: 'bash_stranger',
    pid: process.pid,
    mark: 'none',
    owner: { pid: 1, stamp: '' },
  };
  await writeFile(path.join(folder, 'bash_stranger.json'), JSON.stringify(stranger));
  await writeFile(path.join(folder, name), JSON.stringify({ ...entry, owner: { pid: 1, stamp: 'gone' } }));
  const { ended } = await registry.sweep();
  expect(ended.map(({ command }) => command)).toEqual(['sleep 84']);
  await thread.until(({ shells }) => shells?.[0]?.state === 'exited');
});

test('what a command put on PATH in the workspace is there for the next, which is judged with it', async () => {
  const judged: PermissionCall[] = [];
  const gate = openGate((call) => {
    if (call.tool === 'bash') judged.push(call);
    return undefined;
  });
  const thread = await shellThread(
    [
      bash('mkdir -p .venv/bin; printf "#!/bin/sh\necho mine" > .venv/bin/tool; chmod +x .venv/bin/tool'),
      bash('export VIRTUAL_ENV=$PWD/.venv PATH=$PWD/.venv/bin:$PATH; tool'),
      bash('tool; basename $VIRTUAL_ENV'),
      bash('export PATH=/nowhere'),
      bash('export PATH=${PATH#*:}; unset VIRTUAL_ENV'),
      bash('tool || echo "none ${VIRTUAL_ENV-left}"'),
      answer('ok'),
    ],
    { gate },
  );
  await thread.prompt('go');
  const [, second, third, fourth, , sixth] = thread.results();
  expect(second).toMatch(/^mine\n\[Kept for later commands: (VIRTUAL_ENV, PATH|PATH, VIRTUAL_ENV)\.\]$/);
  expect(third).toBe('mine\n.venv');
  expect(fourth).toContain('Not kept for later commands: PATH');
  expect(sixth).toContain('none left');
  const start = process.env['PATH'];
  const carried = `${path.join(thread.cwd, '.venv/bin')}:${start}`;
  const seen = judged.map(({ resources: [first] }) => first?.kind === 'command' && first.searchPath);
  expect(seen).toEqual([undefined, undefined, carried, carried, carried, start]);
});

test('what a command in the background prints reaches state and events without its secrets', async () => {
  const secret = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
  const thread = await shellThread([
    bash(`echo up; sleep 1.2; echo ${secret.slice(0, 9)}""${secret.slice(9)}; sleep 88`, {
      run_in_background: true,
    }),
    answer('ok'),
  ]);
  await thread.prompt('go');
  await thread.until(({ shells }) => (shells?.[0]?.lines ?? 0) > 1);
  expect(thread.state().shells?.[0]?.tail).toMatch(/^up\n.+\n$/);
  expect(JSON.stringify(thread.events)).not.toContain(secret);
});
