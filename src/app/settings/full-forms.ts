import type { Layer } from './layer.ts';
import { nested, type SettingsObject } from './settings-object.ts';

/**
 * Settings that may be written short, in the form that merges: one number for a budget must not take away the limit
 * for the day that another file has set.
 */
export function inFull(layer: Layer): Layer {
  return { ...layer, value: budgetInFull(layer.value), shown: budgetInFull(layer.shown) };
}

function budgetInFull(value: SettingsObject): SettingsObject {
  const { max_budget_usd: budget } = value;
  return typeof budget === 'number' ? { ...value, ...nested(['max_budget_usd', 'run'], budget) } : value;
}
