import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type IBufferCell, Terminal } from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';
import { projectRoot } from '../source-files.ts';
import { countGraphemes } from './grapheme-widths.ts';
import { type SvgColors, screenSvg } from './screen-svg.ts';

const keys = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  'shift+tab': '\x1b[Z',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
  'alt+enter': '\x1b\r',
  'ctrl+c': '\x03',
  'ctrl+d': '\x04',
  'ctrl+g': '\x07',
  'ctrl+l': '\x0c',
  'ctrl+o': '\x0f',
  'ctrl+r': '\x12',
  'ctrl+z': '\x1a',
} as const;
export type KeyName = keyof typeof keys;

export type TerminalOptions = {
  args?: readonly string[];
  cwd: string;
  /** Laid over a minimal environment with an empty home. */
  env?: Readonly<Record<string, string>>;
  columns?: number;
  rows?: number;
  /** Another program than llmcode: file and leading arguments. */
  program?: readonly [string, ...string[]];
  /** How wide the terminal takes emoji to be: as today's terminals do, or as those of long ago. */
  widths?: 'graphemes' | 'old';
  /** Leaves the home where it is at the end. */
  keepHome?: boolean;
};

export type Cell = { text: string; color: number; background: number; bold: boolean; inverse: boolean };

/** The real program in a real PTY; what it draws goes into a headless terminal whose cells tests look at. */
export class TerminalSession {
  readonly home: string;
  readonly exited: Promise<{ code: number; signal: number }>;
  readonly #pty: IPty;
  readonly #terminal: Terminal;
  readonly #changed = new Set<() => void>();
  readonly #keepsHome: boolean;
  #raw = '';
  #isMidFrame = false;
  #hasExited = false;

