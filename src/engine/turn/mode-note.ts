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
