import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The body of an answer without the packing that its head names. */
export function unpacked(incoming: IncomingMessage): Readable {
  const coding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const create = Object.hasOwn(unpackers, coding) ? unpackers[coding as keyof typeof unpackers] : undefined;
  if (!create) return incoming;
  const stream = create();
  incoming.on('error', (error) => stream.destroy(error));
  return incoming.pipe(stream);
}
