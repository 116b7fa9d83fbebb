import type { Clock } from '#lib/clock.ts';
import type { PermissionRequest } from '#protocol/permission.ts';
import type { DialogEffect, KeyScene, Step } from '#ui/dialogs/dialog-step.ts';
import { decodeKeys, type KeyPress } from '#ui/input/key-press.ts';
import { defaultKeymap } from '#ui/input/keymap.ts';

export const scene: KeyScene = { keymap: defaultKeymap, pageRows: 5, maxScroll: 40, width: 60 };

export function named(name: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { name, ctrl: false, alt: false, shift: false, text: '', ...modifiers };
}

export const ctrl = (name: string) => named(name, { ctrl: true });
export const alt = (name: string) => named(name, { alt: true });
export const enter = named('enter');
export const esc = named('escape');
export const up = named('up');
export const down = named('down');
export const tab = named('tab');
export const backTab = named('tab', { shift: true });

/** Text types itself; a key is pressed. */
export function keysOf(entries: readonly (string | KeyPress)[]): KeyPress[] {
  return entries.flatMap((entry) => (typeof entry === 'string' ? decodeKeys(entry, {} as never) : [entry]));
}

/** What keys do to the state of a dialog: the state, all effects, and which of the keys meant nothing to it. */
export function press<State>(
  reduce: (state: State, key: KeyPress, scene: KeyScene) => Step<State> | undefined,
  start: State,
  entries: readonly (string | KeyPress)[],
): { state: State; effects: DialogEffect[]; ignored: string[] } {
  const effects: DialogEffect[] = [];
  const ignored: string[] = [];
  let state = start;
  for (const key of keysOf(entries)) {
    const step = reduce(state, key, scene);
    if (!step) {
      ignored.push(key.name);
      continue;
    }
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects, ignored };
}

export function commandRequest(changes: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    id: 'request-1',
    callId: 'call-1',
    tool: 'bash',
    title: 'npm run build',
    input: { command: 'npm run build', timeout: 60 },
    cwd: '/projects/shop-api',
    command: 'npm run build',
    reasons: [{ check: 'runs-project-code', text: 'npm run build starts code of this project' }],
    suggestedRule: 'Bash(npm run build)',
    ...changes,
  };
}

export function editRequest(changes: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    id: 'request-2',
    callId: 'call-2',
    tool: 'edit_file',
    title: 'src/cart/total.ts',
    input: { path: 'src/cart/total.ts', old_string: 'a', new_string: 'b' },
    cwd: '/projects/shop-api',
    view: {
      kind: 'diff',
      path: '/projects/shop-api/src/cart/total.ts',
      change: 'modify',
      added: 2,
      removed: 1,
      hunks: [
        {
          oldStart: 41,
          newStart: 41,
          lines: [
            { op: ' ', text: '  const net = items.reduce(add, 0);' },
            { op: '-', text: '  return net - card.amount;' },
            { op: '+', text: '  const rest = net * (1 - coupon.rate);' },
            { op: '+', text: '  return Math.max(0, rest - card.amount);' },
          ],
        },
      ],
    },
    reasons: [{ check: 'mode-prompt-write', text: 'mode prompt asks before a change' }],
    ...changes,
  };
}

/** A clock that a test moves. */
export type HeldClock = Clock & { advance(ms: number): void };

export function createHeldClock(start = 1_000_000): HeldClock {
  let now = start;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now,
    wait: async () => undefined,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.callback();
      }
    },
  };
}
