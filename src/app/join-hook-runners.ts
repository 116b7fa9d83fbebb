import type { HookOutcome, HookRunner } from '#protocol/hook.ts';

const strictness: Readonly<Record<HookOutcome['decision'], number>> = {
  continue: 0,
  allow: 1,
  ask: 2,
  deny: 3,
  halt: 4,
};

/** Several runners as one; the strictest outcome decides, and what each has to say is kept. */
export function joinHookRunners(runners: readonly HookRunner[]): HookRunner {
  const [only, ...others] = runners;
  if (only && others.length === 0) return only;
  return {
    async fire(event, options) {
      const outcomes = await Promise.all(runners.map((runner) => runner.fire(event, options)));
      return outcomes.reduce(join, { decision: 'continue', notices: [] });
    },
  };
}

function join(one: HookOutcome, other: HookOutcome): HookOutcome {
  const strict = strictness[other.decision] > strictness[one.decision] ? other : one;
  const input = other.input ?? one.input;
  const context = [one.context, other.context].filter((text) => text !== undefined).join('\n');
  return {
    decision: strict.decision,
    ...(strict.reason === undefined ? {} : { reason: strict.reason }),
    ...(input === undefined ? {} : { input }),
    ...(context === '' ? {} : { context }),
    notices: [...one.notices, ...other.notices],
  };
}
