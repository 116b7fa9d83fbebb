import { defineHookEvent } from './define-hook-event.ts';

/** Before a `/` or `!` command of the person: may refuse it. */
export const commandBefore = defineHookEvent<'command-before'>({
  event: 'command-before',
  group: 'command',
  names: ['pre_command', 'command_before'],
  claudeNames: [],
  when: 'the person typed a `/` or `!` command and it is about to run',
  samples: [{ event: 'command-before', kind: 'slash', name: 'model', argument: 'local/small' }],
  fields: (event) => commandFields(event),
  merge: { decisions: ['deny', 'halt'] },
});

/** `command` is the line as it was typed. */
export function commandFields({ kind, name, argument }: { kind: string; name: string; argument: string }) {
  const command = kind === 'shell' ? `!${argument}` : `/${name} ${argument}`.trim();
  return { kind, name, argument, command };
}
