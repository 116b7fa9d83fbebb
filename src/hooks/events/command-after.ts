import { commandFields } from './command-before.ts';
import { defineHookEvent } from './define-hook-event.ts';

const sample = { event: 'command-after', kind: 'shell', name: '', argument: 'ls' } as const;

export const commandAfter = defineHookEvent<'command-after'>({
  event: 'command-after',
  group: 'command',
  names: ['post_command', 'command_after', 'command_error'],
  claudeNames: [],
  when: 'a `/` or `!` command has run; command_error only when it failed',
  samples: [
    { ...sample, isOk: true, output: 'a.ts' },
    { ...sample, isOk: false, output: 'ls: cannot access' },
  ],
  isAbout: ({ isOk }, name) => name !== 'command_error' || !isOk,
  fields: (event) => ({
    ...commandFields(event),
    status: event.isOk ? 'ok' : 'error',
    output: event.output,
  }),
});
