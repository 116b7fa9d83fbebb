import type { EngineEvent } from '#protocol/event.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { RunEnd } from './result-line.ts';
import type { RunRecord } from './run-record.ts';

/** What a stream says about a run before anything happened. */
export type RunFacts = {
  cwd: string;
  tools: readonly string[];
  model: ModelRef | null;
  mode: PermissionMode;
  commands: readonly string[];
  version: string;
};

/** One of the output formats: gets every event after `record` has taken it in, and the end exactly once. */
export interface PrintOutput {
  start(record: RunRecord, facts: RunFacts): Promise<void>;
  event(event: EngineEvent, record: RunRecord): Promise<void>;
  end(record: RunRecord, end: RunEnd): Promise<void>;
}
