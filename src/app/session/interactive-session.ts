import { setImmediate } from 'node:timers/promises';
import { AsyncQueue } from '#lib/async-queue.ts';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { llmcodeHome } from '#lib/paths.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { SessionFlags } from '../cli/flags.ts';
import type { Composition, OpenOptions, ThreadOrigin } from '../compose.ts';
import type { Host } from '../host.ts';
import { type Notice, ScreenHandle } from './screen-handle.ts';

type Parts = { host: Host; flags: SessionFlags; cwd: string; mode: PermissionMode };
type Current = { handle: ScreenHandle; composition: Composition | undefined; cwd: string };

/**
 * The one thread that the screen shows and what it is made of. Another thread takes its place as a whole: the new
 * one is opened first, then the old one is closed.
 */
export class InteractiveSession {
  readonly home: string;
  readonly #host: Host;
  readonly #flags: SessionFlags;
  readonly #pushed = new AsyncQueue<CommandOutcome>();
  readonly #needsModel = Promise.withResolvers<boolean>();
  readonly #abort = new AbortController();
  #current: Current;
  #stopWatching: (() => Promise<void>) | undefined;
  #isNeedKnown = false;

  constructor({ host, flags, cwd, mode }: Parts) {
    this.#host = host;
    this.#flags = flags;
    this.home = llmcodeHome(host.env);
    const handle: ScreenHandle = new ScreenHandle(() => this.#openFirst(handle), { cwd, mode });
    this.#current = { handle, composition: undefined, cwd };
  }

  get handle(): ScreenHandle {
    return this.#current.handle;
  }

  get cwd(): string {
    return this.#current.cwd;
  }

  get pushed(): AsyncIterable<CommandOutcome> {
    return this.#pushed;
  }

  /** Resolves when the first thread is open and it is known whether a model was found for it. */
  get needsModel(): Promise<boolean> {
    return this.#needsModel.promise;
  }
}
