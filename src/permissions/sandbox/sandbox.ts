import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorText } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import type { Confinement } from '#lib/spawn.ts';
import type { CommandGrant, CommandPlace, CommandSandbox } from '#protocol/sandbox.ts';
import type { SandboxSettings } from '../settings.ts';
import { bubblewrapArgs } from './bubblewrap.ts';
import { closedName, findProfile } from './find-profile.ts';
import { findSandboxProgram, type SandboxProgram } from './find-program.ts';
import { findObstacle } from './obstacle.ts';
import type { SandboxProfile } from './profile.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { syscallFilter } from './syscall-filter.ts';

export type SandboxOptions = {
  settings(): SandboxSettings;
  /** The folders of the workspace. */
  roots: readonly string[];
  home: string;
  userHome: string;
  /** Where the temporary files of commands lie; outside of the workspace. */
  tempFolder?: string;
  /** What confines; looked for on this machine when it is not given. */
  find?(): Promise<SandboxProgram>;
};

export interface Sandbox extends CommandSandbox {
  /** Looks once in the life of the process what there is. Nothing is looked for while the setting is `off`. */
  program(): Promise<SandboxProgram>;
  /** True once it is known that it works, and commands are to run in it. */
  isOn(): boolean;
  /** Commands that stay in the workspace may run in it without being asked for. */
  holdsUnasked(): boolean;
  /** True where a command with this grant has the network. */
  hasNetwork(grant: CommandGrant): boolean;
}

/** What the machine has does not change while the process lives. */
let found: Promise<SandboxProgram> | undefined;

function lookOnce(): Promise<SandboxProgram> {
  found ??= findSandboxProgram();
  return found;
}

/** Confines the commands of one session. What it keeps for them on disk goes with the process. */
export function createSandbox({
  settings,
  roots,
  home,
  userHome,
  tempFolder = tmpdir(),
  find = lookOnce,
}: SandboxOptions): Sandbox {
  let folder: string | undefined;
  let known: SandboxProgram | undefined;
  const look = async () => {
    known ??= await find();
    return known;
  };
  const realRoots = roots.map(realPathOf);
  const isWorking = () => known !== undefined && known.kind !== 'none';
  const isOn = () => settings().mode !== 'off' && isWorking();
  const hasNetwork = ({ isGranted }: CommandGrant) => {
    const { mode, network } = settings();
    if (network === 'on') return true;
    // Who says that it is required wants it tight.
    return (network ?? (mode === 'required' ? 'off' : 'asked')) === 'asked' && isGranted;
  };

  return {
    program: () => (settings().mode === 'off' ? Promise.resolve({ kind: 'none', why: 'it is off' }) : look()),
    isOn,
    holdsUnasked: () => isOn() && settings().auto_allow,
    hasNetwork,
    async placeFor({ cwd, filesDir, grant }): Promise<CommandPlace> {
      const { mode, writable } = settings();
      if (mode === 'off') return { kind: 'outside' };
      const program = await look();
      if (program.kind === 'none')
        return mode === 'required' ? { kind: 'refused', text: refusal(program.why) } : { kind: 'outside' };
      if (grant.needsOutside && mode === 'auto') return { kind: 'outside' };
      try {
        folder ??= createStateFolder(tempFolder);
        const profile = findProfile({
          cwd: realPathOf(cwd),
          roots: realRoots,
          userHome: realPathOf(userHome),
          home,
          filesDir,
          stateFolder: folder,
          writable: writable.map((place) => place.replace(/^~(?=\/|$)/, userHome)),
          network: hasNetwork(grant),
          isGranted: grant.isGranted,
        });
        return {
          kind: 'inside',
          confinement: confine(program, profile),
          obstacle: (output) => findObstacle(output, profile),
          mayLeave: mode === 'auto',
        };
      } catch (error) {
        return { kind: 'refused', text: refusal(errorText(error)) };
      }
    },
  };
}

function refusal(why: string): string {
  return `Commands may only run in a sandbox here, and there is no working one: ${why}. Nothing was run. The person can install bubblewrap (apt install bubblewrap), or set sandbox to auto or off.`;
}

function confine(program: Exclude<SandboxProgram, { kind: 'none' }>, profile: SandboxProfile): Confinement {
  if (program.kind === 'seatbelt') {
    const env = { ...profile.env, TMPDIR: profile.tmp };
    return { argv: [program.file, '-p', seatbeltProfile(profile)], env, ownsProcesses: false };
  }
  const filter = syscallFilter(process.arch);
  const { hasUserLimit } = program;
  return {
    argv: [program.file, ...bubblewrapArgs(profile, { hasUserLimit, hasFilter: filter !== undefined })],
    env: profile.env,
    ownsProcesses: true,
    filter,
  };
}

const stateFolders = new Set<string>();

function removeStateFolders(): void {
  for (const folder of stateFolders) rmSync(folder, { recursive: true, force: true });
}

function createStateFolder(tempFolder: string): string {
  const folder = mkdtempSync(path.join(realpathSync(tempFolder), 'llmcode-sandbox-'));
  if (stateFolders.size === 0) process.on('exit', removeStateFolders);
  stateFolders.add(folder);
  mkdirSync(path.join(folder, 'tmp'), { mode: 0o700 });
  writeFileSync(path.join(folder, closedName), '', { mode: 0o000 });
  return folder;
}
