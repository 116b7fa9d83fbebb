import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorText } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import { projectKey } from '#lib/project-key.ts';
import type { CommandGrant, CommandPlace, CommandSandbox } from '#protocol/sandbox.ts';
import { isProtected } from '../paths/names.ts';
import type { SandboxSettings } from '../settings.ts';
import { isWithinMounts } from './find-profile.ts';
import { findSandboxProgram, type SandboxProgram } from './find-program.ts';
import { isHidden } from './hidden-file.ts';
import { placeInside } from './place-inside.ts';
import { agentNames } from './places.ts';
import { createStateFolder } from './state-folder.ts';
import { WatchedTree } from './watched-tree.ts';

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
  /** Hosts that are not public and may be reached all the same, where they are allowed. */
  privateHosts?(): readonly string[];
  /** Variables that name the proxy of this machine. */
  env?: Readonly<Record<string, string | undefined>>;
};

export interface Sandbox extends CommandSandbox {
  /** Looks once in the life of the process what there is. Nothing is looked for while the setting is `off`. */
  program(): Promise<SandboxProgram>;
  /** True once it is known that it works, and commands are to run in it. */
  isOn(): boolean;
  /** Commands that stay in the workspace may run in it without being asked for. */
  holdsUnasked(): boolean;
  /** True where a command with this grant has the network as a whole. */
  hasNetwork(grant: CommandGrant): boolean;
  /** The only hosts that commands reach, where only some are allowed. */
  allowedHosts(): readonly string[] | undefined;
  /** False where the workspace has more folders than are looked through for what is to be hidden. */
  isWorkspaceKnown(): boolean;
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
  privateHosts = () => [],
  env = {},
}: SandboxOptions): Sandbox {
  let folder: string | undefined;
  let known: SandboxProgram | undefined;
  const findProgram = async () => {
    known ??= await find();
    return known;
  };
  const realRoots = roots.map(realPathOf);
  const tree = new WatchedTree(
    realRoots.filter((root) => path.dirname(root) !== root),
    { isSecret: isHidden, isGuarded },
  );
  const inHome = (place: string) => place.replace(/^~(?=\/|$)/, userHome);
  let isComplete = true;
  const look = () => {
    const places = tree.look();
    isComplete = places.isComplete && isWithinMounts(places);
    return places;
  };
  const isWorking = () => known !== undefined && known.kind !== 'none';
  const isOn = () => settings().mode !== 'off' && isWorking();
  const hasNetwork = ({ isGranted }: CommandGrant) => {
    const { mode, network } = settings();
    if (typeof network === 'object') return false;
    if (network === 'on') return true;
    // Who says that it is required wants it tight.
    return (network ?? (mode === 'required' ? 'off' : 'asked')) === 'asked' && isGranted;
  };

  return {
    program: () =>
      settings().mode === 'off' ? Promise.resolve({ kind: 'none', why: 'it is off' }) : findProgram(),
    isOn,
    // Where not all of it is known, not all that is to be hidden is hidden.
    holdsUnasked: () => isOn() && settings().auto_allow && isComplete,
    hasNetwork,
    allowedHosts: () => {
      const { network } = settings();
      return typeof network === 'object' ? network.allow : undefined;
    },
    isWorkspaceKnown: () => isComplete,
    async placeFor(command): Promise<CommandPlace> {
      const { mode, writable, readable, network } = settings();
      if (mode === 'off') return { kind: 'outside' };
      const program = await findProgram();
      if (program.kind === 'none')
        return mode === 'required' ? { kind: 'refused', text: refusal(program.why) } : { kind: 'outside' };
      const { grant } = command;
      if (grant.needsOutside && mode === 'auto') return { kind: 'outside' };
      try {
        folder ??= createStateFolder(tempFolder);
        return await placeInside(command, {
          ...{ program, folder, look, mode },
          base: {
            ...{ roots: realRoots, home, stateFolder: folder },
            userHome: realPathOf(userHome),
            writable: writable.map(inHome),
            revealed: [
              ...readable.map((place) => path.resolve(roots[0] ?? '/', inHome(place))),
              ...(grant.files ?? []),
            ],
            network: hasNetwork(grant),
          },
          store: path.join(home, 'put-aside', projectKey(roots[0] ?? '/')),
          hosts:
            typeof network === 'object'
              ? {
                  allowed: [...network.allow, ...(grant.hosts ?? [])],
                  privateHosts: privateHosts(),
                  env,
                }
              : undefined,
        });
      } catch (error) {
        return { kind: 'refused', text: refusal(errorText(error)) };
      }
    },
  };
}

const agents = new Set(agentNames);

function isGuarded(place: string): boolean {
  return agents.has(path.basename(place)) || isProtected(place);
}

function refusal(why: string): string {
  return `Commands may only run in a sandbox here, and there is no working one: ${why}. Nothing was run. The person can install bubblewrap (apt install bubblewrap), or set sandbox to auto or off.`;
}
