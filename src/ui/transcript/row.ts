/** A row that changes with time, e.g. a spinner or the seconds of a running tool. */
export type LiveRow = {
  readonly intervalMs: number;
  /** The finished ANSI row. `frame` rises by one in each interval; `now` is milliseconds since 1970. */
  draw(time: { frame: number; now: number }): string;
};

/** One row of the screen, no wider than it was made for. */
export type Row = string | LiveRow;
