import type { KeyBindings } from '#protocol/key-bindings.ts';
import { applyBindings } from './apply-bindings.ts';
import { type ChordTiming, chordTiming } from './chords.ts';
import type { KeyCommand, KeyContext, Keymap } from './keymap.ts';

/** The keys that work now. The keymap is the same object for good; its tables change. */
export interface LiveKeys {
  readonly keymap: Keymap;
  timing(): ChordTiming;
  replace(bindings: KeyBindings): void;
}

export function createLiveKeys(first: KeyBindings | undefined): LiveKeys {
  const tables = {} as Record<KeyContext, Readonly<Record<string, KeyCommand>>>;
  let timing = chordTiming;
  const replace = (bindings: KeyBindings) => {
    Object.assign(tables, applyBindings(bindings).keymap);
    timing = {
      hintDelayMs: bindings.hintDelayMs ?? chordTiming.hintDelayMs,
      timeoutMs: bindings.chordTimeoutMs ?? chordTiming.timeoutMs,
    };
  };
  replace(first ?? { bindings: [] });
  return { keymap: tables, timing: () => timing, replace };
}
