import { defineHookEvent } from './define-hook-event.ts';

/** Before settings that changed on disk take effect: may keep the old ones. */
export const configChange = defineHookEvent<'config-change'>({
  event: 'config-change',
  group: 'session',
  names: ['config_change'],
  claudeNames: ['ConfigChange'],
  when: 'settings changed while a session is open and are about to take effect',
  samples: [{ event: 'config-change', keys: ['hooks'] }],
  subjects: () => ['user_settings', 'project_settings', 'local_settings'],
  fields: ({ keys }) => ({ keys: [...keys] }),
  claudeFields: ({ keys }) => ({ source: 'user_settings', keys: [...keys] }),
  merge: { decisions: ['deny', 'halt'] },
});
