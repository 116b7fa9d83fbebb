import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realPathOf } from '#lib/paths.ts';
import { runProcess } from '#lib/spawn.ts';
import { demoProjectFolder } from '../package-files.ts';

/** A copy of the sample project in a folder of its own, a git repository where git exists. */
export async function createScratchProject(env: Readonly<Record<string, string>>): Promise<string> {
  const folder = realPathOf(await mkdtemp(path.join(tmpdir(), 'llmcode-demo-')));
  const project = path.join(folder, 'corner-shop');
  await cp(demoProjectFolder(), project, { recursive: true });
  const identity = [
    '-c',
    'user.name=llmcode demo',
    '-c',
    'user.email=demo@localhost',
    '-c',
    'commit.gpgsign=false',
  ];
  const steps = [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '--no-verify', '--message', 'A small shop with one failing test'],
  ];
  for (const args of steps) {
    const { cause, exitCode } = await runProcess({ file: 'git', args, cwd: project, env, timeoutMs: 10_000 });
    if (cause !== 'exited' || exitCode !== 0) break; // Without git the demo works just as well.
  }
  return project;
}
