import type { OpenThreadOptions } from '#engine/open-thread.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { minuteText } from '#lib/iso-time.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { directTransport, type Transport } from '#providers/transport.ts';
import { readCassette } from '#providers/vcr/cassette.ts';
import { Pace, pacedClock } from '#providers/vcr/pace.ts';
import { recordingTransport } from '#providers/vcr/record-fetch.ts';
import { Recorder } from '#providers/vcr/recorder.ts';
import { ReplayTransport } from '#providers/vcr/replay-transport.ts';
import { Scrubber } from '#providers/vcr/scrubber.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { packageVersion } from '../package-files.ts';
import type { Layer } from '../settings/layer.ts';
import { type SettingsValues, settingsSchema } from '../settings/schema.ts';
import { knownSecrets, providerEnvironment } from './known-secrets.ts';
import { recordEvents, recordRun } from './record-session.ts';
import { ReplayDriver } from './replay-driver.ts';
import { ReplayedSession } from './replayed-session.ts';
import { recordingFile, type VcrMode, vcrMode } from './vcr-mode.ts';

type VcrSources = { flags: SessionFlags; env: Environment; cwd: string; clock?: Clock | undefined };

/** How a thread was opened; what a replay needs to open it alike. */
type OpenedThread = Pick<
  OpenThreadOptions,
  'cwd' | 'roots' | 'model' | 'canAsk' | 'instructions' | 'tools' | 'settings'
>;

type Replay = { session: ReplayedSession; transport: ReplayTransport; pace: Pace; isDriven: boolean };
type Following = {
  handle: EngineHandle;
  opened: OpenedThread;
  recorder: Recorder | undefined;
  stop: AbortController;
  done: Promise<void>;
};

/** Reads the recording when one is to be replayed. Throws an `LlmcodeError` when that cannot be. */
export async function openVcr({ flags, env, cwd, clock = systemClock }: VcrSources): Promise<Vcr> {
  const mode = vcrMode(flags, { env, cwd });
  if (mode.kind !== 'replay') return new Vcr({ mode, env, cwd, clock });
  const cassette = await readCassette(mode.file);
  const pace = new Pace({ speed: mode.speed, clock });
  return new Vcr({ mode, env, cwd, clock, session: new ReplayedSession(cassette, pace), pace });
}

/**
 * Records a session or replays one: the one place where the outside of a session (network, tools, rules, hooks,
 * the person) is written down or stood in for. While it does neither, each of these costs one look at a field.
 */
export class Vcr {
  readonly #env: Environment;
  readonly #cwd: string;
  readonly #clock: Clock;
  readonly #scrubber = new Scrubber();
  readonly #replay: Replay | undefined;
  readonly #threads = new Set<Following>();
  readonly #stopReplay = new AbortController();
  #recorder: Recorder | undefined;
  #wantedFile: string | undefined;
  #transport: Transport = directTransport;
  #mismatch: LlmcodeError | undefined;
  #files: string | undefined;
  #runs = 0;
  #values: SettingsValues | undefined;
  #driver: ReplayDriver | undefined;
  #wasDriven = false;

