import type { Layer } from './layer.ts';
import { nested, type SettingsObject } from './settings-object.ts';

/**
 * Settings that may be written short, in the form that merges: one number for a budget must not take away the limit
 * for the day that another file has set.
 */
export function inFull(layer: Layer): Layer {
  return { ...layer, value: partsInFull(layer.value), shown: partsInFull(layer.shown) };
}

function partsInFull(value: SettingsObject): SettingsObject {
  return sandboxInFull(budgetInFull(value));
}

function sandboxInFull(value: SettingsObject): SettingsObject {
  const { sandbox } = value;
  return typeof sandbox === 'string' ? { ...value, ...nested(['sandbox', 'mode'], sandbox) } : value;
}

function budgetInFull(value: SettingsObject): SettingsObject {
  const { max_budget_usd: budget } = value;
  return typeof budget === 'number' ? { ...value, ...nested(['max_budget_usd', 'run'], budget) } : value;
}
