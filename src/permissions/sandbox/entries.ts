import { lstatSync, readdirSync, type Stats } from 'node:fs';

/** Of the entry itself, not of what a link leads to; undefined when it is not there, or below a file. */
export function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** Empty when it is no folder, or closed to us. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
