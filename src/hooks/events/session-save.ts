import { defineHookEvent } from './define-hook-event.ts';

export const sessionSave = defineHookEvent<'session-save'>({
  event: 'session-save',
  group: 'session',
  names: ['session_save'],
  claudeNames: [],
  when: 'a turn or command has ended and the log of the thread is safe on disk',
  samples: [{ event: 'session-save', file: '/home/me/.llmcode/threads/t1/log.jsonl', messages: 4 }],
  fields: ({ file, messages }) => ({ file, messages }),
});
