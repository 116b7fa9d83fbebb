import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, rename, rm, rmdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, errorText } from '#lib/errors.ts';
import { holdFolder } from '#lib/held-folder.ts';
import { removeFile, replaceFile } from '#lib/replace-file.ts';
import type { FileChange, FileForm } from '#protocol/rewind.ts';
import type { BlobStore } from './blob-store.ts';
import { isSameForm, readForm } from './file-form.ts';
import type { RevertStep } from './plan-revert.ts';

export type Restored = {
  done: FileChange[];
  failed: { path: string; why: string }[];
};

const maxBytes = 50_000_000;

/**
 * Puts paths back, each looked at again right before. What stands in the way of a folder goes first, deepest first;
 * folders come before what lies in them. A step that fails leaves its file as it was.
 */
export async function restore(steps: readonly RevertStep[], store: BlobStore): Promise<Restored> {
  const restored: Restored = { done: [], failed: [] };
  const depth = ({ path: file }: RevertStep) => file.split(path.sep).length;
  const removed = (step: RevertStep) => step.target.kind === 'absent' || step.target.kind !== step.now.kind;
  const isFolder = ({ target }: RevertStep) => target.kind === 'folder';
  const deepestFirst = [...steps].sort((a, b) => depth(b) - depth(a));
  const order: { step: RevertStep; act: (step: RevertStep) => Promise<void> }[] = [
    ...deepestFirst.filter(removed).map((step) => ({ step, act: (it: RevertStep) => takeAway(it, store) })),
    ...steps.filter(isFolder).map((step) => ({ step, act: makeFolderAt })),
    ...steps
      .filter(({ target }) => target.kind === 'file' || target.kind === 'link')
      .map((step) => ({ step, act: (it: RevertStep) => putBack(it, store) })),
  ];
  const failures = new Map<string, string>();
  for (const { step, act } of order) {
    if (failures.has(step.path)) continue;
    try {
      await act(step);
    } catch (error) {
      failures.set(step.path, errorText(error));
    }
  }
  for (const step of steps) {
    const why = failures.get(step.path);
    if (why !== undefined) restored.failed.push({ path: step.path, why });
    else restored.done.push({ path: step.path, before: step.now, after: step.target });
  }
  return restored;
}

/** Removes what is there now: a folder only when nothing else is in it. */
async function takeAway({ path: file, now }: RevertStep, store: BlobStore): Promise<void> {
  await mustBe(file, now, store);
  if (now.kind === 'absent') return;
  if (now.kind === 'folder') {
    const held = await holdFolder(path.dirname(file));
    try {
      await rmdir(path.join(held.at, path.basename(file)));
    } finally {
      await held.close();
    }
    return;
  }
  await removeFile(file);
}

async function makeFolderAt({ path: file, target }: RevertStep): Promise<void> {
  if (target.kind !== 'folder') return;
  const held = await holdFolder(path.dirname(file));
  const at = path.join(held.at, path.basename(file));
  try {
    await mkdir(at).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
    });
    if ((await lstat(at)).isDirectory()) await chmod(at, target.mode);
  } finally {
    await held.close();
  }
}

async function putBack({ path: file, now, target }: RevertStep, store: BlobStore): Promise<void> {
  const isReplaced = now.kind === target.kind;
  const current: FileForm = isReplaced ? now : { kind: 'absent' };
  if (target.kind === 'link') {
    await putLink(file, target.target, () => mustBe(file, current, store));
    return;
  }
  if (target.kind !== 'file') return;
  const bytes = await store.get(target.sha256);
  const stats = isReplaced ? await lstat(file) : undefined;
  await replaceFile(file, bytes, {
    stats: stats && Object.assign(stats, { mode: target.mode }),
    confirm: async () => {
      await mustBe(file, current, store);
      return true;
    },
  });
  if (!stats) await setMode(file, target.mode);
}

async function setMode(file: string, mode: number): Promise<void> {
  const held = await holdFolder(path.dirname(file));
  try {
    await chmod(path.join(held.at, path.basename(file)), mode);
  } finally {
    await held.close();
  }
}

async function putLink(file: string, target: string, confirm: () => Promise<void>): Promise<void> {
  const held = await holdFolder(path.dirname(file));
  const temporary = path.join(held.at, `.llmcode-${randomBytes(8).toString('hex')}.tmp`);
  try {
    await symlink(target, temporary);
    await confirm();
    await rename(temporary, path.join(held.at, path.basename(file)));
  } finally {
    await rm(temporary, { force: true });
    await held.close();
  }
}

/** Between the plan and now somebody may have written. */
async function mustBe(file: string, form: FileForm, store: BlobStore): Promise<void> {
  if (isSameForm(await readForm(file, { store, maxBytes }), form)) return;
  throw new Error('it changed a moment ago');
}
