import type { Message, MessagePart } from '#protocol/message.ts';
import { fireHook } from './fire-hook.ts';
import { modeNote, toldMode } from './mode-note.ts';
import { addNote, addNotice, type TurnContext } from './turn-context.ts';
import type { IncomingPrompt } from './turn-deps.ts';

/**
 * What came in since the last model call becomes messages, after the results of that call: output of `!` commands,
 * what the person typed meanwhile, and what the model must know of a changed mode.
 */
export async function deliverInput(turn: TurnContext): Promise<void> {
  const { inbox } = turn.deps;
  for (const message of inbox.takeMessages()) await turn.channel.send({ kind: 'message-added', message });
  for (const prompt of inbox.takeSteers()) await admitPrompt(turn, prompt);
  for (const note of turn.deps.notes()) await addNote(turn, note);
  await tellMode(turn);
}

/** Puts a prompt before the hooks and into the thread. A text is why a hook refused it. */
export async function admitPrompt(turn: TurnContext, prompt: IncomingPrompt): Promise<string | undefined> {
  const { deps, channel, signal } = turn;
  const outcome = await fireHook(deps.hooks, { event: 'prompt-submit', prompt: prompt.text }, { signal });
  for (const text of outcome.notices) await addNotice(turn, 'info', text);
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'halt';
  if (isRefused && !signal.aborted) {
    prompt.onTaken();
    const why = outcome.reason ?? 'no reason given';
    await addNotice(turn, 'warning', `A hook refused the message: ${why}`);
    return why;
  }
  await channel.send({ kind: 'message-added', message: messageOf(turn, prompt) });
  prompt.onTaken();
  if (outcome.context) await addNote(turn, outcome.context);
  for (const note of await deps.remembered(prompt.text)) await addNote(turn, note);
  return undefined;
}

function messageOf({ deps }: TurnContext, { text, images, origin }: IncomingPrompt): Message {
  const said: MessagePart[] = text === '' ? [] : [{ id: deps.ids(), kind: 'text', text }];
  return { id: deps.ids(), role: 'user', origin, parts: [...said, ...images], createdAt: deps.clock.now() };
}

async function tellMode(turn: TurnContext): Promise<void> {
  const memory = turn.deps.memory();
  const mode = toldMode(turn.deps.state().mode);
  if (mode === memory.told) return;
  memory.told = mode;
  await addNote(turn, modeNote(mode));
}
