/** One line of a key file: what these keys do there. */
export type KeyBinding = {
  readonly context: string;
  /** One key, or the keys of a chord with blanks between them; `leader` stands for the leader key. */
  readonly keys: string;
  /** null: the keys do nothing there. */
  readonly action: string | null;
  /** The file as it is shown to the person. */
  readonly origin: string;
  /** From 1. */
  readonly line: number;
  /** It was written for another program: what is not known here is left out without a word. */
  readonly isForeign?: true;
};

/** What the key files say, weakest first. */
export type KeyBindings = {
  readonly bindings: readonly KeyBinding[];
  /** The first key of the chords that begin with `leader`. */
  readonly leader?: { readonly keys: string; readonly origin: string; readonly line: number };
  /** How long a chord waits for its next key; 0 = without end. */
  readonly chordTimeoutMs?: number;
  /** When the keys that can come next are shown. */
  readonly hintDelayMs?: number;
  /** What of the files cannot be read at all, with file and line. */
  readonly problems?: readonly string[];
};
