import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { CheckId } from '../checks.ts';
import { wordList } from '../word-list.ts';
import { programName } from './unwrap.ts';
import { type ShellWord, wordText } from './words.ts';

/** Where a command stands: what it may never hit is relative to these. All absolute. */
export type ShellScope = {
  cwd: string;
  roots: readonly string[];
  /** The home folder of the person. */
  userHome: string;
  /** The folder that holds everything of llmcode. */
  home: string;
  /** What TMPDIR is, if the thread has a folder for temporary files. */
  scratch?: string | undefined;
};

/** A simple command that must not run in any mode, judged by what it would do. `dirs`: where it may run. */
export function catastropheOf(
  words: readonly ShellWord[],
  dirs: readonly string[],
  scope: ShellScope,
): CheckId | undefined {
  const name = programName(words[0]);
  if (name === undefined) return undefined;
  const args = words.slice(1);
  const hits = (targets: readonly ShellWord[]) => targets.some((word) => isCritical(word, dirs, scope));
  if (/^mkfs(\..+)?$/.test(name) || formatters.has(name)) {
    return formatsDevice(args) ? 'format-disk' : undefined;
  }
  if (powerPrograms.has(name)) return 'power';
  if (kernelPrograms.has(name)) return 'kernel';
  switch (name) {
    case 'rm':
    case 'srm':
    case 'trash':
      return isRecursive(args) && hits(operandsOf(args)) ? 'delete-root' : undefined;
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'setfacl':
      return hits(isRecursive(args) ? operandsOf(args) : operandsOf(args).filter(isRoot))
        ? 'world-writable-root'
        : undefined;
    case 'mv':
      return hits(operandsOf(args).slice(0, -1)) ? 'delete-root' : undefined;
    case 'find':
      return deletesByFind(args, dirs, scope) ? 'delete-root' : undefined;
    case 'init':
    case 'telinit':
      return args.some((word) => /^[06]$/.test(wordText(word))) ? 'power' : undefined;
    case 'systemctl':
    case 'loginctl':
      return args.some((word) => systemdPower.has(wordText(word))) ? 'power' : undefined;
    case 'diskutil':
      return args.some((word) => /^(erase|partition|zero|secureErase)/i.test(wordText(word)))
        ? 'format-disk'
        : undefined;
    case 'kill':
      // The first word may be the signal; any later `-1` means every process.
      return args.slice(1).some((word) => wordText(word) === '-1') ? 'kill-all' : undefined;
    case 'killall5':
      return 'kill-all';
    default:
      return undefined;
  }
}

const formatters = new Set(
  wordList(`
    mke2fs mkswap mkdosfs mkntfs wipefs blkdiscard fdisk sfdisk cfdisk gdisk sgdisk parted hdparm
    cryptsetup mdadm zpool pvcreate vgremove lvremove
  `),
);
const powerPrograms = new Set(wordList('shutdown reboot halt poweroff pm-suspend pm-hibernate'));
const kernelPrograms = new Set(['insmod', 'rmmod', 'modprobe', 'kexec', 'kmod']);
const systemdPower = new Set(
  wordList(`
    poweroff reboot halt kexec suspend hibernate hybrid-sleep emergency rescue soft-reboot
  `),
);

function formatsDevice(args: readonly ShellWord[]): boolean {
  const isList = args.some((word) =>
    wordList('-l --list -n --no-act status luksDump --detail list').includes(wordText(word)),
  );
  return !isList && args.some((word) => word.kind === 'dynamic' || wordText(word).startsWith('/dev/'));
}

/** Also true when an option is known only at run time. */
function isRecursive(args: readonly ShellWord[]): boolean {
  for (const word of args) {
    const text = wordText(word);
    if (text === '--') return false;
    if (word.kind === 'dynamic' && (word.head === '' || word.head.startsWith('-'))) return true;
    if (/^-[A-Za-z]*[rR]/.test(text) || text.startsWith('--r')) return true;
  }
  return false;
}

function operandsOf(args: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex((word) => wordText(word) === '--');
  const before = end < 0 ? args : args.slice(0, end);
  return [
    ...before.filter((word) => !wordText(word).startsWith('-')),
    ...(end < 0 ? [] : args.slice(end + 1)),
  ];
}

const isRoot = (word: ShellWord) => /^\/+(\.?\/*)*$/.test(wordText(word));

/** A folder without which the machine, the person or the workspace would be lost. */
function isCritical(word: ShellWord, dirs: readonly string[], scope: ShellScope): boolean {
  if (word.kind === 'dynamic') return false;
  const text = word.kind === 'literal' ? word.value : word.pattern;
  return dirs.some((dir) => {
    const target = path.resolve(dir, text);
    if (word.kind === 'literal') return isCriticalFolder(target, scope);
    // Whatever lies in the folder: `/*`, `~/.*`, `*` after a change of folder.
    const folder = path.dirname(target);
    const sweepsAll = /^[*?.[\]!^]+$/.test(path.basename(target));
    const holdsCritical = folder === '/' || folder === '/home' || folder === '/Users';
    return (sweepsAll && isCriticalFolder(folder, scope)) || holdsCritical;
  });
}

function isCriticalFolder(folder: string, { userHome, home, roots }: ShellScope): boolean {
  const depth = folder.split('/').filter(Boolean).length;
  if (depth === 0) return true;
  if (depth === 1 && folder !== '/tmp') return true;
  if (
    depth === 2 &&
    /^\/(usr|home|Users|System|Library|var\/(lib|db)|private\/(etc|var))(\/|$)/.test(folder)
  ) {
    return true;
  }
  const isParentOfRoot = roots.some((root) => root !== folder && isInside(root, folder));
  return isInside(userHome, folder) || isInside(home, folder) || isParentOfRoot;
}

const narrowing = wordList('-name -iname -path -ipath -wholename -regex -iregex');
const removers = ['rm', 'unlink', 'shred', 'rmdir'];

function deletesByFind(args: readonly ShellWord[], dirs: readonly string[], scope: ShellScope): boolean {
  const texts = args.map(wordText);
  const isRemoving =
    texts.includes('-delete') ||
    texts.some(
      (text, index) => /^-(exec|execdir|ok|okdir)$/.test(text) && removers.includes(texts[index + 1] ?? ''),
    );
  if (!isRemoving) return false;
  const firstTest = texts.findIndex((text) => /^[-!(]/.test(text));
  const starts = firstTest < 0 ? args : args.slice(0, firstTest);
  const folders = starts.length > 0 ? starts : [{ kind: 'literal' as const, source: '.', value: '.' }];
  const isNarrow = texts.some((text) => narrowing.includes(text));
  return folders.some(
    (word) =>
      isCritical(word, dirs, scope) && (!isNarrow || isRoot(word) || /^\/\w+\/?$/.test(wordText(word))),
  );
}
