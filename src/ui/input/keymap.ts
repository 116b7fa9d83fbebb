import type { KeyPress } from './key-press.ts';

/** Where a key is looked up; the caller asks its contexts in order, the innermost first. */
export const keyContexts = ['always', 'screen', 'reading', 'search', 'find', 'completion', 'prompt'] as const;
export type KeyContext = (typeof keyContexts)[number];

/** What a key can be bound to: an action, or a slash command as it is typed. */
export type KeyCommand = ActionId | `/${string}`;

export type ActionId =
  // always: also over a dialog
  | 'suspend'
  | 'redraw'
  // screen
  | 'cancel'
  | 'clear-or-exit'
  | 'cycle-mode'
  | 'expand'
  | 'expand-all'
  | 'find'
  | 'external-editor'
  | 'choose-model'
  | 'palette'
  | 'help'
  | 'toggle-todos'
  | 'toggle-tasks'
  | 'background-run'
  | 'page-up'
  | 'page-down'
  | 'scroll-top'
  | 'scroll-bottom'
  | 'scroll-line-up'
  | 'scroll-line-down'
  | 'prompt-older'
  | 'prompt-newer'
  // the search in the conversation
  | 'find-older'
  | 'find-newer'
  | 'find-stay'
  | 'find-leave'
  // search and completion
  | 'search-older'
  | 'search-newer'
  | 'search-take'
  | 'search-leave'
  | 'search-scope'
  | 'completion-next'
  | 'completion-previous'
  | 'completion-take'
  | 'completion-run'
  | 'completion-close'
  // prompt
  | 'send'
  | 'queue'
  | 'newline'
  | 'history-search'
  | 'stash'
  | EditCommand;

/** What the editor does without further data. */
export const editCommands = [
  'left',
  'right',
  'word-left',
  'word-right',
  'up',
  'down',
  'line-start',
  'line-end',
  'erase-left',
  'erase-right',
  'kill-word-left',
  'kill-word-right',
  'kill-blank-word-left',
  'kill-line-left',
  'kill-line-right',
  'yank',
  'yank-older',
  'transpose',
  'transpose-words',
  'upper-word',
  'lower-word',
  'capital-word',
  'text-start',
  'text-end',
  'undo',
  'redo',
] as const;
export type EditCommand = (typeof editCommands)[number];

export type Keymap = Readonly<Record<KeyContext, Readonly<Record<string, KeyCommand>>>>;

