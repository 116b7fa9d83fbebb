import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Confinement } from '#lib/confinement.ts';
import { isInside, realPathOf } from '#lib/paths.ts';
import type { CommandPlace, CommandToPlace } from '#protocol/sandbox.ts';
import { bubblewrapArgs } from './bubblewrap.ts';
import { findProfile, isAllowedFile, type SandboxedCommand } from './find-profile.ts';
import type { SandboxProgram } from './find-program.ts';
import { madePlaces, standingPlaces } from './made-places.ts';
import { forwarder, proxyVariables } from './network/forwarder.ts';
import { type HostProxyOptions, openHostProxy, type RefusedHost } from './network/host-proxy.ts';
import { findObstacle } from './obstacle.ts';
import type { SandboxProfile } from './profile.ts';
import { type PutAside, putAside } from './put-aside.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { filterFile } from './state-folder.ts';
import type { WatchedPlaces } from './watched-tree.ts';

type WorkingProgram = Exclude<SandboxProgram, { kind: 'none' }>;

type InsideOptions = {
  program: WorkingProgram;
  mode: 'auto' | 'required';
  /** State of the session. */
  folder: string;
  /** Looks anew at what stands in the workspace. */
  look(): WatchedPlaces;
  base: Pick<
    SandboxedCommand,
    'roots' | 'home' | 'stateFolder' | 'userHome' | 'writable' | 'revealed' | 'network'
  >;
  /** Where what was taken away is kept. */
  store: string;
  /** Given where only some hosts may be reached. */
  hosts: HostProxyOptions | undefined;
};

/** Socket files need names of their own. */
let proxies = 0;

/** Makes the place for one command. Rejects when it cannot be made. */
export async function placeInside(
  { cwd, filesDir, grant: { isGranted, files = [] }, isTerminal = false, scratch }: CommandToPlace,
  { program, mode, folder, look, base, store, hosts }: InsideOptions,
): Promise<CommandPlace> {
  const places = await lookAtAll(look);
  const before = standingPlaces(places);
  const isMac = program.kind === 'seatbelt';
  proxies += 1;
  const socketFile = path.join(folder, `net-${proxies}`);
  const proxy = hosts && (await openHostProxy(isMac ? 0 : socketFile, hosts));
  const found = findProfile({
    ...base,
    ...{ cwd: realPathOf(cwd), filesDir, scratch, places, isGranted },
  });
  const profile: SandboxProfile = {
    ...found,
    readOnly: proxy && !isMac ? [...found.readOnly, socketFile, ...hiddenNode(found)] : found.readOnly,
    proxyPort: proxy?.port,
    env: { ...found.env, ...(proxy ? proxyVariables(proxy.port) : {}) },
  };
  let taken: PutAside | undefined;
  return {
    kind: 'inside',
    confinement: confine(program, profile, {
      ...{ folder, isTerminal },
      helper: proxy && !isMac ? forwarder(socketFile) : undefined,
    }),
    obstacle: (output) => {
      const [host] = proxy?.refused() ?? [];
      if (!host) return findObstacle(output, profile);
      return `${host.name} is not ${host.inside === undefined ? 'among the allowed hosts' : 'a public host'}`;
    },
    mayLeave: mode === 'auto',
    taken: () =>
      taken && {
        ...taken,
        bringBack: async () => {
          const back = taken?.bringBack();
          taken = undefined;
          await back;
        },
      },
    async settle({ isBackground }) {
      proxy?.close();
      const notes = hostNotes(proxy?.refused() ?? []);
      const made = madePlaces(before, { places: look(), isGranted }).filter(
        (place) => !isAllowedFile(place, files),
      );
      if (made.length === 0) return notes;
      const names = made.map((place) => nameOf(place, base.roots));
      if (isBackground) return [...notes, appearedNote(names)];
      taken = await putAside(made, store);
      return taken ? [...notes, takenNote(taken.places.map((place) => nameOf(place, base.roots)))] : notes;
    },
  };
}

/** What runs the forwarder, where it lies in a folder that commands get another one for. */
function hiddenNode({ tmpFolders }: SandboxProfile): string[] {
  const program = realPathOf(process.execPath);
  return tmpFolders.some((folder) => isInside(program, folder)) ? [program] : [];
}

/** In portions, between which other work gets its turn. */
async function lookAtAll(look: () => WatchedPlaces): Promise<WatchedPlaces> {
  let places = look();
  for (let more = 0; more < mostLooks && !places.isComplete && places.isWithinLimits; more += 1) {
    await setImmediate();
    places = look();
  }
  return places;
}

const mostLooks = 60;

function confine(
  program: WorkingProgram,
  profile: SandboxProfile,
  {
    folder,
    isTerminal,
    helper,
  }: { folder: string; isTerminal: boolean; helper: readonly string[] | undefined },
): Confinement {
  if (program.kind === 'seatbelt') {
    const env = {
      ...profile.env,
      TMPDIR: profile.env['TMPDIR'] === '/tmp' ? profile.tmp : profile.env['TMPDIR'],
    };
    return { argv: [program.file, '-p', seatbeltProfile(profile)], env, ownsProcesses: false };
  }
  const filter = filterFile(folder);
  const { hasUserLimit } = program;
  const args = bubblewrapArgs(profile, { hasUserLimit, hasFilter: filter !== undefined, isTerminal });
  return { argv: [program.file, ...args], env: profile.env, ownsProcesses: true, filterFile: filter, helper };
}

function hostNotes(refused: readonly RefusedHost[]): string[] {
  if (refused.length === 0) return [];
  const names = refused.map(({ name, inside }) =>
    inside === undefined ? name : `${name} (${inside} is no public address)`,
  );
  const settings = [
    ...(refused.some(({ inside }) => inside === undefined) ? ['sandbox.network.allow'] : []),
    ...(refused.some(({ inside }) => inside !== undefined) ? ['web_fetch.private_hosts'] : []),
  ];
  return [
    `The sandbox let it reach only allowed hosts, and refused ${listed(names)}. Do not try to get around it; the person can add hosts to ${settings.join(' and ')}.`,
  ];
}

function takenNote(names: readonly string[]): string {
  return `It made ${listed(names)}, which can make programs run later, so the sandbox took that away again. Use the file tools for it: they ask the person.`;
}

function appearedNote(names: readonly string[]): string {
  return `While a command ran in the background in the sandbox, ${listed(names)} appeared, which can make programs run later. Look at it before you go on, unless you made it yourself.`;
}

function nameOf(place: string, roots: readonly string[]): string {
  const [main = '/'] = roots;
  const relative = path.relative(main, place);
  return relative.startsWith('..') ? place : relative;
}

const mostNames = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
