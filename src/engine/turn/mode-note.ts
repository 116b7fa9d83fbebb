import type { Message } from '#protocol/message.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import freeMode from './free-mode.md';
import planMode from './plan-mode.md';
import readOnlyMode from './read-only-mode.md';

/** What the model has to know of a mode; the modes in which it may act are all one to it. */
export type ToldMode = 'plan' | 'read_only' | 'free';

export function toldMode(mode: PermissionMode): ToldMode {
  return mode === 'plan' || mode === 'read_only' ? mode : 'free';
}

export function modeNote(mode: ToldMode): string {
  switch (mode) {
    case 'plan':
      return planMode.trim();
    case 'read_only':
      return readOnlyMode.trim();
    case 'free':
      return freeMode.trim();
  }
}

/** What the newest note in a thread told the model. */
export function lastTold(messages: readonly Message[]): ToldMode {
  const notes = (['plan', 'read_only', 'free'] as const).map((mode) => ({ mode, note: modeNote(mode) }));
  for (const { origin, parts } of messages.toReversed()) {
    if (origin !== 'engine') continue;
    const found = notes.find(({ note }) =>
      parts.some((part) => part.kind === 'text' && part.text.includes(note)),
    );
    if (found) return found.mode;
  }
  return 'free';
}
