import type { HookEvent } from '#protocol/hook.ts';
import type { HookEventDef } from './events/define-hook-event.ts';

/** What a hook that breaks, hangs or answers nonsense means. */
export type FailureDirection = 'warn' | 'ignore' | 'deny';

/** One hook of the settings, whatever its dialect. */
export type Hook = {
  dialect: 'own' | 'claude';
  target: { kind: 'shell'; command: string } | { kind: 'program'; file: string; args: readonly string[] };
  timeoutMs: number;
  /** Undefined: a gate without a verdict asks, everything else warns. */
  onError: FailureDirection | undefined;
  /** The name by which the hook asked for this occurrence; undefined when it did not. */
  nameFor(def: HookEventDef, event: HookEvent): string | undefined;
};

/** How messages call a hook: one line, short. */
export function hookLabel({ target }: Hook): string {
  const text = target.kind === 'shell' ? target.command : [target.file, ...target.args].join(' ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
