import { defineHookEvent } from './define-hook-event.ts';

export const promptCompile = defineHookEvent<'prompt-compile'>({
  event: 'prompt-compile',
  group: 'prompt',
  names: ['prompt_compile'],
  claudeNames: [],
  when: 'a request to the model is put together and goes out next',
  samples: [{ event: 'prompt-compile', model: 'local/small', messages: 3, tools: 14, systemChars: 5_200 }],
  fields: ({ model, messages, tools, systemChars }) => ({
    model,
    messages,
    tools,
    system_chars: systemChars,
  }),
});
