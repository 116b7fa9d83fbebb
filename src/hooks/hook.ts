import type { HookEvent } from '#protocol/hook.ts';
import type { HookEventDef } from './events/define-hook-event.ts';

/** What a hook that breaks, hangs or answers nonsense means. */
export type FailureDirection = 'warn' | 'ignore' | 'deny';

export type HookTarget =
  | { kind: 'shell'; command: string }
  | { kind: 'program'; file: string; args: readonly string[] }
  /** `variables` may stand in `headers` as `$NAME`. */
  | { kind: 'http'; url: string; headers: Readonly<Record<string, string>>; variables: readonly string[] }
  /** A question to a model; `model` undefined = the one that the settings or the thread have. */
  | { kind: 'prompt'; prompt: string; model: string | undefined };

/** One hook of the settings, whatever its dialect. */
export type Hook = {
  dialect: 'own' | 'claude';
  /** Where it is written. */
  file: string;
  /** The event as it is written. */
  event: string;
  /** Tools or other subjects as they are written; '' = all. */
  matcher: string;
  target: HookTarget;
  timeoutMs: number;
  /** Undefined: a gate without a verdict asks, everything else warns. */
  onError: FailureDirection | undefined;
  /** A permission rule that the call must fall under. */
  condition?: string;
  /** Nobody waits for it, and what it says changes nothing. */
  isAsync?: boolean;
  /** It runs at most once in a session. */
  isOnce?: boolean;
  /** The name by which the hook asked for this occurrence; undefined when it did not. */
  nameFor(def: HookEventDef, event: HookEvent): string | undefined;
};

/** How messages call a hook: one line, short. */
export function hookLabel({ target }: Pick<Hook, 'target'>): string {
  const line = textOf(target).replaceAll(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

function textOf(target: HookTarget): string {
  switch (target.kind) {
    case 'shell':
      return target.command;
    case 'program':
      return [target.file, ...target.args].join(' ');
    case 'http':
      return target.url;
    case 'prompt':
      return `ask: ${target.prompt}`;
  }
}
