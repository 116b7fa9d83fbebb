import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { makeFolder } from './make-folder.ts';

const maxBytes = 4_000_000;
const keptFiles = 20;

// The one sink of the process: nothing but this file and the screen may write anywhere.
let file: string | undefined;
let written = 0;

/** From here on `log` writes to one file of this process; before that, and past its size limit, it drops. */
export function openLog(folder: string): void {
  try {
    makeFolder(folder);
    const old = readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .sort();
    for (const name of old.slice(0, Math.max(0, old.length - keptFiles)))
      rmSync(path.join(folder, name), { force: true });
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    file = path.join(folder, `${stamp}-${process.pid}.log`);
  } catch {
    file = undefined; // A read-only home must not keep anyone from working.
  }
}

export function log(...values: unknown[]): void {
  if (!file || written > maxBytes) return;
  const line = `${new Date().toISOString()} ${format(...values)}\n`;
  written += line.length;
  try {
    appendFileSync(file, line, { mode: 0o600 });
  } catch {
    file = undefined; // A full disk: there is nowhere left to say so.
  }
}
