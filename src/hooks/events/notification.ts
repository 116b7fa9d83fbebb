import { defineHookEvent } from './define-hook-event.ts';

export const notification = defineHookEvent<'notification'>({
  event: 'notification',
  group: 'session',
  names: ['notification'],
  claudeNames: ['Notification'],
  when: 'the person is waited for: a permission, or an answer to a question of the model',
  samples: [
    { event: 'notification', type: 'permission_prompt', message: 'edit_file src/a.ts wants permission' },
  ],
  subjects: ({ type }) => [type],
  fields: ({ type, message }) => ({ type, message }),
  claudeFields: ({ type, message }) => ({ notification_type: type, title: 'llmcode', message }),
});
