import type { KeyCommand, KeyContext, Keymap } from '../../input/keymap.ts';

export type KeyHelp = { readonly section: string; readonly keys: string; readonly does: string };

const sections: readonly (readonly [context: KeyContext, title: string])[] = [
  ['prompt', 'writing'],
  ['screen', 'the screen'],
  ['find', 'search in the conversation'],
  ['completion', 'completion'],
  ['search', 'search in the history'],
  ['always', 'any time'],
];

/** Every key of the keymap by what it does, so that help tells the keys that really work. */
export function keyHelp(keymap: Keymap): readonly KeyHelp[] {
  return sections.flatMap(([context, section]) => {
    const byCommand = Map.groupBy(Object.entries(keymap[context]), ([, command]) => command);
    return [...byCommand].map(([command, keys]) => ({
      section,
      keys: keys
        .slice(0, shownKeys)
        .map(([key]) => keyLabel(key))
        .join('  '),
      does: descriptions[command],
    }));
  });
}

/** The first keys of a command in the table are the ones to learn. */
const shownKeys = 2;

/** `ctrl+left` as `Ctrl+←`. */
function keyLabel(name: string): string {
  const parts = name.endsWith('+') ? [...name.slice(0, -2).split('+'), '+'] : name.split('+');
  return parts
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : capital(part)))
    .join('+');
}

const names: Readonly<Partial<Record<string, string>>> = {
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const descriptions: Readonly<Record<KeyCommand, string>> = {
  suspend: 'suspend; fg comes back',
  redraw: 'draw the screen anew',
  cancel: 'stop what runs; twice at rest: go back to before a message',
  'clear-or-exit': 'clear the prompt; twice leaves llmcode',
  'cycle-mode': 'next permission mode',
  expand: 'open or close the last cell',
  find: 'search in the conversation; only on an empty prompt',
  'find-older': 'older match; n after Enter',
  'find-newer': 'newer match; N after Enter',
  'find-stay': 'stay at this match; again: the next older one',
  'find-leave': 'leave: before Enter back to where you were',
  'external-editor': 'write the prompt in your editor',
  'choose-model': 'another model; what you are writing stays',
  'background-run': 'the running command goes on in the background',
  'page-up': 'a page up',
  'page-down': 'a page down',
  'scroll-top': 'to the beginning',
  'scroll-bottom': 'to the newest',
  'scroll-line-up': 'a line up',
  'scroll-line-down': 'a line down',
  'search-older': 'older match',
  'search-newer': 'newer match',
  'search-take': 'take it',
  'search-leave': 'leave the search',
  'search-scope': 'only this project, or all of them',
  'completion-next': 'next',
  'completion-previous': 'previous',
  'completion-take': 'take it',
  'completion-run': 'take it, and send it when it is complete',
  'completion-close': 'close the list',
  send: 'send; while a turn runs it goes in between two tool calls',
  queue: 'send after the running turn',
  newline: 'new line',
  'history-search': 'search earlier prompts',
  stash: 'put the draft aside; on an empty prompt: bring it back',
  left: 'a character left',
  right: 'a character right',
  'word-left': 'a word left',
  'word-right': 'a word right',
  up: 'a row up; above the first row: earlier prompts',
  down: 'a row down; below the last row: later prompts',
  'line-start': 'start of the line',
  'line-end': 'end of the line',
  'erase-left': 'erase to the left',
  'erase-right': 'erase to the right; on an empty prompt: leave',
  'kill-word-left': 'cut the word to the left',
  'kill-word-right': 'cut the word to the right',
  'kill-blank-word-left': 'cut back to the last blank',
  'kill-line-left': 'cut to the start of the line',
  'kill-line-right': 'cut to the end of the line',
  yank: 'put in what was cut',
  'yank-older': 'put in what was cut before that',
  transpose: 'swap two characters',
  'transpose-words': 'swap two words',
  'upper-word': 'the word in capitals',
  'lower-word': 'the word in small letters',
  'capital-word': 'the word with a capital',
  'text-start': 'start of the text',
  'text-end': 'end of the text',
  undo: 'undo',
  redo: 'redo',
};
