import type { HookEvent } from '#protocol/hook.ts';
import type { HookEventDef } from './define-hook-event.ts';
import { promptSubmit } from './prompt-submit.ts';
import { sessionEnd } from './session-end.ts';
import { sessionStart } from './session-start.ts';
import { toolAfter } from './tool-after.ts';
import { toolBefore } from './tool-before.ts';
import { turnEnd } from './turn-end.ts';

export const hookEvents: readonly HookEventDef[] = [
  sessionStart,
  sessionEnd,
  promptSubmit,
  toolBefore,
  toolAfter,
  turnEnd,
];

export function hookEventOf({ event }: HookEvent): HookEventDef | undefined {
  return hookEvents.find((def) => def.event === event);
}
