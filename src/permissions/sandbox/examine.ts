import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from '#lib/child-env.ts';
import type { Environment } from '#lib/paths.ts';
import { runProcess } from '#lib/spawn.ts';
import type { CommandGrant } from '#protocol/sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** Something that a sandbox is to hold back, and whether it did when it was tried. */
export type SandboxFinding = { what: string; isHeld: boolean; text: string };

const trialMs = 10_000;

/** Tries to get out of a working sandbox with a command of this grant. Rejects when it cannot be tried. */
export async function examineSandbox(
  sandbox: Sandbox,
  { cwd, env, grant }: { cwd: string; env: Environment; grant: CommandGrant },
): Promise<SandboxFinding[]> {
  const place = await sandbox.placeFor({ cwd, filesDir: tmpdir(), grant });
  if (place.kind !== 'inside')
    throw new Error(place.kind === 'refused' ? place.text : 'Commands run outside.');
  const { confinement } = place;
  const shell = async (command: string) =>
    runProcess({ command, cwd, env: childEnvironment(env), confinement, timeoutMs: trialMs });
  const [writing, keys, network, processes, kernel] = await Promise.all([
    tryWriting(shell),
    tryKeys(shell),
    tryNetwork(shell),
    tryProcesses(shell),
    tryKernel(shell),
  ]);
  await place.settle?.({ isBackground: true });
  const wantsNetwork = sandbox.hasNetwork(grant);
  const hosts = sandbox.allowedHosts();
  return [
    {
      what: 'write',
      isHeld: writing,
      text: writing
        ? 'outside of the workspace nothing can be changed'
        : 'a file was written outside of the workspace',
    },
    keys,
    {
      what: 'network',
      isHeld: wantsNetwork || network,
      text: wantsNetwork
        ? 'the network is on for them'
        : network
          ? hosts
            ? `no network but ${hosts.join(', ') || 'for hosts that are allowed with a command'}`
            : 'no network'
          : 'a server on this machine was reached',
    },
    {
      what: 'processes',
      isHeld: processes,
      text: processes ? 'processes outside cannot be seen' : 'a process outside was seen',
    },
    {
      what: 'kernel',
      isHeld: kernel,
      text: kernel ? 'settings of the system cannot be changed' : 'a setting of the kernel could be changed',
    },
  ];
}

type Shell = (command: string) => ReturnType<typeof runProcess>;

async function tryWriting(shell: Shell): Promise<boolean> {
  const file = path.join(homedir(), `.llmcode-sandbox-trial-${process.pid}`);
  await shell(`echo x >'${quoted(file)}'`);
  const isHeld = !existsSync(file);
  if (!isHeld) rmSync(file, { force: true });
  return isHeld;
}

async function tryKeys(shell: Shell): Promise<SandboxFinding> {
  const folder = path.join(homedir(), '.ssh');
  if (!existsSync(folder)) return { what: 'keys', isHeld: true, text: '~/.ssh is not there to be read' };
  const { exitCode, stdout } = await shell(`ls -A '${quoted(folder)}'`);
  const isHeld = exitCode !== 0 || stdout.trim() === '';
  return { what: 'keys', isHeld, text: isHeld ? '~/.ssh and other keys are hidden' : '~/.ssh can be read' };
}

/** True when a server on this machine cannot be reached. */
async function tryNetwork(shell: Shell): Promise<boolean> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    return (await shell(`exec 7<>/dev/tcp/127.0.0.1/${port}`)).exitCode !== 0;
  } finally {
    server.close();
  }
}

/** Opened and not written. True where there is no such file. */
async function tryKernel(shell: Shell): Promise<boolean> {
  const file = '/proc/sys/kernel/core_pattern';
  return !existsSync(file) || (await shell(`: >> ${file}`)).exitCode !== 0;
}

async function tryProcesses(shell: Shell): Promise<boolean> {
  return (await shell(`kill -0 ${process.pid}`)).exitCode !== 0;
}

function quoted(file: string): string {
  return file.replaceAll("'", `'\\''`);
}
