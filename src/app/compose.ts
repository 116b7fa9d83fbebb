import { childEnvironment } from '#lib/child-env.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { llmcodeHome, realPathOf } from '#lib/paths.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef } from '#protocol/tool.ts';
import type { ModelCatalogue } from '#providers/directory.ts';
import type { SessionFlags } from './cli/flags.ts';
import { existingFolder } from './cwd.ts';
import { createDemoModel, demoChoice, demoModelRef, type Pace } from './demo/model.ts';
import type { Host } from './host.ts';
import { packageVersion } from './package-files.ts';
import { dropDisallowed, ruleSources } from './rule-sources.ts';
import { type LoadedSettings, loadSettings } from './settings/load-settings.ts';

export type ComposeOptions = {
  host: Host;
  cwd: string;
  flags: SessionFlags;
  demoPace: Pace;
  clock?: Clock;
  /** Runs between two heavy loads, so that keys get through. */
  breathe?: () => Promise<void>;
};

export type ThreadOrigin =
  | { kind: 'new' }
  | { kind: 'resume'; threadId: string }
  | { kind: 'fork'; threadId: string };

export type OpenOptions = {
  origin: ThreadOrigin;
  model: ModelRef | null;
  /** True: `model` replaces the one that a resumed thread had. */
  isModelAsked: boolean;
  mode: PermissionMode | null;
  canAsk: boolean;
  persist: boolean;
  /** More for the system prompt. */
  instructions?: readonly string[];
};

/** Everything that a session in one folder is made of, one of each. */
export type Composition = {
  cwd: string;
  home: string;
  /** Real paths; the first is `cwd`. */
  roots: readonly string[];
  settings: LoadedSettings;
  catalogue: ModelCatalogue;
  tools: readonly ToolDef[];
  childEnv: Readonly<Record<string, string>>;
  notices: readonly string[];
  createGate(): PermissionGate;
  openThread(options: OpenOptions): Promise<EngineHandle>;
};
