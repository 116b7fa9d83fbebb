import { type EditorState, edit, withText } from '../editor.ts';
import { lineEnd, lineStart, nextGrapheme, previousGrapheme, snapForward } from '../text-units.ts';
import { beginInsert, endInsert, retype } from './insert-session.ts';
import { onCharacter } from './lines.ts';
import { reachOf } from './motions.ts';
import { operate } from './operate.ts';
import { readRegister, writeRegister } from './registers.ts';
import * as rewrites from './rewrites.ts';
import {
  extentOf,
  linesSpan,
  type Span,
  selectedSpan,
  spanOfExtent,
  spanOfObject,
  spanOfReach,
} from './spans.ts';
import { objectAt, objectBehind } from './text-objects.ts';
import type { Change, Extent, VimAction, VimCommand, VimScene } from './vim-state.ts';

/** `edge`: j or k would have left the text. `copied` goes to the clipboard of the terminal. */
export type Ran = VimScene & { readonly edge?: 'up' | 'down'; readonly copied?: string };

/** Runs one whole command. What cannot be done changes nothing. */
export function runCommand(scene: VimScene, command: VimCommand): Ran {
  return settled(run({ ...scene, vim: { ...scene.vim, keys: [] } }, command, null));
}

/** A selection that is to be operated on is given as `extent` when `.` does it again. */
function run(scene: VimScene, command: VimCommand, extent: Extent | null): Ran {
  const { action } = command;
  switch (action.kind) {
    case 'move':
      return move(scene, command, action.motion);
    case 'select':
      return select(scene, command, action);
    case 'operate':
      return operateOnTarget(scene, command, action);
    case 'operate-selected': {
      const selected = extent
        ? spanOfExtent(scene.editor.text, scene.editor.cursor, extent)
        : selectedSpan(scene);
      const { text } = scene.editor;
      const span =
        action.isLinewise && !selected.isLinewise
          ? linesSpan(text, selected.from, Math.max(selected.from, selected.to - 1))
          : selected;
      const change = { command, typed: null, extent: extent ?? extentOf(text, selected) };
      return operate(leftVisual(scene), {
        operator: action.operator,
        span,
        change,
        undoTo: span.from,
        isSelected: true,
      });
    }
    case 'key':
      return scene.vim.mode === 'normal' && !extent
        ? normalKey(scene, command, action)
        : selectedKey(scene, command, action, extent);
  }
}

function move(scene: VimScene, { count }: VimCommand, motion: { name: string; character?: string }): Ran {
  const { editor, vim } = scene;
  const { text, cursor } = editor;
  const isVisual = vim.mode !== 'normal';
  const isSearch = motion.character !== undefined;
  const find = isSearch ? motion : vim.find;
  const reach = reachOf(motion, { text, cursor, count, goal: vim.goal, find, operator: null, isVisual });
  const searched = { ...vim, find };
  if (!reach) {
    const edge = edges[motion.name];
    const isOnEdge = edge !== undefined && !isVisual && count === null;
    return { editor, vim: searched, ...(isOnEdge ? { edge } : {}) };
  }
  return { editor: at(editor, reach.to), vim: { ...searched, goal: reach.goal ?? null } };
}

const edges: Readonly<Partial<Record<string, 'up' | 'down'>>> = {
  j: 'down',
  '<Down>': 'down',
  k: 'up',
  '<Up>': 'up',
};

type Select = Extract<VimAction, { kind: 'select' }>;
type Operate = Extract<VimAction, { kind: 'operate' }>;
type KeyAction = Extract<VimAction, { kind: 'key' }>;

function select(scene: VimScene, { count }: VimCommand, { object, isAround }: Select): Ran {
  const { editor, vim } = scene;
  const { text, cursor } = editor;
  const wanted = { object, isAround, count: count ?? 1 };
  if (vim.anchor !== cursor) {
    const behind = objectBehind(text, cursor, wanted);
    if (behind !== undefined) return { editor: at(editor, behind), vim };
  }
  const found = objectAt(text, cursor, wanted);
  if (!found || found.from === found.to) return scene;
  if (found.isLinewise) {
    const { from, to } = selectedSpan(scene);
    const isSame = vim.mode === 'visual-line' && from === found.from && to === found.to;
    const behind = isSame ? objectBehind(text, cursor, wanted) : undefined;
    return behind !== undefined
      ? { editor: at(editor, behind), vim }
      : {
          editor: at(editor, lineStart(text, found.to)),
          vim: { ...vim, mode: 'visual-line', anchor: found.from },
        };
  }
  return {
    editor: at(editor, previousGrapheme(text, found.to)),
    vim: { ...vim, mode: 'visual', anchor: found.from },
  };
}

