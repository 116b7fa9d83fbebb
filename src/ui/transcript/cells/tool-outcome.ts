import type { JsonValue } from '#protocol/json.ts';
import type { ToolCallPart, ToolResultRecord } from '#protocol/message.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import type { CallPhase } from '../cell.ts';
import { failed } from '../views/tool-view.ts';
import { titleText, wordsText } from './tool-line.ts';

/** How a call stands, in a mark and a few words. The words say it too: colour alone tells nothing. */
export type Outcome = { mark: string; token: ThemeToken; spans: readonly Span[] };

export function outcomeOf(part: ToolCallPart, phase: CallPhase | null): Outcome {
  const { result } = part;
  if (!result) return phaseOutcome(phase);
  const words = wordsText(result.summary ?? '');
  switch (result.status) {
    case 'denied':
      return { mark: '⊘', token: 'warning', spans: [span(words || 'denied', 'warning')] };
    case 'aborted':
      return { mark: '■', token: 'dim', spans: [span(words || 'stopped', 'dim')] };
    case 'error':
      return { mark: '✗', token: 'error', spans: [span(words || 'failed', 'error')] };
    case 'ok':
      return okOutcome(result, words);
  }
}

/** The short argument beside the name; of a call that has none, its input. */
export function callTitle(part: ToolCallPart): string {
  if (part.title !== undefined) return titleText(part.title);
  if (part.rawInput) return titleText(part.rawInput);
  return titleText(inputText(part.input));
}

function phaseOutcome(phase: CallPhase | null): Outcome {
  switch (phase) {
    case 'asking':
      return { mark: '?', token: 'warning', spans: [span('asks you', 'warning')] };
    case 'running':
      return { mark: '▸', token: 'accent', spans: [] };
    case 'writing':
      return { mark: '○', token: 'dim', spans: [span('…', 'dim')] };
    case 'lost':
      return { mark: '■', token: 'dim', spans: [span('no result', 'dim')] };
    case 'waiting':
    case null:
      return { mark: '○', token: 'dim', spans: [span('waits', 'dim')] };
  }
}

function okOutcome(result: ToolResultRecord, words: string): Outcome {
  const { view } = result;
  if (view?.kind === 'terminal' && failed(view)) {
    const how = view.signal === null ? `exit ${view.exitCode}` : titleText(view.signal);
    const text = words === '' || words.includes(how) ? words || how : `${how} · ${words}`;
    return { mark: '✗', token: 'error', spans: [span(text, 'error')] };
  }
  if (view?.kind === 'diff') return { mark: '▸', token: 'dim', spans: diffOutcome(view) };
  if (view?.kind === 'diffs') return { mark: '▸', token: 'dim', spans: diffsOutcome(view.files) };
  return { mark: '▸', token: 'dim', spans: words === '' ? [] : [span(words, 'dim')] };
}

function diffOutcome(view: Pick<DiffView, 'change' | 'added' | 'removed'>): Span[] {
  const counts: Span[] = [];
  if (view.added > 0) counts.push(span(`+${view.added}`, 'diffAdded'));
  if (view.removed > 0) counts.push(span(`${view.added > 0 ? ' ' : ''}−${view.removed}`, 'diffRemoved'));
  if (view.change === 'create') counts.push(span(`${counts.length > 0 ? ' ' : ''}new file`, 'dim'));
  if (view.change === 'delete') counts.push(span(`${counts.length > 0 ? ' ' : ''}removed`, 'dim'));
  if (counts.length === 0) counts.push(span('no change', 'dim'));
  return counts;
}

function diffsOutcome(files: readonly DiffView[]): Span[] {
  const sum = (part: 'added' | 'removed') => files.reduce((total, file) => total + file[part], 0);
  const counts = diffOutcome({ change: 'modify', added: sum('added'), removed: sum('removed') });
  return [...counts, span(` in ${files.length} files`, 'dim')];
}

function inputText(input: JsonValue): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return JSON.stringify(input);
  const values = Object.values(input);
  if (values.length === 0) return '';
  const [first] = values;
  return values.length === 1 && typeof first === 'string' ? first : JSON.stringify(input);
}
