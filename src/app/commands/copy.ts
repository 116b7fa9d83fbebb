import { codeBlocks } from '#lib/code-blocks.ts';
import type { Message } from '#protocol/message.ts';
import { defineCommand, warn } from './define-command.ts';

export const copyCommand = defineCommand({
  name: 'copy',
  summary: 'copy the last answer, the last code block, or what you pick',
  args: '[code|pick]',
  choices: ['code', 'pick'],
  async run(argument, context) {
    if (argument === 'pick') return { kind: 'dialog', dialog: 'copy' };
    if (argument !== '' && argument !== 'code') return warn('Usage: `/copy`, `/copy code` or `/copy pick`.');
    const answers = answersOf((await context.state()).messages);
    const [answer] = answers;
    if (answer === undefined) return warn('There is no answer to copy yet.');
    if (argument === '') return { kind: 'copy', text: answer, what: 'the last answer' };
    for (const each of answers) {
      const block = codeBlocks(each).at(-1);
      if (block) return { kind: 'copy', text: block.code, what: 'the last code block' };
    }
    return warn('No answer holds a code block yet.');
  },
});

/** Newest first. */
function answersOf(messages: readonly Message[]): string[] {
  return messages.toReversed().flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const text = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
    return text.trim() === '' ? [] : [text.trim()];
  });
}
