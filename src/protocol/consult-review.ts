/** What a question to peers would send, made ready and not sent: the person sees this and decides. */
export type ConsultReview = {
  /** Names the draft in `/consult send <id>`. */
  id: string;
  seats: readonly ConsultSeat[];
  bytes: number;
  attachments: readonly {
    kind: 'file' | 'diff' | 'output';
    name: string;
    bytes: number;
    isOutside: boolean;
  }[];
  /** What the question names with `@` and does not bring along, and why. */
  unattached?: readonly { name: string; why: string }[];
  /** What looks like a secret; `line` 0 = all of it. */
  secrets: readonly { what: string; where: string; line: number }[];
  /** Exactly what is sent. */
  text: string;
};

/** Tokens and dollars are estimates; `costUsd` null = the price is unknown, 0 = free. */
export type ConsultSeat = {
  peer: string;
  thread: string;
  round: number;
  isLocal: boolean;
  tokens: number;
  costUsd: number | null;
};
