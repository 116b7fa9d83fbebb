import { z } from 'zod';
import type { DiffView } from './tool-view.ts';

/**
 * What lies under a name. `sha256` (hex) is the key of its bytes in the store; `mode` are permission bits.
 * `unsaved`: something whose bytes were not kept, with the reason; nothing can be put back to it.
 */
export const fileFormSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('file'), sha256: z.string(), mode: z.number().int(), size: z.number() }),
  z.object({ kind: z.literal('link'), target: z.string() }),
  z.object({ kind: z.literal('folder'), mode: z.number().int() }),
  z.object({ kind: z.literal('unsaved'), stamp: z.string(), why: z.string() }),
]);
export type FileForm = z.infer<typeof fileFormSchema>;

/** `path` is absolute and real: no part of it is a link. */
export const fileChangeSchema = z.object({
  path: z.string(),
  before: fileFormSchema,
  after: fileFormSchema,
});
export type FileChange = z.infer<typeof fileChangeSchema>;

/** The changes of one call, or of one step back or forward. They lie in the store under `list`. */
export const changeSetSchema = z.object({
  id: z.string(),
  /** `undo` and `redo` turned back other sets, which `reverts` names. */
  cause: z.enum(['call', 'undo', 'redo']),
  callId: z.string().optional(),
  /** The call in one line, e.g. `edit_file src/a.ts`. */
  title: z.string(),
  /** Id of the person's message that led to it; null when there was none yet. */
  promptId: z.string().nullable(),
  /** SHA-256 of the list of changes in the store. */
  list: z.string(),
  files: z.number().int(),
  /** Paths of the first ones, for showing. */
  names: z.array(z.string()),
  reverts: z.array(z.string()).optional(),
});
export type ChangeSet = z.infer<typeof changeSetSchema>;

/** A set and whether it is in force: false once it was turned back. */
export const keptChangeSetSchema = changeSetSchema.extend({ at: z.number(), isUndone: z.boolean() });
export type KeptChangeSet = z.infer<typeof keptChangeSetSchema>;

/** What a step back does to files that somebody else changed meanwhile. */
export const editedSchema = z.enum(['keep', 'overwrite']);

/** What going back would do to one file. */
export type RewindFile = {
  path: string;
  /** As a person reads it. */
  shown: string;
  /** `edited`: somebody else changed it meanwhile. `lost`: what was there was not kept. */
  state: 'ready' | 'edited' | 'lost';
  /** In a few words, e.g. `is removed`. */
  what: string;
  /** From what is there to what would be; null for what is no text. */
  view: DiffView | null;
};
export type RewindPreview = { files: readonly RewindFile[] };
