import type { Message } from '#protocol/message.ts';
import { defineCommand, warn } from './define-command.ts';

export const copyCommand = defineCommand({
  name: 'copy',
  summary: 'copy the last answer, or its last code block',
  args: '[code]',
  choices: ['code'],
  async run(argument, context) {
    if (argument !== '' && argument !== 'code') return warn('Usage: `/copy` or `/copy code`.');
    const answer = lastAnswer((await context.state()).messages);
    if (answer === undefined) return warn('There is no answer to copy yet.');
    if (argument === '') return { kind: 'copy', text: answer, what: 'the last answer' };
    const code = lastCodeBlock(answer);
    if (code === undefined) return warn('The last answer holds no code block.');
    return { kind: 'copy', text: code, what: 'the last code block' };
  },
});

function lastAnswer(messages: readonly Message[]): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'assistant') continue;
    const text = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
    if (text.trim() !== '') return text.trim();
  }
  return undefined;
}

/** An unclosed fence, from an answer that was cut, counts too. */
function lastCodeBlock(text: string): string | undefined {
  const blocks = [
    ...text.matchAll(/^( {0,3})(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^ {0,3}\2[^\S\n]*$|$(?![\s\S]))/gm),
  ];
  return blocks.at(-1)?.[3]?.replace(/\n$/, '');
}
