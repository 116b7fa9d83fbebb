import type { SessionFlags } from '../cli/flags.ts';
import type { Layer } from './layer.ts';
import { nested } from './settings-object.ts';

/** The flags that are settings, one layer each so that each is named where it counts. */
export function flagLayers(flags: SessionFlags): Layer[] {
  const settings: [string, readonly string[], unknown][] = [
    ['--model', ['model'], flags.model],
    ['--permission-mode', ['permissions', 'mode'], flags.permissionMode],
    ['--max-turns', ['max_steps'], flags.maxTurns],
    ['--max-budget-usd', ['max_budget_usd'], flags.maxBudgetUsd],
  ];
  return settings.flatMap(([origin, keys, given]) => {
    if (given === undefined) return [];
    const value = nested(keys, given);
    return [{ origin, kind: 'flag' as const, value, shown: value }];
  });
}