  constructor(parts: {
    mode: VcrMode;
    env: Environment;
    cwd: string;
    clock: Clock;
    session?: ReplayedSession;
    pace?: Pace;
  }) {
    const { mode, env, cwd, clock, session, pace } = parts;
    this.#env = env;
    this.#cwd = cwd;
    this.#clock = clock;
    if (mode.kind === 'record') this.#start(mode.file);
    if (mode.kind !== 'replay' || !session || !pace) return;
    const recordedFiles = session.cassette.lines.find((line) => line.kind === 'files')?.folder;
    const transport = new ReplayTransport({
      cassette: session.cassette,
      pace,
      folders: () => ({ recordedFiles, files: this.#files }),
      onMismatch: (error) => {
        this.#mismatch ??= error;
        this.#stopReplay.abort();
      },
    });
    this.#transport = transport;
    this.#replay = { session, transport, pace, isDriven: mode.isDriven };
  }

  /** The recorded session that is replayed. */
  get replayed(): ReplayedSession | undefined {
    return this.#replay?.session;
  }

  get isOn(): boolean {
    return this.#replay !== undefined || this.#recorder !== undefined;
  }

  /** True when a replay says the prompts itself. */
  get isDriven(): boolean {
    return this.#replay?.isDriven === true;
  }

  /** Does again what the person did, in the thread that was opened; resolves when that is over, with what to say. */
  async begin(): Promise<{ isWhole: boolean; text: string }> {
    if (!this.#replay || !this.#driver)
      return { isWhole: false, text: 'There is no recorded session to follow.' };
    const driver = this.#driver;
    this.#driver = undefined;
    const end = await driver.run(this.#stopReplay.signal);
    const calls = `${this.#replay.transport.calls.used} of ${this.#replay.transport.calls.all} model calls`;
    if (this.#mismatch) return { isWhole: false, text: this.#mismatch.message };
    if (end.kind === 'stuck')
      return { isWhole: false, text: `The replay came to a standstill: ${end.what}, ${calls}.` };
    return { isWhole: true, text: `The replay is over: ${calls}.` };
  }

  /** Why the replay could not go on. */
  get mismatch(): LlmcodeError | undefined {
    return this.#mismatch;
  }

  get clock(): Clock {
    return this.#replay ? pacedClock(this.#clock, this.#replay.pace) : this.#clock;
  }

  /** In a replay the variables of then. */
  get providerEnv(): Environment {
    return this.#replay?.session.opened.env ?? this.#env;
  }

  /** In a replay the settings of then, as far as they are about models and the engine. */
  get settingsLayer(): Layer | undefined {
    const { session } = this.#replay ?? {};
    if (!session) return undefined;
    const { theme, hooks, permissions, permission_mode, ...value } = session.opened.settings;
    return { origin: session.cassette.file, kind: 'flag', value, shown: value };
  }

  readonly transport: Transport = {
    call: (input, init) => this.#transport.call(input, init),
    lookUp: (input, init) => this.#transport.lookUp(input, init),
  };

  notices(): string[] {
    if (this.#recorder)
      return [
        `Recording to ${this.#recorder.file}. Keys and what looks like a secret are taken out; read it before you share it.`,
      ];
    if (!this.#replay) return [];
    const { file, recordedAt: at } = this.#replay.session.cassette;
    return [`Replaying ${file}, recorded ${minuteText(at)} UTC: no network, and no tool runs.`];
  }

  /** The tools with their runs recorded, or stood in for. Tools that only talk to the session run as always. */
  tools(tools: readonly ToolDef[]): ToolDef[] {
    const { session } = this.#replay ?? {};
    const known = session ? tools.filter(({ name }) => session.opened.tools.includes(name)) : tools;
    return known.map((tool) => (tool.effect === 'none' ? tool : this.#tool(tool)));
  }

  gate(gate: PermissionGate): PermissionGate {
    const { session } = this.#replay ?? {};
    if (session)
      return {
        decide: (call) => session.decide(call),
        allow: async () => undefined,
        allowReading: (folder) => {
          this.#files = folder;
        },
      };
    return {
      decide: (call) => {
        const decision = gate.decide(call);
        const { tool, input, mode } = call;
        this.#recorder?.write({ kind: 'decision', tool, input, mode, decision });
        return decision;
      },
      allow: (rule, scope) => gate.allow(rule, scope),
      allowReading: (folder) => {
        this.#files = folder;
        gate.allowReading(folder);
      },
      note: (call, end) => gate.note?.(call, end),
      examples: (rule, call) => gate.examples?.(rule, call) ?? { covers: [], leaves: [] },
    };
  }

  hooks(runner: HookRunner): HookRunner {
    const { session } = this.#replay ?? {};
    if (session) return { fire: async ({ event }) => session.hook(event) };
    return {
      fire: async (event, options) => {
        const outcome = await runner.fire(event, options);
        this.#recorder?.write({ kind: 'hook', event: event.event, outcome });
        return outcome;
      },
    };
  }

  /** These settings count from now on. */
  uses(values: SettingsValues): void {
    this.#values = values;
    if (this.#recorder) this.#hideSecrets();
  }

  /** The thread with what happens in it recorded, or with what the person did then done again. */
  follow(handle: EngineHandle, opened: OpenedThread): EngineHandle {
    if (this.#replay) {
      const { session, pace, isDriven } = this.#replay;
      const { lines } = session.cassette;
      if (isDriven && !this.#wasDriven)
        this.#driver = new ReplayDriver(handle, { lines, pace, clock: this.#clock });
      this.#wasDriven = true;
      return handle;
    }
    const thread: Following = {
      handle,
      opened,
      recorder: undefined,
      stop: new AbortController(),
      done: Promise.resolve(),
    };
    this.#threads.add(thread);
    if (this.#recorder) this.#record(thread);
    return {
      threadId: handle.threadId,
      events: (sinceSeq) => handle.events(sinceSeq),
      submit: (action) => {
        thread.recorder?.write({ kind: 'action', action });
        handle.submit(action);
      },
      close: async (reason) => {
        await handle.close(reason);
        await this.#unfollow(thread);
      },
    };
  }

  /** Begins to record the open thread; resolves with what to tell the person. */
  async startRecording(name: string): Promise<string> {
    if (this.#replay) return 'A replay cannot be recorded.';
    if (this.#recorder) return this.status();
    const thread = [...this.#threads].at(-1);
    this.#start(recordingFile(name, { env: this.#env, cwd: this.#cwd }));
    if (thread) this.#record(thread);
    return this.notices().join('\n');
  }

  async stopRecording(): Promise<string> {
    const recorder = this.#recorder;
    if (!recorder) return this.status();
    this.#recorder = undefined;
    this.#transport = directTransport;
    await Promise.all([...this.#threads].map((thread) => this.#endRecording(thread)));
    recorder.close();
    return `The recording is in ${recorder.file} (${recorder.requests} requests). Replay it with llmcode --replay FILE.`;
  }

  status(): string {
    if (this.#replay) {
      const { session, pace } = this.#replay;
      const { used, all } = this.#replay.transport.calls;
      const speed = pace.speed === 0 ? 'as fast as possible' : `at ${pace.speed} times the speed`;
      return `Replaying ${session.cassette.file} ${speed}: ${used} of ${all} model calls.`;
    }
    const recorder = this.#recorder;
    if (!recorder) return 'Nothing is recorded. `/vcr on` begins.';
    if (recorder.problem !== undefined) return `The recording to ${recorder.file} ended: ${recorder.problem}`;
    return `Recording to ${recorder.file}: ${recorder.requests} requests, ${Math.ceil(recorder.bytes / 1_000)} kB.`;
  }

  #tool(tool: ToolDef): ToolDef {
    const { session } = this.#replay ?? {};
    if (session) {
      const { preview, ...rest } = tool;
      return {
        ...rest,
        run: (input, ctx) => session.run(tool, input, ctx),
        ...(preview ? { preview: async (input) => session.preview(tool, input) } : {}),
      };
    }
    const { preview } = tool;
    return {
      ...tool,
      run: (input, ctx) => {
        const recorder = this.#recorder;
        if (!recorder) return tool.run(input, ctx);
        this.#runs += 1;
        return recordRun(recorder, { tool, input, ctx, run: this.#runs });
      },
      ...(preview
        ? {
            preview: async (input, ctx) => {
              const outlook = await preview(input, ctx);
              const said = outlook === undefined ? {} : { outlook };
              this.#recorder?.write({ kind: 'preview', tool: tool.name, input: input as JsonValue, ...said });
              return outlook;
            },
          }
        : {}),
    };
  }

  #start(file: string): void {
    this.#wantedFile = file;
    try {
      const { version, clock } = { version: packageVersion(), clock: this.#clock };
      this.#recorder = new Recorder({ file, llmcode: version, clock, scrubber: this.#scrubber });
    } catch (error) {
      throw new LlmcodeError(
        'recording-failed',
        `the recording ${file} cannot be made: ${errorText(error)}`,
        {
          exitCode: 2,
          cause: error,
        },
      );
    }
    this.#transport = recordingTransport(directTransport, this.#recorder);
    this.#hideSecrets();
  }

  #hideSecrets(): void {
    if (!this.#values) return;
    for (const secret of knownSecrets(this.#values, this.#env)) this.#scrubber.hide(secret);
  }

  /** A cassette holds one thread: the next thread gets one of its own. */
  #record(thread: Following): void {
    const isTaken = [...this.#threads].some((other) => other.recorder === this.#recorder);
    if (isTaken && this.#wantedFile !== undefined) {
      try {
        this.#start(this.#wantedFile);
      } catch (error) {
        log('the next thread is not recorded:', error);
        this.#recorder = undefined;
        this.#transport = directTransport;
      }
    }
    const recorder = this.#recorder;
    if (!recorder) return;
    const { cwd, roots, model, canAsk, instructions, tools } = thread.opened;
    const values = this.#values ?? settingsSchema.parse({});
    const settings = this.#scrubber.settings(jsonOf(values));
    const env = this.#scrubber.settings(providerEnvironment(values, this.#env));
    recorder.write({
      kind: 'session',
      cwd,
      roots: [...roots],
      model,
      canAsk,
      instructions: [...instructions],
      tools: tools.map(({ name }) => name),
      settings: settings as Record<string, JsonValue>,
      env: env as Record<string, string>,
    });
    if (this.#files !== undefined) recorder.write({ kind: 'files', folder: this.#files });
    thread.recorder = recorder;
    thread.done = recordEvents(recorder, thread.handle, thread.stop.signal);
  }

  async #endRecording(thread: Following): Promise<void> {
    thread.stop.abort();
    await thread.done;
    thread.stop = new AbortController();
    thread.recorder = undefined;
  }

  async #unfollow(thread: Following): Promise<void> {
    const { recorder } = thread;
    await thread.done;
    this.#threads.delete(thread);
    recorder?.close();
    if (recorder !== undefined && recorder === this.#recorder) {
      this.#recorder = undefined;
      this.#transport = directTransport;
    }
  }
}

/** Only what JSON can hold: settings are read from JSON. */
function jsonOf(values: SettingsValues): JsonValue {
  return JSON.parse(JSON.stringify(values)) as JsonValue;
}
