import { randomUUID } from 'node:crypto';
import type { JsonValue } from '#protocol/json.ts';
import type { FinishReason } from '#protocol/message.ts';
import type { UsageTotals } from '#protocol/usage.ts';
import { isUnpriced, spentUsd } from '#protocol/usage-totals.ts';
import type { RunRecord } from './run-record.ts';
import type { ResultLine } from './schemas.ts';

/** How a headless run ended; `reason` goes into `terminal_reason`. */
export type RunEnd = {
  reason:
    | 'done'
    | 'aborted'
    | 'error'
    | 'halted'
    | 'step-limit'
    | 'budget'
    | 'timeout'
    | 'interrupted'
    | 'denied'
    | 'bad-output'
    | 'not-started';
  exitCode: number;
  /** For people, empty when it is done. */
  errors: string[];
  durationMs: number;
  structuredOutput?: JsonValue;
};

export function resultLine(record: RunRecord, end: RunEnd): ResultLine {
  const { totals } = record;
  return {
    type: 'result',
    subtype: subtypeOf(end.reason),
    schema_version: 1,
    is_error: end.exitCode !== 0,
    duration_ms: end.durationMs,
    duration_api_ms: record.apiMs,
    num_turns: record.steps,
    result: record.answer(),
    stop_reason: stopReason(record.finish),
    session_id: record.state?.threadId ?? '',
    uuid: randomUUID(),
    total_cost_usd: costOf(totals),
    usage: usageOf(totals),
    modelUsage: Object.fromEntries(
      [...record.totalsByModel].map(([model, { totals: own, contextWindow }]) => [
        model,
        {
          inputTokens: usageOf(own).input_tokens,
          outputTokens: own.output,
          cacheReadInputTokens: own.cacheRead,
          cacheCreationInputTokens: own.cacheWrite,
          costUSD: costOf(own),
          contextWindow,
        },
      ]),
    ),
    permission_denials: record.denials,
    ...(end.structuredOutput === undefined ? {} : { structured_output: end.structuredOutput }),
    errors: end.errors,
    terminal_reason: end.reason,
    exit_code: end.exitCode,
  };
}

export function stopReason(finish: FinishReason | undefined): ResultLine['stop_reason'] {
  switch (finish) {
    case 'stop':
      return 'end_turn';
    case 'tool-calls':
      return 'tool_use';
    case 'length':
      return 'max_tokens';
    case 'content-filter':
      return 'refusal';
    case 'aborted':
    case 'lost':
    case 'error':
    case 'other':
    case undefined:
      return null;
  }
}

type Counts = Pick<UsageTotals, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>;

export function usageOf({ input, output, cacheRead, cacheWrite }: Counts): ResultLine['usage'] {
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}

function costOf(totals: UsageTotals): number | null {
  return isUnpriced(totals) ? null : spentUsd(totals);
}

function subtypeOf(reason: RunEnd['reason']): ResultLine['subtype'] {
  switch (reason) {
    case 'done':
      return 'success';
    case 'step-limit':
      return 'error_max_turns';
    case 'budget':
      return 'error_max_budget_usd';
    case 'bad-output':
      return 'error_max_structured_output_retries';
    default:
      return 'error_during_execution';
  }
}
