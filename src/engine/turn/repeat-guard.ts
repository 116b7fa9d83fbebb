import { createHash } from 'node:crypto';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolResult } from '#protocol/message.ts';

/** What to do with a call before it runs. */
export type RepeatVerdict = 'fine' | 'ask' | 'stop';

/**
 * Notices a model that makes the same call over and over and gets the same answer. Polling is no such thing: its
 * answers differ. The third call in a row is put before the person; one more after a refusal ends the turn.
 */
export class RepeatGuard {
  #call = '';
  #answer = '';
  #times = 0;
  #isRefused = false;

  check(tool: string, input: JsonValue): RepeatVerdict {
    if (callKey(tool, input) !== this.#call || this.#times < 2) return 'fine';
    return this.#isRefused ? 'stop' : 'ask';
  }

  /** After every call that ran. */
  record(tool: string, input: JsonValue, result: ToolResult): void {
    const call = callKey(tool, input);
    const answer = answerKey(result);
    const isSame = call === this.#call && answer === this.#answer;
    this.#call = call;
    this.#answer = answer;
    // A third one ran because the person said yes; two more are then as good as the first two.
    this.#times = isSame && this.#times < 2 ? this.#times + 1 : 1;
    this.#isRefused = false;
  }

  /** After a call that `check` wanted asked did not run. */
  refuse(): void {
    this.#isRefused = true;
  }
}

function callKey(tool: string, input: JsonValue): string {
  return `${tool} ${stable(input)}`;
}

/** JSON with sorted keys. */
function stable(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stable(value[key] ?? null)}`).join()}}`;
}

function answerKey({ status, forModel }: ToolResult): string {
  return createHash('sha256')
    .update(JSON.stringify([status, forModel]))
    .digest('hex');
}
