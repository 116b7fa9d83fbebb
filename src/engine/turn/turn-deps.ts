import type { Clock } from '#lib/clock.ts';
import type { IdSource } from '#lib/ids.ts';
import type { ImagePart, Message } from '#protocol/message.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolSchema } from '#protocol/tool.ts';
import type { Spent } from '../context/budget.ts';
import type { CacheWatch } from '../context/cache-watch.ts';
import type { TokenMeter } from '../context/token-meter.ts';
import type { HookDesk } from '../hook-desk.ts';
import type { EngineSettings } from '../settings.ts';
import type { StandIns } from '../stand-ins.ts';
import type { ToldMode } from './mode-note.ts';
import type { ToolCallDeps } from './tool-call.ts';

/** What a person says, before hooks have seen it. */
export type IncomingPrompt = {
  text: string;
  images: readonly ImagePart[];
  origin: 'person' | 'steer';
  /** Called when it has become a message or was refused for good. */
  onTaken(): void;
};

/** A compaction that the person wants. `onOver` is called after it, whatever came of it. */
export type CompactionWish = { focus?: string | undefined; onOver?: (() => void) | undefined };

/** What reaches a turn from outside while it runs. */
export interface TurnInbox {
  /** Messages that go in before the next model call; they cannot be taken back any more. */
  takeSteers(): IncomingPrompt[];
  hasSteers(): boolean;
  /** Finished messages that wait for a gap, e.g. the output of a `!` command. */
  takeMessages(): Message[];
  /** The person wants history compacted before the next call. */
  takeCompaction(): CompactionWish | undefined;
}

/** What outlives a turn: kept by the engine for as long as the thread is open. */
export type TurnMemory = {
  /** The mode that the model was last told of. */
  told: ToldMode;
  vendorCallIds: Set<string>;
  meter: TokenMeter;
  cacheWatch: CacheWatch;
  /** Automatic compactions that were of no use in a row. */
  uselessCompactions: number;
  wasUnpricedTold: boolean;
  wasToollessTold: boolean;
  wasWindowTold: boolean;
  /** Tokens of an answer to ask for, after the server cut one short of what the model may write; null = it refuses that. */
  output?: { model: string; tokens: number | null };
};

export type TurnDeps = {
  state(): ThreadState;
  /** Opens the chosen model if it is not open yet. Rejects with an `LlmcodeError` that says what to do. */
  model(): Promise<ModelClient>;
  /** Models that take over when that one fails. */
  standIns: StandIns;
  /** Who may summarise history, best first. Never rejects. */
  summarisers(client: ModelClient): AsyncIterable<ModelClient>;
  inbox: TurnInbox;
  /** What the model has to be told: of commands in the background, of files that were put back. */
  notes(): string[];
  /** What is remembered about this request and was not given yet. Never rejects. */
  remembered(request: string): Promise<readonly string[]>;
  memory(): TurnMemory;
  hooks: HookDesk;
  system: readonly string[];
  schemas: readonly ToolSchema[];
  /** Plain estimate of `system` and `schemas`. */
  fixedTokens: number;
  tools: Omit<ToolCallDeps, 'emit' | 'maxResultChars'>;
  settings: EngineSettings;
  /** US dollars that are spent; of other sessions too. */
  spent(): Promise<Spent>;
  clock: Clock;
  ids: IdSource;
  /** What was emitted survives the end of the process. */
  flush(): void;
  /** What was emitted survives a power cut. */
  sync(): Promise<void>;
  /** Work that the end of the turn does not wait for. */
  supervise(work: Promise<unknown>): void;
};

/** How a turn begins: with something said, or (no prompts) by going on with what is there. */
export type TurnStart = { prompts: readonly IncomingPrompt[] };
