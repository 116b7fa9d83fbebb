import type { ActionId, KeyContext } from './keymap.ts';

/** Names of actions in Claude Code's key file that mean something here too. */
export const claudeActions: Readonly<Partial<Record<string, ActionId>>> = {
  'app:interrupt': 'clear-or-exit',
  'app:toggleTodos': 'toggle-todos',
  'app:toggleTranscript': 'expand-all',
  'app:redraw': 'redraw',
  'history:search': 'history-search',
  'history:previous': 'up',
  'history:next': 'down',
  'chat:cancel': 'cancel',
  'chat:cycleMode': 'cycle-mode',
  'chat:modelPicker': 'choose-model',
  'chat:submit': 'send',
  'chat:newline': 'newline',
  'chat:undo': 'undo',
  'chat:externalEditor': 'external-editor',
  'chat:stash': 'stash',
  'autocomplete:accept': 'completion-take',
  'autocomplete:dismiss': 'completion-close',
  'autocomplete:previous': 'completion-previous',
  'autocomplete:next': 'completion-next',
  'historySearch:next': 'search-older',
  'historySearch:accept': 'search-take',
  'historySearch:cancel': 'search-leave',
  'task:background': 'background-run',
  'scroll:pageUp': 'page-up',
  'scroll:pageDown': 'page-down',
  'scroll:lineUp': 'scroll-line-up',
  'scroll:lineDown': 'scroll-line-down',
  'scroll:top': 'scroll-top',
  'scroll:bottom': 'scroll-bottom',
};

export const claudeContexts: Readonly<Partial<Record<string, KeyContext>>> = {
  global: 'screen',
  chat: 'prompt',
  autocomplete: 'completion',
  historysearch: 'search',
  transcript: 'screen',
  task: 'screen',
  scroll: 'screen',
};
