import path from 'node:path';
import { displayPath, isInside, realPathOf } from '#lib/paths.ts';
import { type InstructionPlace, instructionPlaces, type PlaceOptions } from './instruction-places.ts';
import { readInstructionText } from './instruction-text.ts';
import { readBounded } from './read-bounded.ts';

/** All instruction text together, in characters; the nearest files keep theirs. */
const maxTotalCharacters = 32_768;
const maxImportDepth = 4;
/** A repository can name any number of files that are not there; nobody reads a thousand notices. */
const maxNotices = 10;

/** `text` is what the model gets of it. */
export type InstructionFile = { path: string; bytes: number; text: string; truncated: boolean };
export type Instructions = {
  /** One block a file, weakest first, each headed by its path. */
  blocks: readonly string[];
  files: readonly InstructionFile[];
  /** What was left out and why, for the person. */
  notices: readonly string[];
};

type Loaded = { path: string; scope: InstructionPlace['scope']; text: string; bytes: number };
type Collection = {
  loaded: Loaded[];
  seen: Set<string>;
  notices: string[];
  options: PlaceOptions;
  withScoped: boolean;
};

/** Finds and reads the instruction files of the person and of the project. Never throws. */
export async function loadInstructions(options: PlaceOptions): Promise<Instructions> {
  return loadPlaces(instructionPlaces(options), options);
}

/**
 * The same for these places alone. `known`: real paths of files that the model was given already. `withScoped`: also
 * files that are for certain paths only.
 */
export async function loadPlaces(
  places: readonly InstructionPlace[],
  options: PlaceOptions & { known?: Iterable<string>; withScoped?: boolean },
): Promise<Instructions> {
  const seen = new Set(options.known);
  const withScoped = options.withScoped === true;
  const collection: Collection = { loaded: [], seen, notices: [], options, withScoped };
  for (const place of places) await collect(place, collection, { depth: 0, isAsked: false });
  return fitTotal(collection);
}

/** `isAsked`: another file names this one, so its absence is worth a word. */
async function collect(
  place: InstructionPlace,
  collection: Collection,
  { depth, isAsked }: { depth: number; isAsked: boolean },
): Promise<void> {
  const { seen, notices, loaded, options } = collection;
  const label = displayPath(place.path, options.cwd);
  const read = await readBounded(place.path, place.root);
  if (read.kind === 'absent') {
    if (isAsked) notices.push(`Instructions name ${label}, which is not there.`);
    return;
  }
  if (read.kind === 'refused') {
    notices.push(`Instructions in ${label} were not read: ${read.why}.`);
    return;
  }
  if (seen.has(read.realPath)) return;
  seen.add(read.realPath);
  const { text, imports, paths } = readInstructionText(read.text);
  if (paths && !collection.withScoped) return;
  const isRepeated = loaded.some((other) => other.text === text);
  if (text !== '' && !isRepeated) {
    loaded.push({ path: read.realPath, scope: place.scope, text, bytes: read.bytes });
  }
  for (const target of imports) {
    if (depth >= maxImportDepth) {
      notices.push(
        `${label} imports ${target} too deep (${maxImportDepth} levels at most); it was left out.`,
      );
    } else {
      const file = importedPath(target, read.realPath, options.userHome);
      await collect({ ...place, path: file }, collection, { depth: depth + 1, isAsked: true });
    }
  }
}

function importedPath(target: string, importer: string, userHome: string): string {
  if (target.startsWith('~/')) return path.join(userHome, target.slice(2));
  return path.resolve(path.dirname(importer), target);
}

/** Gives room to the nearest files first; what does not fit is cut and said. */
function fitTotal({ loaded, notices, options }: Collection): Instructions {
  let room = maxTotalCharacters;
  const kept = loaded.toReversed().map((file) => {
    const text = file.text.slice(0, room);
    room -= text.length;
    return { ...file, kept: text, truncated: text.length < file.text.length };
  });
  const inOrder = kept.toReversed();
  const cut = inOrder.filter((file) => file.truncated).map((file) => displayPath(file.path, options.cwd));
  const cutNotice = `Instruction files hold more than ${maxTotalCharacters} characters; cut: ${cut.join(', ')}.`;
  return {
    blocks: inOrder.filter((file) => file.kept !== '').map((file) => block(file, options)),
    files: inOrder.map(({ path: file, bytes, kept: text, truncated }) => ({
      path: file,
      bytes,
      text,
      truncated,
    })),
    notices: [...fewOf(notices), ...(cut.length > 0 ? [cutNotice] : [])],
  };
}

function fewOf(notices: readonly string[]): string[] {
  const distinct = [...new Set(notices)];
  const more = distinct.length - maxNotices;
  if (more <= 0) return distinct;
  return [...distinct.slice(0, maxNotices), `${more} more notices about instruction files are left out.`];
}

function block(file: Loaded & { kept: string; truncated: boolean }, options: PlaceOptions): string {
  const owner = file.scope === 'user' ? 'The person’s own instructions' : 'Project instructions';
  const isNear = isInside(file.path, realPathOf(options.cwd));
  const name = isNear
    ? path.relative(realPathOf(options.cwd), file.path)
    : displayPath(file.path, options.cwd);
  return `# ${owner} (${name})\n\n${file.kept}${file.truncated ? '\n\n[cut here]' : ''}`;
}
