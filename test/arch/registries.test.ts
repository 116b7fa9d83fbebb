import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/source-files.ts';

/** Folders in which a file that defines something must stand in the folder's index. */
const registries = [
  { folder: 'src/tools', define: /\bdefineTool\b/, index: 'src/tools/index.ts' },
  { folder: 'src/providers', define: /\bdefineProvider\b/, index: 'src/providers/index.ts' },
  { folder: 'src/app/commands', define: /\bdefineCommand\b/, index: 'src/app/commands/index.ts' },
  { folder: 'src/hooks/events', define: /\bdefineHookEvent\b/, index: 'src/hooks/events/index.ts' },
];

describe.each(registries)('the registry of $folder', ({ folder, define, index }) => {
  it('holds every file that defines something', () => {
    const absolute = path.join(projectRoot, folder);
    expect(existsSync(path.join(projectRoot, index))).toBe(true);
    const text = readFileSync(path.join(projectRoot, index), 'utf8');
    const defining = readdirSync(absolute)
      .filter((name) => name.endsWith('.ts') && name !== path.basename(index))
      .filter((name) =>
        new RegExp(`export const \\w+[^=]*= ${define.source}`).test(
          readFileSync(path.join(absolute, name), 'utf8'),
        ),
      );
    expect(defining.length).toBeGreaterThan(0);
    expect(defining.filter((name) => !text.includes(`'./${name}'`))).toEqual([]);
  });
});
