import type { Clock } from '#lib/clock.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { Dialogs } from '../dialogs/dialogs.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import type { UiStore } from '../store/ui-store.ts';
import type { Controller } from './controller.ts';
import type { ScreenStore } from './screen-state.ts';
import type { InkControl } from './terminal-control.ts';

/** Everything that the components are given; made once, outside React. */
export type ScreenApp = {
  readonly port: ScreenPort;
  readonly clock: Clock;
  readonly store: UiStore;
  readonly screen: ScreenStore;
  readonly prompt: PromptStore;
  readonly dialogs: Dialogs;
  readonly controller: Controller;
  /** The mounted Ink says here how it can be controlled. */
  connectInk(ink: Pick<InkControl, 'suspend' | 'leave' | 'fail'>): void;
  /** A key handler failed: the screen ends with this error. */
  fail(error: unknown): void;
};
