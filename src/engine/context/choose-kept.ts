import type { Message } from '#protocol/message.ts';

/**
 * Index of the first message that stays as it is when all before it are summarised. Calls and results stand in one
 * message, so any border is safe for them. The newest message stays unless it alone takes more than `lastMax`.
 * `messages.length` = nothing stays.
 */
export function chooseKept(
  messages: readonly Message[],
  {
    from,
    budget,
    lastMax,
    sizeOf,
  }: { from: number; budget: number; lastMax: number; sizeOf: (message: Message) => number },
): number {
  let sum = 0;
  let index = messages.length;
  while (index > from) {
    const message = messages[index - 1];
    if (!message) break;
    sum += sizeOf(message);
    const isNewest = index === messages.length;
    if (sum > (isNewest ? Math.max(budget, lastMax) : budget)) break;
    index -= 1;
  }
  return index;
}
