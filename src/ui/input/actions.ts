import { type ActionId, defaultKeymap, type KeyCommand, type KeyContext, keyContexts } from './keymap.ts';

/** Everything that keys can do, with what help says of it. */
export const actions: Readonly<Record<ActionId, string>> = {
  suspend: 'suspend; fg comes back',
  redraw: 'draw the screen anew',
  cancel: 'stop what runs; twice at rest: go back to before a message',
  'clear-or-exit': 'clear the prompt; twice leaves llmcode',
  'cycle-mode': 'next permission mode',
  expand: 'open or close the last cell',
  'expand-all': 'open or close all cells',
  find: 'search in the conversation; only on an empty prompt',
  'find-older': 'older match; n after Enter',
  'find-newer': 'newer match; N after Enter',
  'find-stay': 'stay at this match; again: the next older one',
  'find-leave': 'leave: before Enter back to where you were',
  'external-editor': 'write the prompt in your editor',
  'choose-model': 'another model; what you are writing stays',
  palette: 'find any command or action; Ctrl+P only on an empty prompt',
  help: 'keys and commands',
  'toggle-todos': 'open or close the plan; Ctrl+T only on an empty prompt',
  'toggle-tasks': 'open or close the commands in the background',
  'background-run': 'the running command goes on in the background',
  'page-up': 'a page up',
  'page-down': 'a page down',
  'scroll-top': 'to the beginning',
  'scroll-bottom': 'to the newest',
  'scroll-line-up': 'a line up',
  'scroll-line-down': 'a line down',
  'prompt-older': 'to the prompt above',
  'prompt-newer': 'to the next prompt',
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

export function isAction(name: string): name is ActionId {
  return Object.hasOwn(actions, name);
}

/** What a bound key does, in words; a slash command says it itself. */
export function describe(command: KeyCommand): string {
  return isAction(command) ? actions[command] : `runs ${command}`;
}

/** Where keys can be bound to it. */
export function contextsOf(command: KeyCommand): readonly KeyContext[] {
  if (!isAction(command)) return ['screen'];
  const homes = keyContexts.filter((context) => Object.values(defaultKeymap[context]).includes(command));
  return homes.includes('screen') ? ['screen', ...homes.filter((home) => home !== 'screen')] : homes;
}

/** All actions that a key can be bound to here. */
export function actionsIn(context: KeyContext): readonly ActionId[] {
  return (Object.keys(actions) as ActionId[]).filter((action) => contextsOf(action).includes(context));
}
