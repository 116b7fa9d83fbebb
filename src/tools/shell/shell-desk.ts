import type { Clock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { releaseGroup } from '#lib/process-group.ts';
import { codeName } from '#lib/quote.ts';
import type { ScratchFolder } from '#lib/scratch-folder.ts';
import type { ProcessEnd } from '#lib/spawn.ts';
import { mostRunningShells } from '#protocol/shell-limits.ts';
import type {
  BackgroundShell,
  RunningShell,
  ShellDesk,
  ShellEnd,
  ShellReading,
  ShellStart,
  ShellUpdate,
} from '#protocol/shells.ts';
import { count } from '../result/words.ts';
import { CarriedState } from './carried-state.ts';
import { EarlierShells } from './earlier-shells.ts';
import type { ShellRegistry } from './shell-registry.ts';
import { ShellTask } from './shell-task.ts';
import { readState } from './state-script.ts';

const mostEnded = 24;
const outputPaceMs = 1_000;

export type ShellDeskOptions = {
  cwd: string;
  roots: readonly string[];
  clock: Clock;
  newId(): string;
  /** Where running commands are written down; without it nothing may outlive its call. */
  registry: ShellRegistry | undefined;
  /** Where commands put temporary files; it goes with the thread. */
  scratch?: ScratchFolder | undefined;
};

/** Runs the commands of one thread: one after the other with a state that goes on, and beside it those in the background. */
export class ThreadShells implements ShellDesk {
  readonly #options: ShellDeskOptions;
  readonly #state: CarriedState;
  readonly #earlier: EarlierShells | undefined;
  readonly #foreground = new Set<ShellTask>();
  #background: ShellTask[] = [];
  #listener: (update: ShellUpdate) => void = () => undefined;
  readonly #pacing = new Set<string>();
  readonly #ends = new Map<ShellTask, Promise<ShellEnd>>();
  #isClosed = false;
  /** The list as it was told last. */
  #told = '[]';

  constructor(options: ShellDeskOptions) {
    this.#options = options;
    this.#state = new CarriedState(options);
    this.#earlier = options.registry && new EarlierShells(options.registry);
  }

  get cwd(): string {
    return this.#state.cwd;
  }

  get searchPath(): string | undefined {
    return this.#state.searchPath;
  }

  get backgroundProblem(): string | undefined {
    if (!this.#options.registry) return 'Commands cannot run in the background here.';
    const running = this.#background.filter(({ end }) => !end);
    if (running.length < mostRunningShells) return undefined;
    const ids = running.map(({ id }) => id).join(', ');
    return `${count(running.length, 'command')} run in the background already, which is the most: ${ids}. End one with bash_kill first.`;
  }

  watch(listener: (update: ShellUpdate) => void): void {
    this.#listener = listener;
    void this.#sweep();
  }

  start(start: ShellStart): RunningShell {
    const { clock, newId, scratch } = this.#options;
    const env = this.#state.environment(start.env, start.searchPath);
    if (scratch) env['TMPDIR'] = scratch.folder;
    const key = `bash_${newId().slice(-6).toLowerCase()}`;
    const task = new ShellTask({ ...start, env }, { key, startedAt: clock.now() });
    if (start.isBackground) this.#toBack(task);
    else this.#foreground.add(task);
    const ended = this.#run(task);
    this.#ends.set(task, ended);
    const { moved } = task;
    return { ended, moved: moved.promise, id: () => task.id };
  }

  async read(
    id: string,
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Promise<ShellReading | undefined> {
    const task = this.#find(id);
    if (!task) {
      const earlier = this.#earlier?.find(id);
      return earlier && this.#earlier && { shell: earlier, ...this.#earlier.read(earlier) };
    }
    if (!task.end && task.unread.isEmpty) {
      const given = new AbortController();
      const wait = this.#options.clock.wait(waitMs, { signal: AbortSignal.any([signal, given.signal]) });
      await Promise.race([task.news, wait]);
      given.abort();
    }
    const isOver = task.end !== undefined;
    if (isOver) task.isEndTold = true;
    const { outputPath } = task.start.output.tail();
    return {
      shell: task.facts(id),
      ...task.unread.take({ isOver }),
      ...(outputPath === undefined ? {} : { outputPath }),
    };
  }

  async kill(id: string, by: 'model' | 'person'): Promise<BackgroundShell | undefined> {
    const task = this.#find(id);
    if (!task) {
      const earlier = await this.#earlier?.kill(id);
      if (earlier) this.#changed();
      return earlier;
    }
    if (task.end) return task.facts(id);
    if (by === 'model') task.isEndTold = true;
    task.stop(by);
    await this.#ends.get(task);
    return task.facts(id);
  }

  list(): readonly BackgroundShell[] {
    const own = this.#background.flatMap((task) => (task.id === null ? [] : [task.facts(task.id)]));
    return [...(this.#earlier?.list() ?? []), ...own];
  }

  toBackground(callId?: string): string | undefined {
    const task = [...this.#foreground].findLast(
      ({ start }) => callId === undefined || start.callId === callId,
    );
    if (!task) return undefined;
    const problem = this.backgroundProblem;
    if (problem !== undefined) throw new LlmcodeError('no-background', problem);
    this.#foreground.delete(task);
    const id = this.#toBack(task);
    task.moved.resolve(id);
    return id;
  }

  keep(id: string): BackgroundShell | undefined {
    const task = this.#find(id);
    if (!task || task.end || task.isKept) return task?.facts(id);
    const { isTerminal, confinement, output } = task.start;
    const why = isTerminal
      ? 'its terminal is llmcode’s own'
      : confinement?.ownsProcesses
        ? 'the sandbox ends with llmcode'
        : undefined;
    if (why !== undefined || !task.process) throw cannotKeep(task, why ?? 'it has only just begun');
    try {
      this.#options.registry?.keep(task.key, output.tail().output);
    } catch (error) {
      throw cannotKeep(task, errorText(error));
    }
    releaseGroup(task.process.pid);
    task.isKept = true;
    this.#changed();
    return task.facts(id);
  }

  look(): void {
    const shells = [...this.list()];
    if (JSON.stringify(shells) !== this.#told) this.#tell(shells);
  }

  takeNotes(): string[] {
    const ended = this.#background.filter((task) => task.end && !task.isEndTold);
    for (const task of ended) task.isEndTold = true;
    return ended.map((task) => this.#endNote(task));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#foreground, ...this.#background].filter(({ end }) => !end);
    for (const task of running) {
      if (task.isKept) task.process?.release();
      else task.stop('session');
    }
    await Promise.all(running.map((task) => (task.isKept ? undefined : this.#ends.get(task))));
    this.#options.scratch?.remove();
  }

  async #run(task: ShellTask): Promise<ShellEnd> {
    const { clock, registry, cwd: project } = this.#options;
    const { command, timeoutMs, signal, output, onOutput } = task.start;
    const onAbort = () => {
      if (task.id === null) task.stop('person');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let isTimedOut = false;
    const onTimeout = () => {
      if (task.id !== null) return;
      isTimedOut = true;
      task.stop('session');
    };
    const cancelTimeout = timeoutMs === undefined ? undefined : clock.after(timeoutMs, onTimeout);
    const end = await task.run({
      keepFile: registry?.outputFile(task.key),
      onStart: ({ pid, mark }) =>
        registry?.add({ id: task.key, pid, mark, command, project, startedAt: task.startedAt }),
      onOutput: () => {
        if (task.id === null) onOutput();
        else this.#said(task);
      },
    });
    cancelTimeout?.();
    signal.removeEventListener('abort', onAbort);
    registry?.remove(task.key);
    output.close();
    const said = (await task.start.settle?.({ isBackground: task.id !== null })) ?? [];
    return this.#finish(task, { ...end, ...(isTimedOut ? { cause: 'timeout' as const } : {}) }, said);
  }

  #finish(task: ShellTask, end: ProcessEnd, said: readonly string[]): ShellEnd {
    const { exitCode, signal, cause, hadLeftovers, error, lastWords } = end;
    const { cwd, env, confinement } = task.start;
    const failure = error === undefined ? {} : { error };
    task.end = { exitCode, signal, at: this.#options.clock.now(), ...failure };
    this.#ends.delete(task);
    task.wake();
    const result = { cause, exitCode, signal, hadLeftovers, ...failure };
    // What a command that was stopped has to say comes too late for its result.
    const isTold = task.id === null && cause !== 'aborted';
    for (const text of isTold || this.#isClosed ? [] : said)
      this.#listener({ kind: 'notice', level: 'warning', text });
    if (task.id !== null) {
      this.#endedBehind(task);
      return { ...result, notes: [] };
    }
    this.#foreground.delete(task);
    const state = cause === 'exited' ? readState(lastWords) : undefined;
    const notes = this.#state.take(state, { cwd, env, unseen: confinement?.env ?? {} });
    return { ...result, notes: isTold ? [...said, ...notes] : notes };
  }

  #endedBehind(task: ShellTask): void {
    if (this.#isClosed) return;
    const over = this.#background.filter(({ end }) => end);
    const old = new Set(over.slice(0, Math.max(0, over.length - mostEnded)));
    this.#background = this.#background.filter((each) => !old.has(each));
    this.#changed();
    if (task.endedBy !== undefined) return;
    const text = `In the background ${codeName(task.start.command)} ended: ${howItEnded(task)}.`;
    this.#listener({ kind: 'notice', level: task.end?.exitCode === 0 ? 'info' : 'warning', text });
  }

  #toBack(task: ShellTask): string {
    task.id = task.key;
    this.#background.push(task);
    this.#changed();
    return task.key;
  }

  #find(id: string): ShellTask | undefined {
    return this.#background.find((task) => task.id === id);
  }

  #changed(): void {
    this.#tell([...this.list()]);
  }

  #tell(shells: BackgroundShell[]): void {
    if (this.#isClosed) return;
    this.#told = JSON.stringify(shells);
    this.#listener({ kind: 'list', shells });
  }

  /** At most once a second for each. */
  #said(task: ShellTask): void {
    const { key } = task;
    if (this.#pacing.has(key)) return;
    this.#pacing.add(key);
    this.#options.clock.after(outputPaceMs, () => {
      this.#pacing.delete(key);
      if (this.#isClosed || task.end) return;
      const { lines, tail } = task.facts(key);
      this.#listener({ kind: 'output', id: key, lines, tail });
    });
  }

  #endNote(task: ShellTask): string {
    const who = { model: 'you', person: 'the person', session: 'llmcode' };
    const how = task.endedBy ? `was ended by ${who[task.endedBy]}` : `ended: ${howItEnded(task)}`;
    const command = task.start.command.slice(0, 200);
    return `The background command ${task.key} (${command}) ${how}. bash_output gives what it printed since you last read it.`;
  }

  async #sweep(): Promise<void> {
    const { registry, cwd } = this.#options;
    if (!registry || !this.#earlier) return;
    try {
      const { ended, kept } = await registry.sweep();
      this.#earlier.add(kept.filter(({ project }) => project === cwd));
      if (kept.length > 0) this.#changed();
      if (ended.length === 0 || this.#isClosed) return;
      const commands = ended.slice(0, 3).map(({ command }) => codeName(command));
      const more = ended.length > 3 ? ' …' : '';
      const text = `An llmcode that was killed had left ${count(ended.length, 'command')} running; now ended: ${commands.join(', ')}${more}.`;
      this.#listener({ kind: 'notice', level: 'info', text });
    } catch (error) {
      log('what an earlier session left running could not be looked for:', error);
    }
  }
}

function cannotKeep({ start }: ShellTask, why: string): LlmcodeError {
  return new LlmcodeError('not-kept', `${codeName(start.command)} cannot go on without llmcode: ${why}.`);
}

function howItEnded({ end }: ShellTask): string {
  if (end?.error !== undefined) return end.error;
  if (end?.signal) return end.signal;
  return `exit code ${end?.exitCode ?? 'unknown'}`;
}
