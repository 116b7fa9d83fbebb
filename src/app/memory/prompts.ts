import type { Message } from '#protocol/message.ts';

/** Fewer prompts than this teach nothing that lasts. */
export const promptsWorthNoting = 3;

/** How many prompts of the person a thread has. */
export function promptsOf({ messages }: { messages: readonly Message[] }): number {
  return messages.filter(isPrompt).length;
}

export function isPrompt({ role, origin }: Message): boolean {
  return role === 'user' && (origin === undefined || origin === 'person' || origin === 'steer');
}
