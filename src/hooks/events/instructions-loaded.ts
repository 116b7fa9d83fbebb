import { defineHookEvent } from './define-hook-event.ts';

const claudeTypes = { user: 'User', project: 'Project' } as const;

export const instructionsLoaded = defineHookEvent<'instructions-loaded'>({
  event: 'instructions-loaded',
  group: 'session',
  names: ['instructions_loaded'],
  claudeNames: ['InstructionsLoaded'],
  when: 'a thread is opened, once for each instruction file that the model gets',
  samples: [{ event: 'instructions-loaded', file: '/home/me/project/AGENTS.md', scope: 'project' }],
  subjects: () => ['session_start'],
  fields: ({ file, scope }) => ({ file, scope }),
  claudeFields: ({ file, scope }) => ({
    file_path: file,
    memory_type: claudeTypes[scope],
    load_reason: 'session_start',
  }),
});
