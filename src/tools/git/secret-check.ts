import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '#lib/errors.ts';
import { plainDiff } from '#lib/look-with-git.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { findSecrets } from '#lib/secrets.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { toolError } from '../result/tool-error.ts';
import { gitFailure, runGit } from './git.ts';

type Staging = {
  /** How the commit will be staged; undefined = it is already. */
  add: readonly string[] | undefined;
  /** What the commit is limited to. */
  files: readonly string[];
};

/** More places than this need not be named. */
const maxNamed = 10;

/**
 * Refuses a commit that would hold secrets. Staged in an index of its own, so that a refusal leaves the repository as
 * it is.
 */
export async function secretRefusal(staging: Staging, ctx: ToolContext): Promise<ToolResult | undefined> {
  const place = await runGit(['rev-parse', '--show-toplevel', '--git-path', 'index'], ctx, { use: 'look' });
  const failure = gitFailure(place, 'git rev-parse');
  if (failure) return failure;
  const [top = '', index = ''] = place.stdout.split('\n');
  makeFolder(ctx.filesDir);
  const folder = await mkdtemp(path.join(ctx.filesDir, 'index-'));
  try {
    const copy = path.join(folder, 'index');
    await copyIndex(path.resolve(ctx.cwd, index), copy);
    return await check(staging, { ctx, top, env: { GIT_INDEX_FILE: copy } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyIndex(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error; // Nothing was ever staged.
  }
}

async function check(
  { add, files }: Staging,
  { ctx, top, env }: { ctx: ToolContext; top: string; env: Readonly<Record<string, string>> },
): Promise<ToolResult | undefined> {
  const options = { use: 'look', env } as const;
  if (add) {
    const failure = gitFailure(await runGit(add, ctx, { use: 'stage', env }), 'git add');
    if (failure) return failure;
  }
  const staged = ['diff', '--cached', ...plainDiff, '--no-renames', '--diff-filter=ACMT'];
  const limit = files.length > 0 ? ['--', ...files] : [];
  const names = await runGit([...staged, '--name-only', '-z', ...limit], ctx, options);
  const diff = await runGit([...staged, '-U0', '--src-prefix=a/', '--dst-prefix=b/', ...limit], ctx, options);
  const failure = gitFailure(names, 'git diff') ?? gitFailure(diff, 'git diff');
  if (failure) return failure;
  const secretFiles = names.stdout
    .split('\0')
    .filter((name) => name !== '' && ctx.services.isSecretFile(path.join(top, name)));
  if (secretFiles.length > 0)
    return toolError(
      'secret_file',
      `Not committed: these files hold secrets by their names: ${secretFiles.slice(0, maxNamed).join(', ')}. Leave them out (files), or put them into .gitignore. Nothing was staged.`,
    );
  const places = secretPlaces(diff.stdout);
  if (places.length === 0) return undefined;
  return toolError(
    'secret_content',
    `Not committed: what looks like a secret would get into the history: ${places.slice(0, maxNamed).join(', ')}. Take it out first. If it is none, the person can commit it. Nothing was staged.`,
  );
}

/** `src/a.ts:12 (token)`; only what is added counts. */
function secretPlaces(diff: string): string[] {
  const places: string[] = [];
  let file = '';
  let line = 0;
  let isHeader = true;
  for (const text of diff.split('\n')) {
    if (text.startsWith('diff --git ')) isHeader = true;
    else if (isHeader && text.startsWith('+++ ')) file = text.slice(6);
    else if (text.startsWith('@@')) {
      isHeader = false;
      line = Number(/\+(\d+)/.exec(text)?.[1] ?? 0);
    } else if (text.startsWith('+')) {
      for (const { kind } of findSecrets(text.slice(1))) places.push(`${file}:${line} (${kind})`);
      if (text.includes('PRIVATE KEY-----')) places.push(`${file}:${line} (pem)`);
      line += 1;
    }
  }
  return [...new Set(places)];
}
