import type { TaskEffect } from '#engine/hida/task-effect.ts';
import { formatCount } from '#lib/amounts.ts';
import { codeName } from '#lib/quote.ts';

/** What the request was taken for, and what that means for each call, as Markdown. */
export function hidaText(
  { guess, ready, readyTokens, usualTokens }: TaskEffect,
  { isOn, openedOn, tools }: { isOn: boolean; openedOn: boolean; tools: number },
): string {
  const state = isOn
    ? `Tools stand ready by what a request is about (\`hida.enabled\`)${openedOn ? '' : ', from the next thread on'}.`
    : `All tools stand ready; nothing goes by what a request is about. \`/hida on\` changes that${openedOn ? ' from the next thread on' : ''}.`;
  const would = isOn && openedOn ? 'are ready' : 'would be ready';
  const saved = usualTokens - readyTokens;
  const effect = `${ready.length} of ${tools} tools ${would}: ${ready.map(codeName).join(', ')}. About ${formatCount(readyTokens)} tokens in each call instead of ${formatCount(usualTokens)}${saved > 0 ? `, ${formatCount(saved)} less` : ''}. The others are one \`tool_search\` away.`;
  return [state, guessText(guess), effect].join('\n\n');
}

function guessText(guess: TaskEffect['guess']): string {
  if (!guess) return 'Nothing was asked in this thread yet.';
  const { kind, confidence, words, isKept } = guess;
  const share = `${Math.round(confidence * 100)} % of the telling words`;
  if (kind === null)
    return confidence === 0
      ? 'The request has no telling words: everything is loaded.'
      : `The request speaks clearly for no kind of task (${share} at best): everything is loaded.`;
  if (isKept) return `The request goes on with what the one before it was taken for: **${kind}**.`;
  return `The request was taken for **${kind}**, ${share}: ${words.map(codeName).join(', ')}.`;
}
