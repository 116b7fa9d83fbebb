import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { enterScreen, leaveScreen } from '../terminal/restore.ts';
import type { TerminalDoor } from './controller.ts';

/** What only a mounted Ink can do. */
export interface InkControl {
  /** Gives the terminal away while `work` runs, then takes it back and draws everything anew. */
  suspend(work: () => Promise<void>): Promise<void>;
  /** Forgets what is on the screen and draws everything anew. */
  redraw(): void;
  leave(): void;
  /** Ends the screen with an error. */
  fail(error: unknown): void;
}

type SignalProcess = Pick<NodeJS.Process, 'once' | 'off' | 'kill'>;

/** Without a shell that does job control nobody stops us; then the screen comes back after this time. */
const stopGraceMs = 250;

export function createTerminalControl(options: {
  ink: () => InkControl | undefined;
  write: (text: string) => void;
  clock: Clock;
  editorCommand: readonly string[];
  process: SignalProcess;
}): TerminalDoor {
  const { write, clock } = options;
  const away = async (work: () => Promise<void>) => {
    const ink = options.ink();
    if (!ink) return;
    leaveScreen(write);
    try {
      await ink.suspend(work);
    } finally {
      enterScreen(write);
    }
  };
  return {
    redraw: () => options.ink()?.redraw(),
    suspend: () => away(() => stopProcess(options.process, clock)),
    async editText(text) {
      let edited: string | undefined;
      await away(async () => {
        edited = await editInFile(text, options.editorCommand);
      });
      return edited;
    },
    copy: (text) => write(`\x1b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\x07`),
    leave: () => options.ink()?.leave(),
  };
}

/** Stops the whole foreground job, as the terminal's own Ctrl+Z would, until it is continued. */
async function stopProcess(process: SignalProcess, clock: Clock): Promise<void> {
  const continued = new AbortController();
  const goOn = () => continued.abort();
  process.once('SIGCONT', goOn);
  process.kill(0, 'SIGTSTP');
  // The wait also keeps the process alive: nothing else does while the terminal is given away.
  await clock.wait(stopGraceMs, { signal: continued.signal });
  process.off('SIGCONT', goOn);
}

async function editInFile(text: string, command: readonly string[]): Promise<string | undefined> {
  const [file, ...args] = command;
  if (file === undefined) throw new Error('no editor is set; set $VISUAL or $EDITOR');
  const folder = await mkdtemp(path.join(tmpdir(), 'llmcode-'));
  const draft = path.join(folder, 'prompt.md');
  try {
    await writeFile(draft, text, { mode: 0o600 });
    const code = await runEditor(file, [...args, draft]);
    if (code !== 0) return undefined;
    const edited = (await readFile(draft, 'utf8')).replace(/\n$/, '');
    return edited === text ? undefined : edited;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The editor has the terminal to itself, so it shares our streams. */
function runEditor(file: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}
