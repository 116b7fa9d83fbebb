import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { DecisionReason, Resource } from '#protocol/permission.ts';
import type { DecisionEnd } from '#protocol/permission-gate.ts';
import type { Authorisation } from './authorise.ts';
import type { ToolCallDeps } from './tool-call.ts';
import type { ReadyCall } from './tool-input.ts';

/** What was decided of a call, and who did it. */
export type Settled = {
  end: Authorisation;
  by: DecisionEnd['by'];
  answer?: DecisionEnd['answer'];
  decision: DecisionEnd['decision'];
  reasons: DecisionReason[];
};

/** Tells the log of decisions. A log that cannot be written stops no call. */
export function noteDecision(
  { gate, mode }: ToolCallDeps,
  {
    ready: { tool, input },
    resources,
    settled: { end, by, answer, decision, reasons },
  }: { ready: ReadyCall; resources: readonly Resource[]; settled: Settled },
): void {
  if (end.kind === 'doomed') return;
  // What touches nothing needs no permission, so nobody will ask why it had it.
  if (tool.effect === 'none' && by === 'rules' && decision === 'allow') return;
  const outcome = end.kind === 'refused' ? (end.status === 'aborted' ? 'aborted' : 'refused') : end.kind;
  const call = { tool: tool.name, effect: tool.effect, input, resources, mode: mode() };
  try {
    gate.note?.(call, { decision, reasons, outcome, by, answer });
  } catch (error) {
    log('a decision is not in the log:', errorText(error));
  }
}
