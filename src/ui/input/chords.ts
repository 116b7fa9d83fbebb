import type { Clock } from '#lib/clock.ts';
import { describe } from './actions.ts';
import { keyLabel } from './key-label.ts';
import type { KeyPress } from './key-press.ts';
import { type KeyCommand, type KeyContext, type Keymap, keyName } from './keymap.ts';

/** What the next key can be, for a person who does not know it by heart. */
export type ChordHint = {
  readonly keys: string;
  readonly next: readonly { readonly key: string; readonly does: string }[];
};

export type ChordTiming = { readonly hintDelayMs: number; readonly timeoutMs: number };

export const chordTiming: ChordTiming = { hintDelayMs: 300, timeoutMs: 4_000 };

/** `waits`: the key belongs to a chord that goes on. `ends`: it was taken and nothing follows. */
type ChordStep = { kind: 'waits' } | { kind: 'ends' } | { kind: 'runs'; command: KeyCommand };

/** Keys that mean something one after the other. At rest it costs nothing. */
export interface Chords {
  isWaiting(): boolean;
  /** For the key after the first; undefined: it belongs to no chord, and the chord is over. */
  next(key: KeyPress): ChordStep | undefined;
  /** True when a chord begins with this key. */
  begin(key: KeyPress): boolean;
  cancel(): void;
}

/** Where chords can be bound, in the order in which they are looked for. */
const contexts: readonly KeyContext[] = ['always', 'screen', 'prompt'];

export function createChords(options: {
  keymap: Keymap;
  clock: Clock;
  timing: () => ChordTiming;
  onHint(hint: ChordHint | null): void;
  /** The first key stayed alone. */
  onAlone(key: KeyPress): void;
}): Chords {
  const { keymap, clock, timing, onHint, onAlone } = options;
  let waiting: { keys: string; first: KeyPress; isLong: boolean } | undefined;
  let cancelTimers = (): void => undefined;

  const cancel = () => {
    if (!waiting) return;
    waiting = undefined;
    cancelTimers();
    onHint(null);
  };
  const wait = (next: NonNullable<typeof waiting>) => {
    const wasShown = waiting !== undefined;
    cancelTimers();
    waiting = next;
    const { hintDelayMs, timeoutMs } = timing();
    const show = () => onHint(hintFor(keymap, next.keys));
    // Who asked for help with the first key sees what comes after the second at once.
    if (wasShown) show();
    const cancelHint = wasShown ? () => undefined : clock.after(hintDelayMs, show);
    const cancelEnd =
      timeoutMs === 0
        ? () => undefined
        : clock.after(timeoutMs, () => {
            cancel();
            if (!next.isLong) onAlone(next.first);
          });
    cancelTimers = () => {
      cancelHint();
      cancelEnd();
    };
  };

  return {
    isWaiting: () => waiting !== undefined,
    begin(key) {
      const keys = keyName(key);
      if (key.text !== '' || !beginsChord(keymap, keys)) return false;
      wait({ keys, first: key, isLong: false });
      return true;
    },
    next(key) {
      if (!waiting) return undefined;
      if (key.name === 'escape') {
        cancel();
        return { kind: 'ends' };
      }
      const keys = `${waiting.keys} ${keyName(key)}`;
      if (beginsChord(keymap, keys)) {
        wait({ keys, first: waiting.first, isLong: true });
        return { kind: 'waits' };
      }
      cancel();
      const context = contexts.find((each) => Object.hasOwn(keymap[each], keys));
      const command = context && keymap[context][keys];
      return command && { kind: 'runs', command };
    },
    cancel,
  };
}

function beginsChord(keymap: Keymap, keys: string): boolean {
  return contexts.some((context) => Object.keys(keymap[context]).some((each) => each.startsWith(`${keys} `)));
}

function hintFor(keymap: Keymap, keys: string): ChordHint {
  const seen = new Set<string>();
  const next = contexts.flatMap((context) =>
    Object.entries(keymap[context]).flatMap(([each, command]) => {
      const [key, ...more] = each.startsWith(`${keys} `) ? each.slice(keys.length + 1).split(' ') : [];
      if (key === undefined || seen.has(key)) return [];
      seen.add(key);
      return [{ key: keyLabel(key), does: more.length > 0 ? 'more keys' : describe(command) }];
    }),
  );
  return { keys: keyLabel(keys), next };
}
