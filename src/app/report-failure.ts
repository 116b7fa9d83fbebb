import { readdirSync } from 'node:fs';
import path from 'node:path';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log, openLog } from '#lib/log.ts';
import { llmcodeHome } from '#lib/paths.ts';
import type { Host } from './host.ts';
import { say } from './say.ts';

/** Says on stderr what went wrong, in one line where it is a known failure, and returns the exit code. */
export function reportFailure(host: Host, error: unknown): number {
  if (LlmcodeError.isInstance(error)) {
    say(host.stderr, `llmcode: ${error.message}`);
    return error.exitCode;
  }
  const folder = path.join(llmcodeHome(host.env), 'logs');
  let file = logFileIn(folder);
  if (!file) openLog(folder);
  log(error);
  file ??= logFileIn(folder);
  say(host.stderr, `llmcode: internal error: ${errorText(error)}`);
  if (file) say(host.stderr, `llmcode: this is a bug; the details are in ${file}`);
  else if (error instanceof Error && error.stack) say(host.stderr, error.stack);
  return 1;
}

/** The log file of this process, once something was written. */
function logFileIn(folder: string): string | undefined {
  try {
    const name = readdirSync(folder).find((each) => each.endsWith(`-${process.pid}.log`));
    return name === undefined ? undefined : path.join(folder, name);
  } catch {
    return undefined; // No log folder: nothing was written yet.
  }
}
