import type { RunSpending } from '#engine/context/run-spending.ts';
import type { EngineSettings } from '#engine/settings.ts';
import type { Clock } from '#lib/clock.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { ModelDirectory } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { CommandSandbox } from '#protocol/sandbox.ts';
import type { ToolDef } from '#protocol/tool.ts';

/** Finds the models that can be asked. */
export interface PeerDirectory extends ModelDirectory {
  /** Rejects with an `LlmcodeError` that names the nearest known model. */
  resolve(text: string): Promise<ModelRef>;
}

/** What a program gives so that peers can be asked from a folder. */
export type ConsultParts = {
  home: string;
  cwd: string;
  roots: readonly string[];
  /** False: nothing is kept of a thread, so it has one round only. */
  persist: boolean;
  directory: PeerDirectory;
  tools: readonly ToolDef[];
  createGate(): PermissionGate;
  createHooks(threadId: () => string): HookRunner;
  childEnv: Readonly<Record<string, string>>;
  /** Where commands of a peer run. */
  sandbox?: CommandSandbox;
  clock: Clock;
  /** What the run has spent: rounds are checked against it and counted in it. */
  spending: RunSpending;
  settings(): EngineSettings;
  timeoutSeconds(): number;
  version: string;
};
