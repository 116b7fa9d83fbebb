import { open } from 'node:fs/promises';
import type { ThreadLine, ThreadPreview } from '#protocol/thread-entry.ts';
import { type Passage, passageOf } from './index/passage.ts';
import { parsed, readAt } from './index/update-index.ts';
import { findLog } from './store.ts';

/** Bytes looked at from each end of a log. */
const headBytes = 65_536;
const tailBytes = 131_072;
const shownLines = 3;
const shownChars = 400;

/** How a thread began and where it stands, from the two ends of its log. Rejects when it cannot be read. */
export async function previewThread(home: string, threadId: string): Promise<ThreadPreview> {
  const handle = await open(await findLog(home, threadId), 'r');
  try {
    const { size } = await handle.stat();
    const head = await readAt(handle, { from: 0, length: Math.min(size, headBytes) });
    const from = Math.max(0, size - tailBytes);
    const tail = await readAt(handle, { from, length: size - from });
    return {
      first: linesIn(head)
        .filter(({ who }) => who === 'you')
        .slice(0, 1),
      last: linesIn(tail).slice(-shownLines),
    };
  } finally {
    await handle.close();
  }
}

function linesIn(bytes: Buffer): ThreadLine[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const passage = passageOf(parsed(line));
      const who = passage && whoSaid(passage);
      return who ? [{ messageId: passage.messageId, who, text: passage.text.slice(0, shownChars) }] : [];
    });
}

function whoSaid({ kind }: Passage): ThreadLine['who'] | undefined {
  switch (kind) {
    case 'prompt':
      return 'you';
    case 'answer':
      return 'model';
    default:
      return undefined;
  }
}
