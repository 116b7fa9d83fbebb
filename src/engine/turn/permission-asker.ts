import type { PermissionAnswer, PermissionDecision, PermissionRequest } from '#protocol/permission.ts';

/** How a question to the person ended. */
export type AskEnd =
  | { kind: 'answered'; answer: PermissionAnswer }
  /** A new rule or another mode decided it meanwhile. */
  | { kind: 'decided'; decision: 'allow' | 'deny' }
  | { kind: 'aborted' };

export interface PermissionAsker {
  /**
   * Waits for the person's answer; the request itself is announced by the caller. `decide` is asked again
   * whenever rules or mode have changed.
   */
  wait(
    request: PermissionRequest,
    options: { signal: AbortSignal; decide: () => PermissionDecision },
  ): Promise<AskEnd>;
  /** Rules or mode have changed: everything that waits is decided anew. */
  decideAgain(): void;
}
