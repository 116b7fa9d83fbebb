import type { HookEvent } from '#protocol/hook.ts';
import { agent } from './agent.ts';
import { commandAfter } from './command-after.ts';
import { commandBefore } from './command-before.ts';
import { compactAfter } from './compact-after.ts';
import { compactBefore } from './compact-before.ts';
import { configChange } from './config-change.ts';
import type { HookEventDef } from './define-hook-event.ts';
import { http } from './http.ts';
import { instructionsLoaded } from './instructions-loaded.ts';
import { notification } from './notification.ts';
import { permissionRequest } from './permission-request.ts';
import { promptCache } from './prompt-cache.ts';
import { promptCompile } from './prompt-compile.ts';
import { promptSubmit } from './prompt-submit.ts';
import { sessionEnd } from './session-end.ts';
import { sessionSave } from './session-save.ts';
import { sessionStart } from './session-start.ts';
import { toolAfter } from './tool-after.ts';
import { toolBatch } from './tool-batch.ts';
import { toolBefore } from './tool-before.ts';
import { toolDenied } from './tool-denied.ts';
import { turnEnd } from './turn-end.ts';

export const hookEvents: readonly HookEventDef[] = [
  sessionStart,
  sessionEnd,
  sessionSave,
  compactBefore,
  compactAfter,
  instructionsLoaded,
  configChange,
  notification,
  promptSubmit,
  promptCompile,
  promptCache,
  toolBefore,
  permissionRequest,
  toolDenied,
  toolAfter,
  toolBatch,
  turnEnd,
  commandBefore,
  commandAfter,
  agent,
  http,
];

export function hookEventOf({ event }: HookEvent): HookEventDef | undefined {
  return hookEvents.find((def) => def.event === event);
}