  constructor(options: TerminalOptions) {
    const { cwd, columns = 80, rows = 24, keepHome = false } = options;
    this.#keepsHome = keepHome;
    this.home = options.env?.['LLMCODE_HOME'] ?? mkdtempSync(path.join(tmpdir(), 'llmcode-home-'));
    this.#terminal = new Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
    if (options.widths !== 'old') countGraphemes(this.#terminal);
    const [file, ...leading] = options.program ?? [
      process.execPath,
      path.join(projectRoot, 'bin/llmcode.js'),
    ];
    this.#pty = spawn(file, [...leading, ...(options.args ?? [])], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd,
      env: sessionEnvironment(this.home, options.env ?? {}),
    });
    this.#watchFrames();
    this.#pty.onData((data) => {
      this.#raw += data;
      this.#terminal.write(data, () => this.#notify());
    });
    // Answers of the terminal to the program's queries (cursor position, colours, device attributes).
    this.#terminal.onData((data) => {
      if (!this.#hasExited) this.#pty.write(data);
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        // What it wrote last is on the screen before anybody looks at it.
        this.#terminal.write('', () => {
          this.#hasExited = true;
          resolve({ code: exitCode, signal: signal ?? 0 });
          this.#notify();
        });
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Everything the program wrote, as it came. */
  get raw(): string {
    return this.#raw;
  }

  /** Whole-screen clears so far; streaming must cause none. */
  get clears(): number {
    return (this.#raw.match(/\x1b\[2J|\x1b\[3J|\x1b\[H\x1b\[J|\x1b\[1;1H\x1b\[J/g) ?? []).length;
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  press(...names: readonly KeyName[]): void {
    for (const name of names) this.#pty.write(keys[name]);
  }

  paste(text: string): void {
    this.#pty.write(`\x1b[200~${text}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.#hasExited) process.kill(this.#pty.pid, signal);
  }

  /** The rows on the screen, trailing blanks cut. */
  lines(): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from(
      { length: this.#terminal.rows },
      (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '',
    );
  }

  screen(): string {
    return this.lines().join('\n');
  }

  /** The screen as a picture. */
  svg(colors: SvgColors): string {
    return screenSvg(this.#terminal, colors);
  }

  /** The rows with all that shows: runs of equal style as `{style}text`. Two equal pictures look the same. */
  picture(): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) => {
      let picture = '';
      let before = '';
      for (let column = 0; column < this.#terminal.cols; column += 1) {
        const cell = buffer.getLine(buffer.baseY + row)?.getCell(column);
        if (!cell || cell.getWidth() === 0) continue;
        const style = styleText(cell);
        if (style !== before) picture += `{${style}}`;
        before = style;
        picture += cell.getChars() || ' ';
      }
      return picture;
    });
  }

  /** Column and row from 0. */
  cell(column: number, row: number): Cell {
    const buffer = this.#terminal.buffer.active;
    const cell: IBufferCell | undefined = buffer.getLine(buffer.baseY + row)?.getCell(column);
    return {
      text: cell?.getChars() ?? '',
      color: cell?.getFgColor() ?? -1,
      background: cell?.getBgColor() ?? -1,
      bold: cell?.isBold() !== 0,
      inverse: cell?.isInverse() !== 0,
    };
  }

  cursor(): { column: number; row: number } {
    const buffer = this.#terminal.buffer.active;
    return { column: buffer.cursorX, row: buffer.cursorY };
  }

  /** True while the alternate screen is shown. */
  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  /** Terminal modes that a program must switch off again. */
  modes(): { mouse: string; bracketedPaste: boolean; focus: boolean } {
    const { mouseTrackingMode, bracketedPasteMode, sendFocusMode } = this.#terminal.modes;
    return { mouse: mouseTrackingMode, bracketedPaste: bracketedPasteMode, focus: sendFocusMode };
  }

  /** Waits until a whole frame shows it; fails with the screen as it is then. Milliseconds. */
  async waitFor(
    wanted: string | RegExp | ((screen: string) => boolean),
    { timeoutMs = 15_000 }: { timeoutMs?: number } = {},
  ): Promise<string> {
    const isThere = (screen: string): boolean => {
      if (typeof wanted === 'string') return screen.includes(wanted);
      return wanted instanceof RegExp ? wanted.test(screen) : wanted(screen);
    };
    const deadline = Date.now() + timeoutMs;
    while (true) {
      const screen = this.screen();
      if (!this.#isMidFrame && isThere(screen)) return screen;
      if (Date.now() >= deadline || this.#hasExited) {
        const state = this.#hasExited ? 'the program has ended' : `not there after ${timeoutMs} ms`;
        throw new Error(`Waited for ${String(wanted)}: ${state}. The screen:\n${framed(this.lines())}`);
      }
      await this.#nextChange(Math.min(250, deadline - Date.now()));
    }
  }

  async waitUntilGone(text: string, options: { timeoutMs?: number } = {}): Promise<void> {
    await this.waitFor((screen) => !screen.includes(text), options);
  }

  /** Ends the program however it is, and removes its home. */
  async end(): Promise<void> {
    if (!this.#hasExited) this.#pty.kill('SIGKILL');
    await this.exited;
    this.#terminal.dispose();
    if (!this.#keepsHome) rmSync(this.home, { recursive: true, force: true });
  }

  /** A frame may come in several reads; half of one (synchronized output, mode 2026) is nothing a person sees. */
  #watchFrames(): void {
    const setMidFrame = (isMidFrame: boolean) => (params: (number | number[])[]) => {
      if (params.includes(2026)) this.#isMidFrame = isMidFrame;
      return false;
    };
    this.#terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, setMidFrame(true));
    this.#terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, setMidFrame(false));
  }

  #notify(): void {
    for (const wake of this.#changed) wake();
  }

  #nextChange(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#changed.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#changed.add(done);
    });
  }
}

/** A minimal environment: empty home, fixed locale and time zone, no keys, no CI. */
export function sessionEnvironment(
  home: string,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LLMCODE_HOME: home,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: '/bin/bash',
    CI: 'false',
    ...extra,
  };
}

function styleText(cell: IBufferCell): string {
  const color = (isDefault: boolean, isRgb: boolean, value: number) =>
    isDefault ? '-' : isRgb ? `#${value.toString(16).padStart(6, '0')}` : String(value);
  const marks = [
    cell.isBold() ? 'b' : '',
    cell.isDim() ? 'd' : '',
    cell.isItalic() ? 'i' : '',
    cell.isUnderline() ? 'u' : '',
    cell.isInverse() ? 'r' : '',
    cell.isInvisible() ? 'h' : '',
    cell.isStrikethrough() ? 's' : '',
    cell.isBlink() ? 'k' : '',
    cell.isOverline() ? 'o' : '',
  ];
  const front = color(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const back = color(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  return `${front}/${back}${marks.join('')}`;
}

function framed(lines: readonly string[]): string {
  return lines.map((line) => `│${line}`).join('\n');
}
