import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { createScratchFolder } from '#lib/scratch-folder.ts';
import { createSandbox, type SandboxOptions } from '#permissions/sandbox/sandbox.ts';
import { permissionSettings } from '#permissions/settings.ts';
import type { ToolResultRecord } from '#protocol/message.ts';
import type { CommandGrant } from '#protocol/sandbox.ts';
import { createTools } from '#tools/index.ts';
import { ThreadShells } from '#tools/shell/shell-desk.ts';
import { ShellRegistry } from '#tools/shell/shell-registry.ts';
import { answer, call, calls } from './scripted-model.ts';
import {
  callParts,
  openGate,
  openTestThread,
  resultText,
  type TestThreadOptions,
  tempFolder,
} from './test-thread.ts';

type Confined = {
  sandbox?: unknown;
  grant?: CommandGrant;
  options?: Partial<SandboxOptions>;
  thread?: TestThreadOptions;
};

export const granted: CommandGrant = { isGranted: true, needsOutside: false };

/** A workspace beside a home folder full of keys, and a model whose commands run in a sandbox. */
export async function confinedPlace() {
  const base = await tempFolder();
  const cwd = path.join(base, 'work');
  const userHome = path.join(base, 'home');
  const home = path.join(userHome, '.llmcode');
  for (const folder of [cwd, path.join(userHome, '.ssh'), home]) await mkdir(folder, { recursive: true });
  await writeFile(path.join(userHome, '.ssh', 'id_rsa'), 'TOP-SECRET');
  await writeFile(path.join(home, 'config.json'), '{"key":"TOP-SECRET"}');
  return { base, cwd, userHome, home };
}

type Place = Awaited<ReturnType<typeof confinedPlace>>;

/** Runs commands one after the other in one thread, and gives their results. */
export async function runConfined(
  { base, cwd, userHome, home }: Place,
  commands: readonly (string | Record<string, string | number | boolean>)[],
  { sandbox = 'auto', grant = granted, options = {}, thread: more = {} }: Confined = {},
) {
  const settings = permissionSettings.parse({ sandbox }).sandbox;
  const scratch = createScratchFolder(base);
  const thread = await openTestThread({
    home,
    cwd,
    roots: [cwd],
    tools: createTools(),
    scratch: scratch.folder,
    gate: openGate(() => ({ decision: 'allow', reasons: [], grant })),
    sandbox: createSandbox({
      settings: () => settings,
      roots: [cwd],
      home,
      userHome,
      tempFolder: base,
      ...options,
    }),
    childEnv: { PATH: process.env['PATH'] ?? '', HOME: userHome },
    openShells: () =>
      new ThreadShells({
        ...{ cwd, roots: [cwd], clock: systemClock, newId: createIdSource() },
        registry: new ShellRegistry(home),
        scratch,
      }),
    canAsk: false,
    script: [
      ...commands.map((given) => calls(call('bash', typeof given === 'string' ? { command: given } : given))),
      answer('Done.'),
    ],
    ...more,
  });
  const ended = thread.prompt('go');
  const results = async (): Promise<{ text: string; result: ToolResultRecord | undefined }[]> => {
    await ended;
    return callParts(thread.state().messages).map((part) => ({
      text: resultText(part) ?? '',
      result: part.result ?? undefined,
    }));
  };
  return { ...thread, ended, results, scratch: scratch.folder };
}
