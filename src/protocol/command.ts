import type { ConsultReview } from './consult-review.ts';
import type { EngineHandle } from './engine-handle.ts';
import type { ModelPreflight } from './model-preflight.ts';
import type { UserAction } from './user-action.ts';

/** A slash command as help and completion show it. */
export type CommandSpec = {
  name: string;
  aliases: readonly string[];
  summary: string;
  /** Shown after the name, e.g. `[provider/model]`; empty when it takes none. */
  args: string;
  /** Values that complete the first argument, if they are a small fixed set. */
  choices?: readonly string[];
};

export type DialogName = 'help' | 'model' | 'threads' | 'theme' | 'config' | 'mode' | 'first-run';

/** What a slash command wants done; a screen and a script act on the same value. */
export type CommandOutcome =
  | { kind: 'none' }
  /** Shown in the transcript, not sent to the model. `markdown` text. */
  | { kind: 'notice'; level: 'info' | 'warning' | 'error'; text: string }
  | { kind: 'action'; action: UserAction }
  | { kind: 'dialog'; dialog: DialogName }
  /** The person is shown what switching means, and decides. */
  | { kind: 'preflight'; preflight: ModelPreflight }
  /** The person is shown what would be sent to peers, and decides. */
  | { kind: 'consult-review'; review: ConsultReview }
  /** Show this thread from now on; the old one was closed. */
  | { kind: 'attach'; handle: EngineHandle; notice?: string }
  | { kind: 'copy'; text: string; what: string }
  | { kind: 'theme'; theme: string }
  | { kind: 'exit' };
