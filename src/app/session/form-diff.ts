import type { changeStore } from '#engine/rewind/thread-changes.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { decodeText } from '#lib/text-file.ts';
import type { FileForm } from '#protocol/rewind.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { diffView } from '#tools/files/diff-view.ts';

type Store = ReturnType<typeof changeStore>;

const comparedBytes = 1_000_000;

/** From one form of a file to another; null for what is no text, too large, or the same. */
export async function formDiff(
  { path, before, after }: { path: string; before: FileForm; after: FileForm },
  store: Store,
): Promise<DiffView | null> {
  const [old, now] = [await textOf(before, store), await textOf(after, store)];
  if (old === null || now === null || old === now) return null;
  return diffView({ path, before: before.kind === 'absent' ? null : old, after: now });
}

/** What happens to it, in a few words; '' when a diff says it. */
export function formChange(before: FileForm, after: FileForm): string {
  if (after.kind === 'absent') return before.kind === 'folder' ? 'folder is removed' : 'is removed';
  if (before.kind === 'absent') return after.kind === 'folder' ? 'folder is made' : 'is made';
  if (after.kind === 'link') return `leads to ${after.target}`;
  if (before.kind === 'file' && after.kind === 'file' && before.sha256 === after.sha256)
    return `gets mode ${after.mode.toString(8)}`;
  return before.kind === after.kind ? '' : `becomes a ${after.kind}`;
}

async function textOf(form: FileForm, store: Store): Promise<string | null> {
  if (form.kind === 'absent') return '';
  if (form.kind !== 'file' || form.size > comparedBytes) return null;
  try {
    const decoded = decodeText(await store.get(form.sha256));
    return decoded.kind === 'text' ? decoded.text : null;
  } catch (error) {
    if (LlmcodeError.isInstance(error)) return null; // Gone from the store.
    throw error;
  }
}
