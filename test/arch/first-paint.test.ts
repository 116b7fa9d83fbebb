import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from '../support/source-files.ts';

/** What a start loads before anything is on the screen: the entry, and what it then imports for a session. */
const entries = ['src/app/main.ts', 'src/app/modes/interactive.ts'];

/** Rooms that a first frame has no use for; protocol files with schemas come in through them. */
const heavyRooms = ['providers', 'engine', 'tools', 'permissions', 'hooks', 'memory', 'bridges'];

/** The packages that a first frame may cost. Each one more is a decision about the time to the first key. */
const paidFor = [
  'diff',
  'fuzzysort',
  'ink',
  'ink-text-input',
  'jsonc-parser',
  'marked',
  'react',
  'string-width',
];

const texts = new Map(sourceFiles('src').map((file) => [file.path, file.text]));

/** Everything that is imported statically from `entries` on, own files and packages, with one way to it. */
function loadedAtOnce(entries: readonly string[]): {
  files: Map<string, string>;
  packages: Map<string, string>;
} {
  const files = new Map(entries.map((entry) => [entry, entry]));
  const packages = new Map<string, string>();
  for (const [file, way] of files) {
    for (const { specifier, isTypeOnly, isDynamic } of importsOf(texts.get(file) ?? '')) {
      if (isTypeOnly || isDynamic || specifier.startsWith('node:')) continue;
      const target = targetOf(file, specifier);
      const known = target === undefined ? packages : files;
      const name = target ?? specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (!known.has(name)) known.set(name, `${way} -> ${specifier}`);
    }
  }
  return { files, packages };
}

/** The file behind an import of ours; undefined for a package. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
}

describe('the first frame', () => {
  const { files, packages } = loadedAtOnce(entries);

  it('is drawn by files that exist, those of the screen among them', () => {
    expect([...files.keys()].filter((file) => !texts.has(file))).toEqual([]);
    expect(files.has('src/ui/screen.tsx')).toBe(true);
  });

  it('needs nothing of the rooms that work for a model', () => {
    const loaded = [...files].filter(([file]) => heavyRooms.includes(file.split('/')[1] ?? ''));
    expect(loaded.map(([, way]) => way)).toEqual([]);
  });

  it('loads only the packages that it pays for', () => {
    expect([...packages].filter(([name]) => !paidFor.includes(name)).map(([, way]) => way)).toEqual([]);
  });

  it('is drawn once before that, by a stage without React and Ink', () => {
    const boot = loadedAtOnce(['src/app/main.ts', 'src/app/modes/boot.ts']);
    expect([...boot.packages.keys()].sort()).toEqual(['jsonc-parser', 'string-width']);
    expect([...boot.files.keys()].filter((file) => file.endsWith('.tsx'))).toEqual([]);
  });

  it('is checked by a walk that finds what is imported far away', () => {
    const session = loadedAtOnce(['src/app/session/session-work.ts']);
    expect([...session.packages.keys()]).toContain('zod');
    expect([...session.files.keys()].some((file) => file.startsWith('src/engine/'))).toBe(true);
  });
});
