import type { PermissionGate } from '#protocol/permission-gate.ts';

/** The same decisions with every `ask` answered by yes; a denial stays one. */
export function allowAsked(gate: PermissionGate): PermissionGate {
  return {
    decide: (call) => {
      const decided = gate.decide(call);
      return decided.decision === 'ask' ? { ...decided, decision: 'allow' } : decided;
    },
    allow: (rule, scope) => gate.allow(rule, scope),
    allowReading: (folder) => gate.allowReading(folder),
    note: (call, end) => {
      const isAsked = gate.decide(call).decision === 'ask' && end.outcome === 'allowed';
      gate.note?.(call, isAsked ? { ...end, decision: 'ask', by: 'person', answer: 'once' } : end);
    },
  };
}
