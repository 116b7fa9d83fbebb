import type { RuleSource } from '#permissions/gate.ts';
import type { RuleAction } from '#permissions/rules/rule.ts';

/** Rules that end with the session. */
export type SessionRules = {
  source(): RuleSource;
  add(action: RuleAction, rule: string): void;
  /** False when there was no such rule. */
  remove(action: RuleAction, rule: string): boolean;
  /** Rules that are kept elsewhere are others now. */
  changed(): void;
};

export function createSessionRules(onChange: () => void): SessionRules {
  const rules: Record<RuleAction, string[]> = { allow: [], ask: [], deny: [] };
  return {
    source: () => ({
      file: 'this session',
      origin: 'session',
      allow: [...rules.allow],
      ask: [...rules.ask],
      deny: [...rules.deny],
    }),
    add(action, rule) {
      if (!rules[action].includes(rule)) rules[action].push(rule);
      onChange();
    },
    remove(action, rule) {
      const at = rules[action].indexOf(rule);
      if (at < 0) return false;
      rules[action].splice(at, 1);
      onChange();
      return true;
    },
    changed: onChange,
  };
}
