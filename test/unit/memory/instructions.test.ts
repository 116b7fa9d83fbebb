import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadInstructions } from '../../../src/memory/instructions.ts';

let base: string;
let options: { cwd: string; home: string; userHome: string };

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-memory-')));
  options = {
    cwd: path.join(base, 'user/repo/packages/api'),
    home: path.join(base, 'user/.llmcode'),
    userHome: path.join(base, 'user'),
  };
  mkdirSync(options.cwd, { recursive: true });
  mkdirSync(path.join(base, 'user/repo/.git'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(file: string, text: string): string {
  const absolute = path.join(base, 'user', file);
  mkdirSync(path.dirname(absolute), { recursive: true });
  writeFileSync(absolute, text);
  return absolute;
}

const texts = (blocks: readonly string[]) => blocks.map((block) => block.slice(block.indexOf('\n\n') + 2));

describe('instruction files', () => {
  it('are read from the user, then from the repository root down to the working folder', async () => {
    put('.llmcode/AGENTS.md', 'own');
    put('.claude/CLAUDE.md', 'claude user');
    put('repo/AGENTS.md', 'root');
    put('repo/packages/api/CLAUDE.md', 'near');
    put('AGENTS.md', 'above the repository: not ours');
    const { blocks, notices } = await loadInstructions(options);
    expect(texts(blocks)).toEqual(['own', 'claude user', 'root', 'near']);
    expect(blocks[2]).toContain('Project instructions');
    expect(notices).toEqual([]);
  });

  it('stand once, however many names lead to them', async () => {
    put('repo/AGENTS.md', 'the rules');
    put('repo/CLAUDE.md', '@AGENTS.md');
    symlinkSync('AGENTS.md', path.join(base, 'user/repo/CLAUDE.local.md'));
    const { blocks } = await loadInstructions(options);
    expect(texts(blocks)).toEqual(['the rules', '@AGENTS.md']);
  });

  it('give way to an override beside them', async () => {
    put('repo/AGENTS.md', 'plain');
    put('repo/AGENTS.override.md', 'override');
    expect(texts((await loadInstructions(options)).blocks)).toEqual(['override']);
  });

  it('import others, but not from code, not from outside the project, and not in a circle', async () => {
    put('secret.md', 'outside');
    put('repo/docs/a.md', 'imported\n@../AGENTS.md');
    put(
      'repo/AGENTS.md',
      'see @docs/a.md and `@docs/span.md`\n```\n@docs/fence.md\n```\n<!-- @docs/comment.md -->\n@../secret.md @someone',
    );
    const { blocks, notices } = await loadInstructions(options);
    expect(blocks).toHaveLength(2);
    expect(blocks[1]).toContain('imported');
    expect(blocks[0]).not.toContain('comment.md');
    expect(notices).toEqual([expect.stringContaining('leads out of the project')]);
  });

  it('of a hostile repository neither hang nor leak', async () => {
    put('secret.md', 'key');
    symlinkSync(path.join(base, 'user/secret.md'), path.join(base, 'user/repo/AGENTS.md'));
    execFileSync('mkfifo', [path.join(base, 'user/repo/CLAUDE.md')]);
    put('repo/packages/api/AGENTS.md', 'a\0b');
    put('repo/packages/api/CLAUDE.md', 'x'.repeat(300_000));
    const { blocks, notices } = await loadInstructions(options);
    expect(blocks).toEqual([]);
    expect(notices).toHaveLength(4);
  });

  it('that name very many files bring few notices', async () => {
    put('repo/AGENTS.md', Array.from({ length: 500 }, (_, index) => `@gone${index}.md`).join('\n'));
    const { notices } = await loadInstructions(options);
    expect(notices).toHaveLength(11);
    expect(notices.at(-1)).toBe('490 more notices about instruction files are left out.');
  });

  it('are cut at the total, the nearest ones last', async () => {
    put('repo/AGENTS.md', 'r'.repeat(30_000));
    put('repo/packages/api/AGENTS.md', 'n'.repeat(10_000));
    const { blocks, files, notices } = await loadInstructions(options);
    expect(blocks[1]).toContain('n'.repeat(10_000));
    expect(files.map((file) => file.truncated)).toEqual([true, false]);
    expect(notices).toEqual([expect.stringContaining('cut')]);
  });

  it('of a rules folder count unless they are for certain paths only', async () => {
    put('repo/.llmcode/rules/a.md', '---\ndescription: x\n---\nalways');
    put('repo/.llmcode/rules/b.md', '---\npaths:\n  - src/**\n---\nsometimes');
    expect(texts((await loadInstructions(options)).blocks)).toEqual(['always']);
  });
});
