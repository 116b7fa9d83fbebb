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

/** The keys of the prompt: those of readline, or those of Vim. */
export type EditorMode = 'emacs' | 'vim';

export type DialogName =
  | 'help'
  | 'model'
  | 'threads'
  | 'theme'
  | 'config'
  | 'mode'
  | 'permissions'
  | 'tasks'
  | 'rewind'
  | 'first-run';

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
  /** Put into the prompt, where that is empty. */
  | { kind: 'draft'; text: string }
  | { kind: 'copy'; text: string; what: string }
  /** Look for the words in the conversation on the screen. */
  | { kind: 'search'; words: string }
  | { kind: 'theme'; theme: string }
  /** The prompt is edited so from now on. */
  | { kind: 'editor-mode'; mode: EditorMode }
  | { kind: 'exit' };
