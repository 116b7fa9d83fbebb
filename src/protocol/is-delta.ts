// Free of zod, like every file here that the first paint needs.
import type { EngineEventKind } from './event.ts';

/** True for kinds that a slow reader may lose and that the log leaves out. */
export function isDelta(event: { kind: EngineEventKind }): boolean {
  switch (event.kind) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call-delta':
    case 'tool-run-progress':
    case 'shell-progress':
      return true;
    default:
      return false;
  }
}
