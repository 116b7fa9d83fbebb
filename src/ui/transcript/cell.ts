import type {
  ConsultPart,
  Message,
  NoticePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '#protocol/message.ts';
import type { ActiveRun } from '#protocol/thread-state.ts';
import type { TranscriptNote } from '../store/view-state.ts';
import type { ShellRun } from './cells/shell.ts';

/** Where a call stands that has no result yet; `lost` = none will come, because its turn is over. */
export type CallPhase = 'writing' | 'waiting' | 'asking' | 'running' | 'lost';

/** One thing in the transcript; what it is made of never changes, a change makes another cell with the same id. */
export type Cell = { readonly id: string } & (
  | { readonly kind: 'user'; readonly message: Message }
  | { readonly kind: 'text'; readonly part: TextPart; readonly isLive: boolean }
  | { readonly kind: 'reasoning'; readonly part: ReasoningPart; readonly liveSince: number | null }
  | {
      readonly kind: 'tool';
      readonly part: ToolCallPart;
      readonly phase: CallPhase | null;
      readonly run: ActiveRun | undefined;
    }
  | { readonly kind: 'tool-group'; readonly calls: readonly ToolCallPart[] }
  | { readonly kind: 'shell'; readonly source: ShellRun; readonly since: number | null }
  | { readonly kind: 'image'; readonly name: string }
  | { readonly kind: 'notice'; readonly level: NoticePart['level']; readonly text: string }
  | { readonly kind: 'consult'; readonly part: ConsultPart }
  | { readonly kind: 'cut'; readonly reason: 'length' | 'content-filter' | 'aborted' | 'lost' | 'error' }
  | { readonly kind: 'turn-end'; readonly reason: string; readonly text: string }
  | {
      readonly kind: 'compaction';
      readonly summary: string;
      readonly tokensBefore: number | null;
      readonly tokensAfter: number | null;
      /** How much of what the model has no more, in words. */
      readonly dropped?: string;
    }
);

export type CellOf<Kind extends Cell['kind']> = Extract<Cell, { kind: Kind }>;
export type ToolCell = CellOf<'tool'>;

/** True when both say the same with the same objects, so that rows of the one are rows of the other. */
export function isSameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  if (a.kind === 'tool-group' && b.kind === 'tool-group')
    return (
      a.id === b.id && a.calls.length === b.calls.length && a.calls.every((call, at) => call === b.calls[at])
    );
  const keys = Object.keys(a) as (keyof Cell)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

export function noteCell(note: TranscriptNote): Cell {
  const { id } = note;
  switch (note.kind) {
    case 'notice':
      return { id, kind: 'notice', level: note.level, text: note.text };
    case 'turn-end':
      return { id, kind: 'turn-end', reason: note.reason, text: note.text };
    case 'compaction': {
      const { summary, tokensBefore, tokensAfter, dropped = '' } = note;
      return { id, kind: 'compaction', summary, tokensBefore, tokensAfter, dropped };
    }
  }
}
