import { PassThrough, Writable } from 'node:stream';
import xterm from '@xterm/headless';
import type { ScreenStreams } from '#ui/screen.tsx';
import { waitFor } from './wait-for.ts';

/** A terminal in this process: what the screen writes ends up in cells, what a test types goes to the screen. */
export type FakeTerminal = {
  readonly streams: ScreenStreams;
  /** Everything written so far. */
  output(): string;
  /** Rows as a person sees them, without blanks at their ends. */
  rows(): string[];
  text(): string;
  /** Every cell with its looks, row by row. */
  cells(): string[];
  cursor(): { x: number; y: number; isShown: boolean };
  isAlternate(): boolean;
  isRaw(): boolean;
  type(bytes: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen shows it. */
  shows(text: string | RegExp): Promise<void>;
  hides(text: string): Promise<void>;
};

class FakeStdin extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(enabled: boolean): this {
    this.isRaw = enabled;
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

class FakeStdout extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #terminal: xterm.Terminal;
  written = '';

  constructor(terminal: xterm.Terminal) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    this.columns = terminal.cols;
    this.rows = terminal.rows;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString();
    this.written += text;
    this.#terminal.write(text, done);
  }
}

/** A blank without a background looks like any other. */
function looksOf(cell: xterm.IBufferCell | undefined): string {
  const char = cell?.getChars() || ' ';
  if (!cell || (char === ' ' && cell.isBgDefault() && !cell.isInverse())) return ' ';
  const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()];
  const bits = flags.map((flag) => (flag ? 1 : 0)).join('');
  return `${char}(${cell.getFgColorMode()}:${cell.getFgColor()} ${cell.getBgColor()} ${bits})`;
}

export function createFakeTerminal({
  columns = 80,
  rows = 24,
  env = {},
}: {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
} = {}): FakeTerminal {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 0,
    convertEol: true,
  });
  const stdin = new FakeStdin();
  const stdout = new FakeStdout(terminal);
  const lines = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, index) =>
      (active.getLine(active.baseY + index)?.translateToString(true) ?? '').trimEnd(),
    );
  };
  const text = () => lines().join('\n');
  const matches = (wanted: string | RegExp) =>
    typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text());
  const until = async (condition: () => boolean, wanted: string | RegExp) => {
    try {
      await waitFor(condition);
    } catch {
      throw new Error(`Waited in vain for ${wanted} on this screen:\n${text()}`);
    }
  };
  return {
    streams: {
      stdin: stdin as unknown as ScreenStreams['stdin'],
      stdout: stdout as unknown as ScreenStreams['stdout'],
      stderr: stdout as unknown as ScreenStreams['stderr'],
      env: { TERM: 'xterm-256color', NO_COLOR: '1', ...env },
    },
    output: () => stdout.written,
    rows: lines,
    text,
    cells: () => {
      const { active } = terminal.buffer;
      return Array.from({ length: terminal.rows }, (_, index) => {
        const line = active.getLine(active.baseY + index);
        return Array.from({ length: terminal.cols }, (_cell, column) => looksOf(line?.getCell(column))).join(
          '',
        );
      });
    },
    cursor: () => ({
      x: terminal.buffer.active.cursorX,
      y: terminal.buffer.active.cursorY,
      isShown: stdout.written.lastIndexOf('\x1b[?25h') > stdout.written.lastIndexOf('\x1b[?25l'),
    }),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    isRaw: () => stdin.isRaw,
    type: (bytes) => void stdin.write(bytes),
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      stdout.columns = nextColumns;
      stdout.rows = nextRows;
      stdout.emit('resize');
    },
    shows: (wanted) => until(() => matches(wanted), wanted),
    hides: (wanted) => until(() => !matches(wanted), `no ${wanted}`),
  };
}
