// Free of React and Ink: it stands on the screen while they load.
import { constants } from 'node:os';
import { type FirstScene, firstFrame } from '../frame/first-frame.ts';
import { isTooSmall, sideMargin } from '../frame/frame.ts';
import { type EditorState, emptyEditor, insertText, layoutOf } from '../prompt/editor.ts';
import { promptCells } from '../prompt/prompt-rows.ts';
import { armRestore, restoreTerminal } from '../terminal/restore.ts';

export type BootStreams = {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream & {
    readonly fd?: number;
    readonly columns: number;
    readonly rows: number;
  };
};

/** The first frame, which shows what is typed until the real screen takes its place. */
export type BootScreen = {
  /** What was typed and stands in the prompt; there may be keys behind it that are not shown. */
  readonly draft: string;
  /** Ends it: every byte that was read is in the input again, and the frame stays as it is. */
  handOver(): void;
  /** Ends it and gives the terminal back, for when there will be no screen. */
  abandon(): void;
};

/** Opens the alternate screen and draws. undefined when the window is too small for it. */
export function openBootScreen(scene: FirstScene, { stdin, stdout }: BootStreams): BootScreen | undefined {
  const { columns, rows } = stdout;
  if (isTooSmall({ columns, rows })) return undefined;
  const fd = stdout.fd ?? -1;
  const disarm = armRestore({
    fd,
    process,
    onSignal: (signal) => process.exit(128 + constants.signals[signal]),
  });
  const read: Buffer[] = [];
  let draft = emptyEditor;
  let isEchoing = true;
  let shown: readonly string[] = [];
  const draw = (before = '') => {
    const frame = firstFrame(scene, { columns, rows, draft });
    const changed = frame.rows.flatMap((row, index) => {
      const old = shown[index] ?? '';
      // What a key changes ends before the last column; erasing behind a full row would take its last cell.
      return row === old ? [] : [`\x1b[${index + 1};1H${row}${old === '' ? '' : '\x1b[K'}`];
    });
    shown = frame.rows;
    stdout.write(`${before}${changed.join('')}\x1b[${frame.cursor.y + 1};${frame.cursor.x + 1}H`);
  };
  const onData = (chunk: Buffer | string) => {
    const bytes = Buffer.from(chunk as Buffer);
    read.push(bytes);
    const next = isEchoing ? typed(draft, bytes, promptCells(columns, sideMargin(columns))) : undefined;
    if (!next) {
      isEchoing = false;
      return;
    }
    draft = next;
    draw();
  };
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    stdin.off('data', onData);
    stdin.pause();
    if (read.length > 0) stdin.unshift(Buffer.concat(read));
    disarm();
  };

  draw('\x1b[?1049h');
  stdin.on('data', onData);
  return {
    get draft() {
      return draft.text;
    },
    handOver: end,
    abandon() {
      if (isOver) return;
      end();
      restoreTerminal(fd);
    },
  };
}

/** Only what does nothing but stand in the prompt, in one row; from any other key on all wait for the real screen. */
function typed(draft: EditorState, bytes: Buffer, cells: number): EditorState | undefined {
  const text = bytes.toString('latin1');
  const whole = draft.text + text;
  // Some signs open something, at the beginning or anywhere.
  if (!/^[\x20-\x7e]+$/.test(text) || !/^[a-z0-9"'(`][^@]*$/i.test(whole)) return undefined;
  const next = insertText(draft, text);
  return layoutOf(next, cells).rows.length === 1 ? next : undefined;
}