function operateOnTarget(scene: VimScene, command: VimCommand, { operator, target }: Operate): Ran {
  const { editor, vim } = scene;
  const { text, cursor } = editor;
  const count = command.count;
  const change: Change = { command, typed: null, extent: null };
  if (target.kind === 'lines') {
    const last = reachOf({ name: '_' }, { ...motionScene(scene, count), operator: null });
    if (!last) return scene;
    const span = linesSpan(text, cursor, last.to);
    return operate(scene, {
      operator,
      span,
      change,
      undoTo: operator === 'y' ? cursor : Math.min(cursor, last.to),
    });
  }
  if (target.kind === 'object') {
    const found = objectAt(text, cursor, { ...target, count: count ?? 1 });
    if (!found) return scene;
    return operate(scene, {
      operator,
      span: spanOfObject(text, found, operator),
      change,
      undoTo: found.from,
    });
  }
  const { motion } = target;
  const find = motion.character === undefined ? vim.find : motion;
  const searched = { editor, vim: { ...vim, find } };
  const reach = reachOf(motion, { ...motionScene(searched, count), operator });
  if (!reach) {
    const isEmptyLine = lineStart(text, cursor) === lineEnd(text, cursor);
    if (operator !== 'c' || !isEmptyLine || !staysInLine.has(motion.name)) return searched;
    return operate(searched, {
      operator,
      span: { from: cursor, to: cursor, isLinewise: false },
      change,
      undoTo: cursor,
    });
  }
  const span = spanOfReach(text, cursor, { reach, operator });
  return operate(searched, { operator, span, change, undoTo: Math.min(cursor, reach.to) });
}

const staysInLine = new Set(['l', 'h', '$', 'w', 'W', 'e', 'E']);

function motionScene({ editor: { text, cursor }, vim }: VimScene, count: number | null) {
  return { text, cursor, count, goal: vim.goal, find: vim.find, operator: null, isVisual: false };
}

function normalKey(scene: VimScene, command: VimCommand, { name, character }: KeyAction): Ran {
  const { editor, vim } = scene;
  const { text, cursor } = editor;
  const times = command.count ?? 1;
  const change: Change = { command, typed: null, extent: null };
  const insertAt = (offset: number, mode: 'insert' | 'replace' = 'insert') =>
    beginInsert(
      { editor: at(editor, offset), vim },
      { change, mode, origin: { undo: editor.undo, text, cursor: offset } },
    );
  const rewrite = (done: rewrites.Rewrite | undefined): Ran =>
    done ? { editor: withText(editor, done), vim: { ...vim, goal: null, last: change } } : scene;
  switch (name) {
    case 'i':
      return insertAt(cursor);
    case 'I':
      return insertAt(
        lineStart(text, cursor) +
          (/^[ \t]*/.exec(text.slice(lineStart(text, cursor), lineEnd(text, cursor)))?.[0].length ?? 0),
      );
    case 'a':
      return insertAt(cursor === lineEnd(text, cursor) ? cursor : nextGrapheme(text, cursor));
    case 'A':
      return insertAt(lineEnd(text, cursor));
    case 'R':
      return insertAt(cursor, 'replace');
    case 'o':
    case 'O': {
      const opened = withText(editor, rewrites.opened(text, cursor, { isAbove: name === 'O' }));
      return beginInsert({ editor: opened, vim }, { change, origin: editor });
    }
    case 'v':
    case 'V':
      return {
        editor,
        vim: { ...vim, mode: name === 'v' ? 'visual' : 'visual-line', anchor: cursor, goal: null },
      };
    case 'p':
    case 'P': {
      const register = readRegister(vim.registers, command.register);
      if (!register || register.text.length * times > mostPut) return scene;
      return rewrite(rewrites.put(text, cursor, { register, count: times, isBefore: name === 'P' }));
    }
    case 'r':
      return rewrite(rewrites.replacedCharacters(text, cursor, { by: character ?? '', count: times }));
    case 'J':
    case 'gJ':
      return rewrite(rewrites.joined(text, cursor, { lines: times, isPlain: name === 'gJ' }));
    case '~': {
      const reach = reachOf({ name: 'l' }, { ...motionScene(scene, times), operator: 'g~' });
      if (!reach) return scene;
      const { text: toggled } = rewrites.recased(
        text,
        { from: cursor, to: reach.to, isLinewise: false },
        'g~',
      );
      return rewrite({ text: toggled, cursor: reach.to });
    }
    case '<C-a>':
    case '<C-x>':
      return rewrite(rewrites.counted(text, cursor, name === '<C-a>' ? times : -times));
    case 'u':
    case '<C-r>':
      return travel(scene, name === 'u' ? 'undo' : 'redo', times);
    case '.':
      return repeat(scene, command.count);
    default:
      return scene;
  }
}

