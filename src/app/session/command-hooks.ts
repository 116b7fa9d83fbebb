import { errorText } from '#lib/errors.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { HookRunner } from '#protocol/hook.ts';
import { commandWords } from '../commands/index.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** A slash command between its hooks: one may refuse it, and others are told how it went. */
export async function withCommandHooks(
  session: InteractiveSession,
  line: string,
  run: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const { command, argument = '' } = commandWords(line) ?? {};
  // What ends the session works also when no thread opens.
  if (!command || command.name === 'exit') return run();
  const hooks = await session.composition().then(
    (composition) => composition.hooks,
    () => undefined,
  );
  if (!hooks) return run();
  const about = { kind: 'slash', name: command.name, argument } as const;
  const { signal } = session;
  const { decision, reason, notices } = await hooks.fire({ event: 'command-before', ...about }, { signal });
  show(session, notices);
  if (decision === 'deny' || decision === 'halt')
    return {
      kind: 'notice',
      level: 'warning',
      text: `A hook refused \`/${command.name}\`: ${reason ?? 'no reason given'}`,
    };
  try {
    const outcome = await run();
    const isOk = outcome.kind !== 'notice' || outcome.level !== 'error';
    tellEnd(session, hooks, { ...about, isOk, output: outcome.kind === 'notice' ? outcome.text : '' });
    return outcome;
  } catch (error) {
    tellEnd(session, hooks, { ...about, isOk: false, output: errorText(error) });
    throw error;
  }
}

function tellEnd(
  session: InteractiveSession,
  hooks: HookRunner,
  end: { kind: 'slash'; name: string; argument: string; isOk: boolean; output: string },
): void {
  const { signal } = session;
  const told = hooks.fire({ event: 'command-after', ...end }, { signal });
  session.runBeside(told.then(({ notices }) => show(session, notices)));
}

function show(session: InteractiveSession, notices: readonly string[]): void {
  for (const text of notices) session.notify({ level: 'info', text });
}
