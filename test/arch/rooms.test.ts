import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, type SourceFile, sourceFiles } from '../support/source-files.ts';

const leafRooms = [
  'providers',
  'permissions',
  'hooks',
  'memory',
  'tools',
  'jobs',
  'extensions',
  'bridges',
  'ui',
];

/** What each room may import besides itself. `app` may import everything; nothing imports `app`. */
const allowed: Record<string, readonly string[]> = {
  lib: [],
  protocol: [],
  ...Object.fromEntries(leafRooms.map((room) => [room, ['protocol', 'lib']])),
  engine: ['protocol', 'lib', 'providers', 'permissions', 'hooks', 'memory'],
  agents: ['protocol', 'lib', 'engine'],
  app: ['lib', 'protocol', ...leafRooms, 'engine', 'agents'],
};

/** Libraries that only one place may know. A key that ends in `/` stands for everything below it. */
const doors: Record<string, string> = {
  ai: 'src/providers/',
  '@ai-sdk/': 'src/providers/',
  react: 'src/ui/',
  ink: 'src/ui/',
  'ink-text-input': 'src/ui/dialogs/',
  shiki: 'src/ui/markdown/',
  '@shikijs/': 'src/ui/markdown/',
  marked: 'src/ui/markdown/',
  unbash: 'src/permissions/shell/parse.ts',
  'node-pty': 'src/tools/',
  '@vscode/ripgrep': 'src/tools/',
  linkedom: 'src/tools/web/',
  turndown: 'src/tools/web/',
  '@mozilla/readability': 'src/tools/web/',
  conf: 'src/app/settings/',
  chokidar: 'src/app/settings/',
  'jsonc-parser': 'src/',
  commander: 'src/app/cli/',
  ulid: 'src/lib/ids.ts',
  'string-width': 'src/lib/text-width.ts',
  'write-file-atomic': 'src/lib/',
  'proper-lockfile': 'src/lib/lock-folder.ts',
  'vscode-jsonrpc': 'src/bridges/lsp/',
};

function roomOf(file: SourceFile): string {
  return file.path.split('/')[1] ?? '';
}

function breaches(file: SourceFile): string[] {
  const room = roomOf(file);
  const roomFolder = `src/${room}`;
  return importsOf(file.text).flatMap(({ specifier }) => {
    if (specifier.startsWith('#')) {
      const target = specifier.slice(1).split('/')[0] ?? '';
      if (target === room)
        return [`${file.path}: ${specifier} is its own room, import it by a relative path`];
      const isKnown = allowed[room]?.includes(target) ?? false;
      return isKnown ? [] : [`${file.path}: ${room} must not import ${specifier}`];
    }
    if (specifier.startsWith('.')) {
      const target = path.posix.join(path.posix.dirname(file.path), specifier);
      const isOutside = !target.startsWith(`${roomFolder}/`);
      return isOutside ? [`${file.path}: ${specifier} climbs out of its room`] : [];
    }
    const door = Object.entries(doors).find(([name]) =>
      name.endsWith('/')
        ? specifier.startsWith(name)
        : specifier === name || specifier.startsWith(`${name}/`),
    );
    if (!door || file.path.startsWith(door[1])) return [];
    return [`${file.path}: ${specifier} may be imported only below ${door[1]}`];
  });
}

describe('rooms', () => {
  const files = sourceFiles('src').filter((file) => file.path.split('/').length > 2);

  it('are the known ones', () => {
    const rooms = [...new Set(files.map(roomOf))];
    expect(rooms.filter((room) => !(room in allowed))).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  it('import only what the table allows, and libraries only at their door', () => {
    expect(files.flatMap(breaches)).toEqual([]);
  });

  it('are checked by a rule that catches planted breaches', () => {
    const planted = (filePath: string, text: string) => breaches({ path: filePath, text });
    expect(planted('src/ui/a.ts', "import { x } from '#engine/x.ts';\n")).toHaveLength(1);
    expect(planted('src/lib/a.ts', "import type { x } from '#protocol/x.ts';\n")).toHaveLength(1);
    expect(planted('src/tools/a.ts', "import { x } from '../engine/x.ts';\n")).toHaveLength(1);
    expect(planted('src/engine/a.ts', "import { streamText } from 'ai';\n")).toHaveLength(1);
    expect(planted('src/engine/a.ts', "const x = await import('@ai-sdk/openai');\n")).toHaveLength(1);
    expect(planted('src/engine/a.ts', "import { log } from '#lib/log.ts';\n")).toHaveLength(0);
  });
});
