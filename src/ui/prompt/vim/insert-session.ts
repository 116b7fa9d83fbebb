import { graphemes } from '#lib/text-width.ts';
import { type EditorState, withText } from '../editor.ts';
import { lineEnd, lineStart, nextGrapheme, previousGrapheme, snapForward } from '../text-units.ts';
import { onCharacter } from './lines.ts';
import { spliced } from './rewrites.ts';
import type { Change, VimScene, VimState } from './vim-state.ts';

/** Where one change began: undo comes back to it. */
type Origin = { readonly undo: EditorState['undo']; readonly text: string; readonly cursor: number };

/** Begins to insert. `origin`: the editor before the command that led here changed anything. */
export function beginInsert(
  { editor, vim }: VimScene,
  { change, origin, mode = 'insert' }: { change: Change; origin: Origin; mode?: 'insert' | 'replace' },
): VimScene {
  const session = {
    change,
    undo: origin.undo,
    before: { text: origin.text, cursor: origin.cursor },
    base: editor.text,
    at: editor.cursor,
  };
  return { editor, vim: { ...vim, mode, keys: [], goal: null, session, overtyped: [] } };
}

/** The insert mode goes on in a text that came from elsewhere, e.g. from the history. */
export function rebase(vim: VimState, editor: EditorState): VimState {
  const { text, cursor, undo } = editor;
  if (vim.mode !== 'insert' && vim.mode !== 'replace')
    return { ...vim, keys: [], mode: 'normal', goal: null };
  const change = vim.session?.change ?? null;
  return {
    ...vim,
    mode: 'insert',
    session: { change, undo, before: { text, cursor }, base: text, at: cursor },
  };
}

/** Ends the insert mode: what was typed is one change, done again as often as its count says. */
export function endInsert({ editor, vim }: VimScene): VimScene {
  const { session } = vim;
  if (!session) return { editor: placed(editor, editor.cursor), vim: { ...vim, mode: 'normal', keys: [] } };
  const typed = typedSince(session.base, session.at, editor.text);
  const { change } = session;
  const times = (change?.command.count ?? 1) - 1;
  const ended =
    times > 0 && change && repeats(change) && typed.text !== ''
      ? again(editor, { change, text: typed.text, times, vim })
      : editor;
  const hasChanged = ended.text !== session.before.text;
  const undo = hasChanged ? [...session.undo, session.before] : session.undo;
  const { text, cursor } = ended;
  const at = cursor === lineStart(text, cursor) ? cursor : previousGrapheme(text, cursor);
  return {
    editor: { ...placed(ended, at), undo, last: null },
    vim: {
      ...vim,
      mode: 'normal',
      keys: [],
      goal: null,
      session: null,
      overtyped: [],
      last: change ? { ...change, typed } : vim.last,
    },
  };
}

/** A count means the typed text for these, and what to change for the others. */
function repeats({ command: { action } }: Change): boolean {
  return action.kind === 'key';
}

function again(
  editor: EditorState,
  { change, text, times, vim }: { change: Change; text: string; times: number; vim: VimState },
): EditorState {
  const name = change.command.action.kind === 'key' ? change.command.action.name : '';
  const most = Math.max(1, Math.floor(mostRepeated / text.length));
  const piece = (name === 'o' || name === 'O' ? `\n${text}` : text).repeat(Math.min(times, most));
  return vim.mode === 'replace' ? overtype(editor, piece) : typeAt(editor, piece);
}

/** A count of thousands must not make a text that nothing can draw. */
const mostRepeated = 1_000_000;

/** Does again what was typed, where the cursor stands. */
export function retype({ editor, vim }: VimScene, { back, text }: NonNullable<Change['typed']>): VimScene {
  let from = editor.cursor;
  for (let left = back; left > 0; left -= 1) from = previousGrapheme(editor.text, from);
  const erased =
    from === editor.cursor
      ? editor
      : withText(editor, { text: spliced(editor.text, { from, to: editor.cursor }, ''), cursor: from });
  return { editor: vim.mode === 'replace' ? overtype(erased, text) : typeAt(erased, text), vim };
}

function typeAt(editor: EditorState, text: string): EditorState {
  const { cursor } = editor;
  return withText(editor, {
    text: spliced(editor.text, { from: cursor, to: cursor }, text),
    cursor: cursor + text.length,
  });
}

function overtype(editor: EditorState, text: string): EditorState {
  return graphemes(text).reduce((state, character) => overtypeOne(state, character).editor, editor);
}

/** Writes over the character under the cursor; at the end of a line it is added. */
export function overtypeOne(editor: EditorState, character: string): { editor: EditorState; over: string } {
  const { text, cursor } = editor;
  const isAdded = character === '\n' || cursor === lineEnd(text, cursor);
  const to = isAdded ? cursor : nextGrapheme(text, cursor);
  const next = spliced(text, { from: cursor, to }, character);
  return {
    editor: withText(editor, { text: next, cursor: cursor + character.length }),
    over: text.slice(cursor, to),
  };
}

function typedSince(base: string, at: number, text: string): { back: number; text: string } {
  const most = Math.min(at, text.length);
  let start = 0;
  while (start < most && base.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  const rest = Math.min(base.length - at, text.length - start);
  let same = 0;
  while (same < rest && base.charCodeAt(base.length - 1 - same) === text.charCodeAt(text.length - 1 - same))
    same += 1;
  const from = start === text.length ? start : Math.min(start, snapForward(text, start));
  return { back: graphemes(base.slice(from, at)).length, text: text.slice(from, text.length - same) };
}

function placed(editor: EditorState, cursor: number): EditorState {
  const at = onCharacter(editor.text, cursor);
  return at === editor.cursor ? editor : { ...editor, cursor: at, goalColumn: null, yanked: null };
}
