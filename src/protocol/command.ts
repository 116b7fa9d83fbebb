import type { ConsultReview } from './consult-review.ts';
import type { EngineHandle } from './engine-handle.ts';
import type { KeyBindings } from './key-bindings.ts';
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
  /** It may show another thread: what is sent after it is for that one. */
  opensThread?: boolean;
};

/** The keys of the prompt: those of readline, or those of Vim. */
export type EditorMode = 'emacs' | 'vim';

/** `on`: a drag selects in the conversation, the wheel scrolls it. `off`: the terminal selects by itself. */
export type MouseUse = 'on' | 'off';

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
  | 'copy'
  | 'palette'
  | 'first-run';

/** What a slash command wants done; a screen and a script act on the same value. */
export type CommandOutcome =
  | { kind: 'none' }
  /** Shown in the transcript, not sent to the model. `markdown` text. */
  | { kind: 'notice'; level: 'info' | 'warning' | 'error'; text: string }
  | { kind: 'action'; action: UserAction }
  /** `filter` stands in the dialog's field, where it has one. */
  | { kind: 'dialog'; dialog: DialogName; filter?: string }
  /** The person is shown what switching means, and decides. */
  | { kind: 'preflight'; preflight: ModelPreflight }
  /** The person is shown what would be sent to peers, and decides. */
  | { kind: 'consult-review'; review: ConsultReview }
  /** Show this thread from now on, and look for the words in it; the old one was closed. */
  | { kind: 'attach'; handle: EngineHandle; notice?: string; words?: string }
  /** Put into the prompt, where that is empty. */
  | { kind: 'draft'; text: string }
  | { kind: 'copy'; text: string; what: string }
  /** Show it in the person's pager. */
  | { kind: 'page'; text: string }
  /** Look for the words in the conversation on the screen. */
  | { kind: 'search'; words: string }
  | { kind: 'theme'; theme: string }
  | { kind: 'mouse'; mouse: MouseUse }
  /** The prompt is edited so from now on. */
  | { kind: 'editor-mode'; mode: EditorMode }
  /** Keys do this from now on; `notice` is said beside it. */
  | { kind: 'keys'; keys: KeyBindings; notice?: { level: 'info' | 'warning'; text: string } }
  | { kind: 'exit' };
