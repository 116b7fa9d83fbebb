import type { PermissionMode } from './permission.ts';

/** A rule as a person sees it in a list. */
export type RuleRow = {
  id: string;
  action: 'allow' | 'ask' | 'deny';
  rule: string;
  /** File and line, or where else it comes from. */
  place: string;
  /** True for a rule that `/permissions remove` can take out. */
  isOwn: boolean;
  /** What keeps it from deciding anything, when something does. */
  problem?: string;
};

/** A decision as a person sees it in a list, newest first. */
export type DecisionRow = {
  id: string;
  /** `14:03:09`, or with the day when it was another one. */
  when: string;
  tool: string;
  what: string;
  /** `allowed`, `asked: yes, always`, `denied` and the like. */
  outcome: string;
  /** Why, one reason each, with check, rule, file and line. */
  why: readonly string[];
};

export type PermissionOverview = {
  mode: PermissionMode;
  rules: readonly RuleRow[];
  decisions: readonly DecisionRow[];
};
