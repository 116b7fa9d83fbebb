import path from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log, openLog } from '#lib/log.ts';
import { llmcodeHome } from '#lib/paths.ts';
import { cleanName } from '#lib/terminal-text.ts';
import type { BackgroundShell } from '#protocol/shells.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { closedExitCode, exitCodeOfSignal, type Host } from '../host.ts';
import { createOutput } from '../print/create-output.ts';
import { LineWriter } from '../print/line-writer.ts';
import { RunRecord } from '../print/run-record.ts';
import type { Denial } from '../print/schemas.ts';
import { reportFailure } from '../report-failure.ts';
import { say } from '../say.ts';
import { type End, type PrintSession, type Running, runPrompt } from './print-session.ts';
import { type Stop, StopSwitch } from './stop-switch.ts';

/** A stopped run gets this long to reach a clean end; a person waits for it. */
const stopGraceMs = 500;
/** Closing may have to write a log to a slow disk, but nothing may keep a headless run. */
const closeGraceMs = 3_000;

/** `llmcode -p`: one prompt, one answer, an exit code. The last line is written whatever happens. */
export async function runPrint(host: Host, flags: SessionFlags): Promise<number> {
  const startedAt = systemClock.now();
  openLog(path.join(llmcodeHome(host.env), 'logs'));
  const stop = new StopSwitch();
  const out = new LineWriter(host.stdout, {
    onClosed: () => stop.pull({ reason: 'closed', exitCode: closedExitCode, text: '' }),
  });
  // Warnings that nobody reads are no reason to fail.
  host.stderr.on('error', (error) => log('stderr:', error));
  const restoreSignals = host.onSignal((signal) =>
    stop.pull({ reason: 'interrupted', exitCode: exitCodeOfSignal(signal), text: `stopped by ${signal}` }),
  );
  // A bug must not cost the reader the last line.
  const restoreCrash = host.onCrash((error) =>
    stop.pull({ reason: 'error', exitCode: reportFailure(host, error), text: '' }),
  );
  const cancelTimeout =
    flags.timeout === undefined
      ? undefined
      : systemClock.after(flags.timeout * 1_000, () =>
          stop.pull({ reason: 'timeout', exitCode: 1, text: `stopped after ${flags.timeout} s (--timeout)` }),
        );

  const record = new RunRecord();
  const output = createOutput(flags.outputFormat ?? 'text', out, { isTerminal: host.stdout.isTTY === true });
  const session: PrintSession = {};
  const end = await endOf(host, { flags, stop, record, output, session });
  const durationMs = systemClock.now() - startedAt;
  session.run?.mute();
  await output.end(record, { ...end, durationMs });
  for (const text of end.errors) say(host.stderr, `llmcode: ${text}`);
  const left = record.state?.shells?.filter(({ state, isKept }) => state === 'running' && !isKept) ?? [];
  if (left.length > 0) say(host.stderr, `llmcode: ${leftText(left)}`);
  // The other formats list what was refused.
  if ((flags.outputFormat ?? 'text') === 'text' && end.reason !== 'denied' && record.denials.length > 0)
    say(host.stderr, `llmcode: ${denialText(record.denials)}`);

  cancelTimeout?.();
  await withinGrace(session.close?.() ?? Promise.resolve(), stop.stop ? stopGraceMs : closeGraceMs);
  restoreSignals();
  restoreCrash();
  if (out.error !== undefined) {
    say(host.stderr, `llmcode: standard output cannot be written: ${errorText(out.error)}`);
    return 1;
  }
  return end.exitCode;
}

function leftText(shells: readonly BackgroundShell[]): string {
  const names = shells.map(({ id, command }) => `${id} (${cleanName(command)})`).join(', ');
  return `what still ran in the background ends with this run: ${names}`;
}

function denialText(denials: readonly Denial[]): string {
  const names = [...new Set(denials.map((denial) => denial.tool_name))].join(', ');
  const calls = denials.length === 1 ? '1 call was' : `${denials.length} calls were`;
  return `${calls} refused (${names}); --permission-mode and --allowed-tools say what may run unasked`;
}

/** Runs until the turn is over or something stops it. Never rejects. */
async function endOf(host: Host, running: Running): Promise<End> {
  const { stop, session } = running;
  const work = runPrompt(host, running).catch((error: unknown) => failed(host, error));
  const first = await Promise.race([work, stop.stopped.then(() => undefined)]);
  if (first && !stop.stop) return first;
  if (first) return stoppedEnd(stop.stop);
  session.run?.interrupt();
  if (session.run) await withinGrace(session.run.turnEnd, stopGraceMs);
  return stoppedEnd(stop.stop);
}

function stoppedEnd(stop: Stop | undefined): End {
  if (!stop) return { reason: 'aborted', exitCode: 1, errors: [] };
  const reason = stop.reason === 'closed' ? 'aborted' : stop.reason;
  return { reason, exitCode: stop.exitCode, errors: stop.text === '' ? [] : [stop.text] };
}

function failed(host: Host, error: unknown): End {
  if (LlmcodeError.isInstance(error))
    return { reason: 'not-started', exitCode: error.exitCode, errors: error.message.split('\n') };
  return { reason: 'error', exitCode: reportFailure(host, error), errors: [] };
}

async function withinGrace(work: Promise<unknown>, graceMs: number): Promise<void> {
  const given = new AbortController();
  const done = work.then(
    () => undefined,
    (error: unknown) => log('after the end:', error),
  );
  await Promise.race([done, systemClock.wait(graceMs, { signal: given.signal })]);
  given.abort();
}
