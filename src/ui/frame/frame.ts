/** The smallest window that the screen can be used in. */
export const smallest = { columns: 40, rows: 10 };

export function isTooSmall({ columns, rows }: { columns: number; rows: number }): boolean {
  return columns < smallest.columns || rows < smallest.rows;
}

/** What wants room below the transcript, in rows. */
type FrameWishes = {
  readonly rows: number;
  /** Rows of the whole draft. */
  readonly prompt: number;
  readonly popup: number;
  readonly pending: number;
  readonly isBusy: boolean;
  readonly hasTodos: boolean;
  /** 0 = no dialog is open. A dialog stands in the place of the prompt. */
  readonly dialog: number;
};

/** The rows that each part gets; they add up to the rows of the window. */
export type Frame = {
  readonly transcript: number;
  readonly activity: number;
  readonly todos: number;
  readonly popup: number;
  readonly topRule: number;
  readonly pending: number;
  readonly prompt: number;
  readonly bottomRule: number;
  readonly dialog: number;
  readonly status: number;
};

/** Below this many rows the lines around the prompt are given up. */
const lowRows = 16;
const leastTranscript = 3;

export function layoutFrame(wishes: FrameWishes): Frame {
  const { rows, isBusy } = wishes;
  if (wishes.dialog > 0) {
    const dialog = Math.min(wishes.dialog, maxDialogRows(rows));
    return { ...noRows, dialog, status: 1, transcript: rows - 1 - dialog };
  }
  const isLow = rows < lowRows;
  const prompt = Math.min(wishes.prompt, maxPromptRows(rows));
  const pending = Math.min(wishes.pending, isLow ? 1 : 3);
  // In a low window the activity takes the place of the line above the prompt.
  const activity = isBusy ? 1 : 0;
  const topRule = isLow && isBusy ? 0 : 1;
  const bottomRule = isLow ? 0 : 1;
  const todos = isBusy && wishes.hasTodos && !isLow ? 1 : 0;
  const status = 1;
  const fixed = prompt + pending + activity + topRule + bottomRule + todos + status;
  const popup = Math.max(0, Math.min(wishes.popup, rows - fixed - leastTranscript));
  const transcript = rows - fixed - popup;
  return { transcript, activity, todos, popup, topRule, pending, prompt, bottomRule, dialog: 0, status };
}

/** The prompt grows to a third of the window and scrolls from then on. */
function maxPromptRows(rows: number): number {
  return Math.max(2, Math.min(Math.floor(rows / 3), rows - 8));
}

export function maxDialogRows(rows: number): number {
  return rows < 24 ? rows - 2 : Math.max(22, Math.floor(rows * 0.7));
}

/** Blank cells left and right of the prompt and its lines. */
export function sideMargin(columns: number): number {
  return columns >= 60 ? 2 : 1;
}

const noRows: Frame = {
  transcript: 0,
  activity: 0,
  todos: 0,
  popup: 0,
  topRule: 0,
  pending: 0,
  prompt: 0,
  bottomRule: 0,
  dialog: 0,
  status: 0,
};
