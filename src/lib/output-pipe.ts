import { execFile } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { log } from './log.ts';

/**
 * A pipe of the system, as descriptors. Node makes only sockets, on which `/dev/stdout` cannot be opened, and which
 * are read in small, dear portions.
 */
export type OutputPipe = {
  /** For us; does not block. */
  reader: number;
  /** For those that write; the parent closes it once they have it. */
  writer: number;
  /** For who takes over when we are gone. */
  spare: number;
};

const bufferBytes = 262_144;

/** undefined where there is no program that makes one, or no room for it. */
export async function openOutputPipe(): Promise<OutputPipe | undefined> {
  const program = ['/usr/bin/mkfifo', '/bin/mkfifo'].find((file) => existsSync(file));
  if (!program) return undefined;
  const opened: number[] = [];
  const open = (file: string, flags: number) => {
    const fd = openSync(file, flags);
    opened.push(fd);
    return fd;
  };
  let folder: string | undefined;
  try {
    // Only its owner can look into the folder, and the name is gone before anything is written.
    folder = mkdtempSync(path.join(tmpdir(), 'llmcode-pipe-'));
    const name = path.join(folder, 'output');
    await promisify(execFile)(program, ['-m', '600', name]);
    const reader = open(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = open(name, constants.O_WRONLY);
    return { reader, writer, spare: open(name, constants.O_RDONLY | constants.O_NONBLOCK) };
  } catch (error) {
    log('no pipe could be made:', error);
    for (const fd of opened) closeSync(fd);
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a pipe to its end; the bytes are good only until `onBytes` returns. */
export function readPipe(reader: number, onBytes: (chunk: Buffer) => void): net.Socket {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  return new net.Socket({
    fd: reader,
    readable: true,
    writable: false,
    // One buffer for all of it: a new one for each portion takes longer than to read it.
    onread: {
      buffer,
      callback: (length) => {
        onBytes(buffer.subarray(0, length));
        return true;
      },
    },
  });
}
