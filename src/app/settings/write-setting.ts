import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { parseConfig, readConfigText } from './config-file.ts';
import type { Layer } from './layer.ts';
import { settingsSchema } from './schema.ts';
import { parseSettings } from './validate.ts';

/**
 * Changes one value of a hand-written config file and nothing else in it: comments and order stay. The file as it
 * would become is checked first; when it is not valid nothing is written. `undefined` takes the key out; a number is
 * a place in a list, -1 behind its last entry.
 */
export async function writeSetting(
  file: string,
  keys: readonly (string | number)[],
  value: unknown,
  options: { isPrivate: boolean },
): Promise<void> {
  const before = (await readConfigText(file)) ?? '';
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const text = before.trim() === '' ? '{}\n' : before;
  const isArrayInsertion = keys.at(-1) === -1;
  const edits = modify(text, [...keys], value, { formattingOptions, isArrayInsertion });
  const after = applyEdits(text, edits);
  checkAlone(file, after);
  try {
    if (options.isPrivate) await writePrivateFile(file, after);
    else {
      await mkdir(path.dirname(file), { recursive: true });
      // Beside it first, so that a crash leaves the old file or the new one.
      const beside = `${file}.${process.pid}.tmp`;
      await writeFile(beside, after);
      await rename(beside, file);
    }
  } catch (error) {
    throw new LlmcodeError('config-unwritable', `${file} cannot be written: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function checkAlone(file: string, text: string): void {
  const parsed = parseConfig(file, text);
  if (!parsed) return;
  const layer: Layer = { origin: file, kind: 'user', value: parsed.value, shown: parsed.value, file: parsed };
  parseSettings(settingsSchema, parsed.value, [layer]);
}

/** `a.b\.c` -> `['a', 'b.c']`. */
export function splitKey(key: string): string[] {
  return key.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
}