export const defaultKeymap: Keymap = {
  always: {
    'ctrl+z': 'suspend',
    'ctrl+l': 'redraw',
  },
  screen: {
    escape: 'cancel',
    'ctrl+c': 'clear-or-exit',
    'shift+tab': 'cycle-mode',
    'ctrl+o': 'expand',
    'alt+o': 'expand-all',
    'ctrl+f': 'find',
    'ctrl+g': 'external-editor',
    'alt+p': 'choose-model',
    'alt+x': 'palette',
    'ctrl+p': 'palette',
    f1: 'help',
    'ctrl+t': 'toggle-todos',
    'ctrl+b': 'background-run',
    pageup: 'page-up',
    pagedown: 'page-down',
    'ctrl+home': 'scroll-top',
    'ctrl+end': 'scroll-bottom',
    'shift+up': 'scroll-line-up',
    'shift+down': 'scroll-line-down',
    'alt+up': 'prompt-older',
    'ctrl+up': 'prompt-older',
    'alt+down': 'prompt-newer',
    'ctrl+down': 'prompt-newer',
    'ctrl+x ctrl+e': 'external-editor',
    'ctrl+x m': 'choose-model',
    'ctrl+x t': 'toggle-todos',
    'ctrl+x b': 'toggle-tasks',
    'ctrl+x e': 'external-editor',
    'ctrl+x h': 'help',
    'ctrl+x l': '/resume',
    'ctrl+x n': '/clear',
    'ctrl+x c': '/compact',
    'ctrl+x u': '/undo',
    'ctrl+x r': '/redo',
  },
  reading: {
    end: 'scroll-bottom',
    home: 'scroll-top',
  },
  search: {
    'ctrl+r': 'search-older',
    up: 'search-older',
    'ctrl+p': 'search-older',
    'ctrl+s': 'search-newer',
    down: 'search-newer',
    'ctrl+n': 'search-newer',
    enter: 'search-take',
    tab: 'search-take',
    'ctrl+t': 'search-scope',
    escape: 'search-leave',
    'ctrl+c': 'search-leave',
    'ctrl+g': 'search-leave',
    backspace: 'erase-left',
    'ctrl+u': 'kill-line-left',
  },
  find: {
    enter: 'find-stay',
    up: 'find-older',
    'ctrl+f': 'find-older',
    'ctrl+p': 'find-older',
    down: 'find-newer',
    'shift+enter': 'find-newer',
    'ctrl+n': 'find-newer',
    escape: 'find-leave',
    'ctrl+c': 'find-leave',
    backspace: 'erase-left',
    'ctrl+h': 'erase-left',
    'ctrl+u': 'kill-line-left',
  },
  completion: {
    down: 'completion-next',
    'ctrl+n': 'completion-next',
    up: 'completion-previous',
    'ctrl+p': 'completion-previous',
    tab: 'completion-take',
    enter: 'completion-run',
    escape: 'completion-close',
  },
  prompt: {
    enter: 'send',
    tab: 'queue',
    'shift+enter': 'newline',
    'alt+enter': 'newline',
    'ctrl+enter': 'newline',
    'ctrl+j': 'newline',
    'ctrl+alt+j': 'newline',
    'ctrl+r': 'history-search',
    'ctrl+s': 'stash',
    left: 'left',
    'ctrl+b': 'left',
    right: 'right',
    'ctrl+f': 'right',
    'alt+b': 'word-left',
    'alt+left': 'word-left',
    'ctrl+left': 'word-left',
    'alt+f': 'word-right',
    'alt+right': 'word-right',
    'ctrl+right': 'word-right',
    up: 'up',
    'ctrl+p': 'up',
    down: 'down',
    'ctrl+n': 'down',
    home: 'line-start',
    'ctrl+a': 'line-start',
    end: 'line-end',
    'ctrl+e': 'line-end',
    backspace: 'erase-left',
    'shift+backspace': 'erase-left',
    'ctrl+h': 'erase-left',
    delete: 'erase-right',
    'ctrl+d': 'erase-right',
    'alt+backspace': 'kill-word-left',
    'ctrl+backspace': 'kill-word-left',
    'alt+d': 'kill-word-right',
    'alt+delete': 'kill-word-right',
    'ctrl+delete': 'kill-word-right',
    'ctrl+w': 'kill-blank-word-left',
    'ctrl+u': 'kill-line-left',
    'ctrl+k': 'kill-line-right',
    'ctrl+y': 'yank',
    'alt+y': 'yank-older',
    'ctrl+t': 'transpose',
    'alt+t': 'transpose-words',
    'alt+u': 'upper-word',
    'alt+l': 'lower-word',
    'alt+c': 'capital-word',
    'alt+<': 'text-start',
    'alt+shift+<': 'text-start',
    'alt+shift+,': 'text-start',
    'alt+>': 'text-end',
    'alt+shift+>': 'text-end',
    'alt+shift+.': 'text-end',
    'ctrl+_': 'undo',
    'ctrl+-': 'undo',
    'ctrl+shift+-': 'undo',
    'ctrl+/': 'undo',
    'alt+_': 'redo',
    'alt+shift+-': 'redo',
    'ctrl+shift+z': 'redo',
  },
};

/** The key as the table writes it, e.g. `ctrl+shift+z`. Shift is part of a typed character, not of its name. */
export function keyName(key: KeyPress): string {
  const shift = key.shift && key.text === '';
  return `${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${shift ? 'shift+' : ''}${key.name}`;
}

export function commandFor(keymap: Keymap, context: KeyContext, key: KeyPress): KeyCommand | undefined {
  if (key.text !== '') return undefined;
  const table = keymap[context];
  const name = keyName(key);
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The first key that does it, by its name; undefined when none does. */
export function keyFor(keymap: Keymap, context: KeyContext, command: KeyCommand): string | undefined {
  return Object.entries(keymap[context]).find(([, each]) => each === command)?.[0];
}

/** The first key in any of the tables. */
export function anyKeyFor(keymap: Keymap, command: KeyCommand): string | undefined {
  for (const context of keyContexts) {
    const key = keyFor(keymap, context, command);
    if (key !== undefined) return key;
  }
  return undefined;
}

export function isEditCommand(command: KeyCommand): command is EditCommand {
  return (editCommands as readonly string[]).includes(command);
}
