import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { mostRunningShells } from '#protocol/shell-limits.ts';
import { ThreadShells } from '#tools/shell/shell-desk.ts';
import { ShellRegistry } from '#tools/shell/shell-registry.ts';
import { textOf, toolBench } from './tool-bench.ts';

/** Tools with the commands of a thread; `script` starts one in the background and gives its id. */
function shellBench() {
  const bench = toolBench();
  const shells = new ThreadShells({
    ...{ cwd: bench.folder, roots: [bench.folder], clock: systemClock, newId: createIdSource() },
    registry: new ShellRegistry(path.dirname(bench.folder)),
  });
  onTestFinished(() => shells.close());
  const services = { ...bench.ctx.services, shells };
  const run = (name: string, input: unknown, signal = bench.ctx.signal) =>
    bench.run(name, input, { services, signal });
  const background = async (command: string) => {
    const text = textOf(await run('bash', { command, run_in_background: true }));
    return /as (bash_\w+)\./.exec(text)?.[1] ?? text;
  };
  const say = (text: string) => appendFileSync(path.join(bench.folder, 'gate'), text);
  return { bench, shells, run, background, say };
}

test('bash_output waits as long as it is asked for what is new or the end; an interrupt ends the wait', async () => {
  const { run, background, say } = shellBench();
  // The gate stays open between the two lines: its reader is the same.
  const id = await background(
    'mkfifo gate; exec 9<>gate; for line in 1 2; do read -r said <&9; echo $said; done; exit 3',
  );
  const started = performance.now();
  const nothing = await run('bash_output', { shell_id: id, wait: 0 });
  expect(textOf(nothing)).toContain('Nothing new was printed');
  const stop = new AbortController();
  const stopped = run('bash_output', { shell_id: id, wait: 300 }, stop.signal);
  stop.abort();
  expect(textOf(await stopped)).toContain('Nothing new was printed');
  const first = run('bash_output', { shell_id: id, wait: '60' });
  say('one\n');
  expect(textOf(await first)).toMatch(/^one\n/);
  const last = run('bash_output', { shell_id: id, wait: 60_000 });
  say('two\n');
  await last;
  const status = async () => textOf(await run('bash_output', { shell_id: id, wait: 60 }));
  await expect.poll(status, { timeout: 15_000 }).toContain('3');
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('only so many commands run in the background; one more is refused until one ends', async () => {
  const { run, background, shells } = shellBench();
  const ids = await Promise.all(Array.from({ length: mostRunningShells }, () => background('exec sleep 85')));
  const refused = await run('bash', { command: 'sleep 86', run_in_background: true });
  expect([refused.status, refused.code]).toEqual(['error', 'no_background']);
  expect(textOf(refused)).toContain(ids[0]);
  expect(textOf(await run('bash', { command: 'echo still' }))).toBe('still');
  await run('bash_kill', { shell_id: ids[0] });
  expect(await background('exec sleep 87')).toMatch(/^bash_/);
  expect(shells.backgroundProblem).toBeDefined();
});

test('a character that is cut where a command moves to the background is never shown as a broken one', async () => {
  const { bench, run, shells, say } = shellBench();
  const command = String.raw`mkfifo gate; printf 'euro: \342\202'; cat gate; printf '\254 yen: \302\245\n'`;
  const moved = run('bash', { command });
  await expect.poll(() => JSON.stringify(bench.progress.at(-1)) ?? '').toContain('euro: ');
  const id = shells.toBackground() ?? '';
  expect(textOf(await moved)).toMatch(/^euro: *\n\[The person moved it/);
  say('');
  const read = textOf(await run('bash_output', { shell_id: id, wait: 60 }));
  expect(read).toMatch(/^ yen: ¥\n/);
  expect(shells.list()[0]?.tail).toBe('euro: € yen: ¥\n');
});
