import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { CheckId } from '../checks.ts';
import {
  isDeceptive,
  isOwnSettings,
  isProtected,
  isRawDevice,
  isSecret,
  isStandardFolder,
  isSystemFile,
} from './names.ts';
import type { PathFact } from './path-fact.ts';

/** The folders that the policy measures paths against. All absolute and resolved. */
export type PathScope = {
  roots: readonly string[];
  userHome: string;
  /** The folder that holds everything of llmcode. */
  home: string;
  /** Folders outside the workspace that may be read as if they lay in it. */
  readable: readonly string[];
  /** The PATH that commands run with at the start. */
  searchPath: string;
  /** Folders of the workspace that lie on a PATH; on the one at the start when none is given. */
  programFolders(searchPath: string | undefined): readonly string[];
  /** The thread's own folder for temporary files. */
  scratch?: string | undefined;
};

/**
 * How much a path asks for. `free`: reading in the workspace. `edit`: an ordinary change in it. `scratch`: a
 * change in the folder for temporary files. `outside`: beyond both. `guarded`: also a person's general yes does not
 * cover it. `never`: refused in every mode.
 */
export type PathVerdict = {
  level: 'free' | 'scratch' | 'edit' | 'outside' | 'guarded' | 'never';
  check: CheckId;
};

/**
 * `named`: a file tool opens exactly this. `command`: a program that is known gets it as an argument; `mentioned`:
 * one that is not. `redirect`: the shell opens it.
 */
export type PathUse = { access: 'read' | 'write'; by: 'named' | 'command' | 'redirect' | 'mentioned' };

/** Pure: the facts are given. Both the name and where it leads count; the worse of the two decides. */
export function judgePath(fact: PathFact, use: PathUse, scope: PathScope): PathVerdict {
  const { kind } = fact;
  const isOpened = use.by === 'named';
  if (kind === 'invalid') return { level: isOpened ? 'never' : 'outside', check: 'path-invalid' };
  if (kind === 'loop') return { level: isOpened ? 'never' : 'outside', check: 'path-loop' };
  if (fact.given === '/dev/null')
    return { level: use.access === 'read' ? 'free' : 'edit', check: 'mode-allow-write' };
  if (isOpened && scope.roots.some((root) => path.relative(root, fact.given).startsWith('~'))) {
    return { level: 'guarded', check: 'path-tilde' };
  }
  return use.access === 'read' ? judgeRead(fact, use, scope) : judgeWrite(fact, use, scope);
}

function judgeRead(fact: PathFact, use: PathUse, scope: PathScope): PathVerdict {
  if (fact.kind === 'special' || isDevice(fact)) {
    return { level: use.by === 'named' ? 'never' : 'guarded', check: 'special-file' };
  }
  if (either(fact, isSecret)) return { level: 'guarded', check: secretCheck(use) };
  const isFree =
    isInWorkspace(fact.real, scope) ||
    isStandardFolder(fact.real, scope.userHome) ||
    isScratch(fact.real, scope) ||
    scope.readable.some((folder) => isInside(fact.real, folder));
  return isFree ? { level: 'free', check: 'mode-allow-read' } : { level: 'outside', check: 'outside-read' };
}

function judgeWrite(fact: PathFact, use: PathUse, scope: PathScope): PathVerdict {
  const never = neverWritten(fact, use, scope);
  if (never) return never;
  if (fact.kind === 'special' || isDevice(fact)) {
    return { level: use.by === 'named' ? 'never' : 'guarded', check: 'special-file' };
  }
  if (either(fact, isSecret)) return { level: 'guarded', check: secretCheck(use) };
  if (either(fact, (file) => isProtected(belowRoot(file, scope))))
    return { level: 'guarded', check: 'protected-write' };
  if (either(fact, isDeceptive) && use.by === 'named') return { level: 'guarded', check: 'path-deceptive' };
  if (use.by === 'mentioned' && isStandardFolder(fact.real, scope.userHome)) {
    return { level: 'free', check: 'mode-allow-read' };
  }
  if (isScratch(fact.real, scope) && !fact.hasOtherNames) return { level: 'scratch', check: 'scratch' };
  if (!isInWorkspace(fact.real, scope)) return { level: 'outside', check: 'outside-write' };
  if (fact.kind === 'folder' && use.by === 'named') return { level: 'never', check: 'path-is-folder' };
  if (fact.hasOtherNames) return { level: 'guarded', check: 'hard-link' };
  return { level: 'edit', check: 'mode-allow-write' };
}

/** Commands have a check of their own for it. */
export function secretCheck({ access, by }: PathUse): CheckId {
  if (by !== 'named') return 'credentials';
  return access === 'read' ? 'secret-read' : 'secret-write';
}

function neverWritten(fact: PathFact, use: PathUse, scope: PathScope): PathVerdict | undefined {
  // A program that only mentions such a file may read it.
  const level = use.by === 'mentioned' ? 'guarded' : 'never';
  if (either(fact, isRawDevice)) {
    return { level, check: use.by === 'redirect' ? 'disk-redirect' : 'raw-disk-write' };
  }
  if (either(fact, isSystemFile)) return { level, check: 'system-file' };
  // A sample workspace may lie in the folder of llmcode.
  const holdsWorkspace = scope.roots.some((root) => isInside(root, scope.home) && isInside(fact.real, root));
  const home = holdsWorkspace ? path.join(scope.home, 'config.json') : scope.home;
  if (either(fact, (file) => isOwnSettings(file, home))) return { level, check: 'own-settings' };
  return undefined;
}

/** Under any of its names. */
function either({ given, real, twin }: PathFact, test: (file: string) => boolean): boolean {
  return test(given) || (real !== given && test(real)) || (twin !== undefined && test(twin));
}

/** The devices that stand for the streams of a process, and all that lie beside them. */
function isDevice({ given, real }: PathFact): boolean {
  return [given, real].some((file) => /^\/dev\/(?!shm\/)/.test(file)) || /^\/proc\/[^/]+\/fd\//.test(given);
}

/** In the workspace only the folders below its root count: it may lie in one that is protected for others. */
function belowRoot(file: string, { roots }: PathScope): string {
  const root = roots.find((folder) => isInside(file, folder) && !/\/\.(git|hg|svn|ssh)(\/|$)/i.test(folder));
  return root === undefined ? file : path.join('/', path.relative(root, file));
}

function isScratch(file: string, { scratch }: PathScope): boolean {
  return scratch !== undefined && isInside(file, scratch);
}

/** A workspace that is the whole disk gives no rights. */
function isInWorkspace(file: string, { roots }: PathScope): boolean {
  return roots.some((root) => path.dirname(root) !== root && isInside(file, root));
}
