import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpus, fileCall, hasCorpora, makeGate, makePlace, type Place, put } from './support.ts';

type Step = Record<string, string>;
type Row = {
  id: string;
  title: string;
  path: string;
  fixture: Step[];
  accept: { read: string[]; write: string[] };
  cwd?: string;
  workspace?: string;
  additional?: string[];
  rules?: { deny?: string[]; allow?: string[]; allow_write?: string[] };
  limit_ms?: number;
};

/** What the tools refuse before anything is decided: they count as deny. */
const refusedByTools = new Set(['pef15d2c6']);

describe.skipIf(!hasCorpora)('the corpus of paths', () => {
  const rows = hasCorpora ? corpus<Row>('path-cases.jsonl') : [];

  it.each(rows.map((row) => ({ row, title: `${row.id} ${row.title}` })))('$title', async ({ row }) => {
    const place = makePlace();
    const fill = (text: string) =>
      text
        .replaceAll('${WSNAME}', path.basename(place.workspace))
        .replaceAll('${WS}', place.workspace)
        .replaceAll('${OUT}', place.outside)
        .replaceAll('${HOME}', place.userHome)
        .replaceAll('${LINKWS}', path.join(place.base, 'link'));
    const sockets: net.Server[] = [];
    try {
      for (const step of row.fixture) await prepare(step, place, { fill, sockets });
      const cwd = fill(row.cwd ?? '${WS}');
      const roots = [fill(row.workspace ?? '${WS}'), ...(row.additional ?? []).map(fill)];
      const { deny = [], allow = [], allow_write: allowWrite = [] } = row.rules ?? {};
      const rules = {
        deny: deny.flatMap((pattern) => [`Read(${pattern})`, `Edit(${pattern})`]),
        allow: [
          ...allow.map((pattern) => `Read(${pattern})`),
          ...allowWrite.map((pattern) => `Edit(${pattern})`),
        ],
      };
      const gate = makeGate(place, { cwd, roots, rules });
      const text = fill(row.path);
      // As the tools make it: `~/` is the home folder, anything else is relative, and a `/` at the end stays.
      const resolved = text.startsWith('~/')
        ? path.join(place.userHome, text.slice(2))
        : path.resolve(cwd, text);
      const file = /.\/$/.test(text) ? `${resolved}/` : resolved;
      for (const access of ['read', 'write'] as const) {
        const started = performance.now();
        const decision = refusedByTools.has(row.id)
          ? 'deny'
          : gate.decide(fileCall(text.includes('\0') ? text : file, { mode: 'workspace_write', access }))
              .decision;
        expect(row.accept[access], `${access} of ${row.path}`).toContain(decision);
        expect(performance.now() - started).toBeLessThan(row.limit_ms ?? 2_000);
      }
    } finally {
      for (const socket of sockets) socket.close();
      rmSync(place.base, { recursive: true, force: true });
    }
  });
});

async function prepare(
  step: Step,
  place: Place,
  { fill, sockets }: { fill: (text: string) => string; sockets: net.Server[] },
): Promise<void> {
  const at = (text: string) => path.resolve(place.workspace, fill(text));
  const { dir, file, symlink, hardlink, fifo, socket, file_bytes: bytes, to = '' } = step;
  if (dir !== undefined) mkdirSync(at(dir), { recursive: true });
  else if (file !== undefined) put(at(file));
  else if (symlink !== undefined) symlinkSync(fill(to), at(symlink));
  else if (hardlink !== undefined) linkSync(at(to), at(hardlink));
  else if (fifo !== undefined) execFileSync('mkfifo', [at(fifo)]);
  else if (bytes !== undefined) {
    const name = Buffer.concat([Buffer.from(`${place.workspace}/`), Buffer.from(bytes, 'base64')]);
    if (!existsSync(name)) writeFileSync(name, 'text');
  } else if (socket !== undefined) {
    const server = net.createServer().listen(at(socket));
    sockets.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
  }
}
