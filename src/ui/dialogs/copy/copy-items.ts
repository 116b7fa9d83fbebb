import { codeBlocks } from '#lib/code-blocks.ts';
import { diffText } from '#protocol/diff-text.ts';
import type { Message, ToolCallPart } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { shellRunOf } from '../../transcript/cells/shell.ts';

/** Something of the conversation that can be copied as it was written, without the marks and wraps of the screen. */
export type CopyItem = {
  readonly id: string;
  readonly kind: 'answer' | 'prompt' | 'code' | 'diff' | 'command' | 'output' | 'peer';
  /** The language of code, the file of a change. */
  readonly label: string;
  readonly text: string;
};

/** Older things are found by search and copied from the transcript itself. */
const mostItems = 500;

/** The newest message first; what is in it follows it, top to bottom. */
export function copyItems({ messages, live }: ThreadState): readonly CopyItem[] {
  const items: CopyItem[] = [];
  for (const message of [...(live ? [live] : []), ...messages.toReversed()]) {
    items.push(...itemsOf(message).filter((item) => item.text.trim() !== ''));
    if (items.length >= mostItems) break;
  }
  return items.slice(0, mostItems);
}

type Found = Omit<CopyItem, 'id'>;

function itemsOf(message: Message): CopyItem[] {
  return foundIn(message).map((found, index) => ({ id: `${message.id}/${index}`, ...found }));
}

function foundIn(message: Message): Found[] {
  if (message.role === 'user') {
    if (message.origin === 'engine') return [];
    const run = shellRunOf(message);
    if (run) return commandItems(run);
    const text = textOf(message);
    return [item('prompt', text), ...codeItems(text)];
  }
  const text = textOf(message);
  return [
    ...(message.role === 'assistant' ? [item('answer', text)] : []),
    ...message.parts.flatMap((part): Found[] => {
      if (part.kind === 'text') return codeItems(part.text);
      if (part.kind === 'consult') return [item('peer', part.text, part.peer), ...codeItems(part.text)];
      return part.kind === 'tool-call' ? callItems(part) : [];
    }),
  ];
}

function callItems({ result }: ToolCallPart): Found[] {
  const view = result?.view;
  if (view?.kind === 'diff') return [item('diff', diffText(view), view.path)];
  if (view?.kind === 'diffs') return view.files.map((file) => item('diff', diffText(file), file.path));
  return view?.kind === 'terminal' ? commandItems(view) : [];
}

function commandItems({ command, output }: { command: string; output: string }): Found[] {
  return [item('command', command), item('output', output.replace(/\n+$/, ''), command)];
}

function codeItems(text: string): Found[] {
  return codeBlocks(text).map(({ language, code }) => item('code', code, language));
}

function textOf(message: Message): string {
  const texts = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []));
  return texts.filter((text) => text !== '').join('\n\n');
}

function item(kind: CopyItem['kind'], text: string, label = ''): Found {
  return { kind, label, text };
}