/** More than this is no prompt any more. */
const mostPut = 1_000_000;

function selectedKey(
  scene: VimScene,
  command: VimCommand,
  { name, character }: KeyAction,
  extent: Extent | null,
): Ran {
  const { editor, vim } = scene;
  const { text, cursor } = editor;
  const span: Span = extent ? spanOfExtent(text, cursor, extent) : selectedSpan(scene);
  const change: Change = { command, typed: null, extent: extent ?? extentOf(text, span) };
  const left = leftVisual(scene);
  const rewrite = (done: rewrites.Rewrite | undefined): Ran =>
    done
      ? { editor: withText(editor, { ...done, undoTo: span.from }), vim: { ...left.vim, last: change } }
      : left;
  switch (name) {
    case 'v':
    case 'V': {
      const mode = name === 'v' ? 'visual' : 'visual-line';
      return vim.mode === mode ? left : { editor, vim: { ...vim, mode } };
    }
    case 'o':
    case 'O':
      return { editor: at(editor, vim.anchor), vim: { ...vim, anchor: cursor, goal: null } };
    case 'r':
      return rewrite(rewrites.filled(text, span, character ?? ''));
    case 'J':
    case 'gJ': {
      const lines = text.slice(span.from, span.to).split('\n').length;
      return rewrite(rewrites.joined(text, span.from, { lines, isPlain: name === 'gJ' }));
    }
    case 'p':
    case 'P': {
      const register = readRegister(vim.registers, command.register);
      const count = command.count ?? 1;
      if (!register || register.text.length * count > mostPut) return left;
      const put = rewrite(rewrites.putOver(text, span, { register, count }));
      if (name === 'P') return put;
      const taken = { text: text.slice(span.from, span.to), isLinewise: span.isLinewise };
      const registers = writeRegister(put.vim.registers, taken, { name: null, isYank: false });
      return { ...put, vim: { ...put.vim, registers } };
    }
    case 'I':
    case 'A': {
      const offset =
        name === 'I' ? span.from : Math.min(span.to, lineEnd(text, Math.max(span.from, span.to - 1)));
      const origin = { undo: editor.undo, text, cursor: offset };
      const inserted: Change = {
        command: { ...command, action: { kind: 'key', name: name === 'I' ? 'i' : 'a' } },
        typed: null,
        extent: null,
      };
      return beginInsert({ editor: at(editor, offset), vim }, { change: inserted, origin });
    }
    default:
      return left;
  }
}

/** Does the last change again; a count takes the place of the one it had. */
function repeat(scene: VimScene, count: number | null): Ran {
  const { last } = scene.vim;
  if (!last) return scene;
  const command = count === null ? last.command : { ...last.command, count };
  const ran = run(scene, command, last.extent);
  const isTyping = ran.vim.mode === 'insert' || ran.vim.mode === 'replace';
  if (!isTyping) return ran;
  const typed = last.typed ? retype(ran, last.typed) : ran;
  const ended = endInsert(typed);
  return { ...ended, vim: { ...ended.vim, last: { ...last, command } } };
}

function travel(scene: VimScene, direction: 'undo' | 'redo', times: number): Ran {
  let { editor } = scene;
  for (let left = times; left > 0 && editor[direction].length > 0; left -= 1) {
    const next = edit(editor, direction, 1);
    // Redo has no place of its own: it goes to where the change was made.
    const saved = direction === 'undo' ? next.cursor : editor.cursor;
    editor = at(next, rewrites.cursorAfterUndo(editor.text, next.text, Math.min(saved, next.text.length)));
  }
  return { editor, vim: { ...scene.vim, goal: null } };
}

function leftVisual({ editor, vim }: VimScene): VimScene {
  return {
    editor: at(editor, Math.min(vim.mode === 'normal' ? editor.cursor : vim.anchor, editor.cursor)),
    vim: { ...vim, mode: 'normal', goal: null },
  };
}

function at(editor: EditorState, cursor: number): EditorState {
  return cursor === editor.cursor
    ? editor
    : { ...editor, cursor, goalColumn: null, last: null, yanked: null };
}

/** Outside of the insert mode the cursor stands on a character; in a selection it may stand behind the last one. */
function settled(ran: Ran): Ran {
  const { editor, vim } = ran;
  const { text, cursor } = editor;
  const snapped = snapForward(text, cursor);
  const place = vim.mode === 'normal' ? onCharacter(text, snapped) : snapped;
  const anchor = Math.min(vim.anchor, text.length);
  return { ...ran, editor: at(editor, place), vim: anchor === vim.anchor ? vim : { ...vim, anchor } };
}

/** Where the insert mode is left for the normal one. */
export function leaveInsert(scene: VimScene): Ran {
  return settled(endInsert(scene));
}
