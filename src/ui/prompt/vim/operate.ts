import { withText } from '../editor.ts';
import { beginInsert } from './insert-session.ts';
import { writeRegister } from './registers.ts';
import * as rewrites from './rewrites.ts';
import type { Span } from './spans.ts';
import type { Change, Operator, VimScene } from './vim-state.ts';

type Wanted = {
  readonly operator: Operator;
  readonly span: Span;
  readonly change: Change;
  /** Where undo brings the cursor, and a yank leaves it. */
  readonly undoTo: number;
  readonly isSelected?: boolean;
};

/** Runs an operator on a span. */
export function operate(scene: VimScene, wanted: Wanted): VimScene & { copied?: string } {
  const { editor } = scene;
  const { text } = editor;
  const { operator, span, change, undoTo, isSelected = false } = wanted;
  const { count } = change.command;
  const done = (rewrite: rewrites.Rewrite): VimScene => ({
    editor: withText(editor, { ...rewrite, undoTo }),
    vim: { ...scene.vim, goal: null, last: change },
  });
  switch (operator) {
    case 'y': {
      const taken = kept(scene, wanted);
      const cursor = isSelected && span.isLinewise ? span.from : undoTo;
      return { ...taken, editor: { ...editor, cursor, goalColumn: null, last: null, yanked: null } };
    }
    case 'd': {
      if (span.from === span.to && !span.isLinewise) return scene;
      const { vim, ...copied } = kept(scene, wanted);
      return {
        ...copied,
        editor: withText(editor, { ...rewrites.deleted(text, span), undoTo }),
        vim: { ...vim, last: change },
      };
    }
    case 'c': {
      const isEmpty = span.from === span.to && !span.isLinewise;
      const { vim, ...copied } = isEmpty ? scene : kept(scene, wanted);
      const rest = rewrites.spliced(text, span, '');
      const cut = withText(editor, { text: rest, cursor: span.from, undoTo });
      const origin = { undo: editor.undo, text, cursor: undoTo };
      return { ...copied, ...beginInsert({ editor: cut, vim }, { change, origin }) };
    }
    case '>':
    case '<':
      return done(
        rewrites.shifted(text, span, { times: isSelected ? (count ?? 1) : 1, isLeft: operator === '<' }),
      );
    case 'g~':
    case 'gu':
    case 'gU':
      return done({ ...rewrites.recased(text, span, operator), cursor: undoTo });
  }
}

/** What the span holds goes into the register that was asked for. */
function kept(scene: VimScene, { operator, span, change }: Wanted): VimScene & { copied?: string } {
  const { editor, vim } = scene;
  const value = { text: editor.text.slice(span.from, span.to), isLinewise: span.isLinewise };
  const name = change.command.register;
  const registers = writeRegister(vim.registers, value, { name, isYank: operator === 'y' });
  const isClipboard = name === '+' || name === '*';
  const copied = isClipboard ? { copied: value.text + (value.isLinewise ? '\n' : '') } : {};
  return { editor, vim: { ...vim, registers, goal: null }, ...copied };
}
