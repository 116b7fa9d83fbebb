import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { log } from '#lib/log.ts';
import { type FileForm, fileFormSchema } from '#protocol/rewind.ts';

/** What a file was when it had this stamp. */
export type KnownFile = { stamp: string; form: FileForm };

const indexSchema = z.object({
  version: z.literal(1),
  files: z.array(z.tuple([z.string(), z.object({ stamp: z.string(), form: fileFormSchema })])),
});

/** Empty when there is none or it cannot be understood: everything is then read anew. */
export async function readKnownFiles(file: string): Promise<[string, KnownFile][]> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  try {
    return indexSchema.parse(JSON.parse(text)).files;
  } catch (error) {
    log('what was known of the workspace is not used:', error);
    return [];
  }
}

export async function writeKnownFiles(file: string, known: ReadonlyMap<string, KnownFile>): Promise<void> {
  await writePrivateFile(file, JSON.stringify({ version: 1, files: [...known] }));
}
