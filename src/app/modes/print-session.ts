import { childEnvironment } from '#lib/child-env.ts';
import { systemClock } from '#lib/clock.ts';
import { llmcodeHome } from '#lib/paths.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { commands } from '../commands/index.ts';
import { type Composition, compose } from '../compose.ts';
import { noPause } from '../demo/model.ts';
import { createScratchProject } from '../demo/scratch-project.ts';
import type { Host } from '../host.ts';
import { packageVersion } from '../package-files.ts';
import { type AnswerSchema, correctionPrompt, loadAnswerSchema } from '../print/answer-schema.ts';
import { HeadlessRun } from '../print/headless-run.ts';
import type { PrintOutput, RunFacts } from '../print/print-output.ts';
import { progressLine } from '../print/progress-line.ts';
import { readPrompt } from '../print/read-prompt.ts';
import type { RunEnd } from '../print/result-line.ts';
import type { RunRecord, TurnEnd } from '../print/run-record.ts';
import { say } from '../say.ts';
import { chooseStartModel } from '../start-choice.ts';
import { noModelError } from '../start-model.ts';
import { findStartThread } from '../start-thread.ts';
import type { Vcr } from '../vcr/vcr.ts';
import { isDrivenReplay } from '../vcr/vcr-mode.ts';
import type { StopSwitch } from './stop-switch.ts';

/** What of a run there is so far; whoever stops it needs it. */
export type PrintSession = { run?: HeadlessRun; close?: () => Promise<void> };

export type Running = {
  flags: SessionFlags;
  stop: StopSwitch;
  record: RunRecord;
  output: PrintOutput;
  session: PrintSession;
};
export type End = Omit<RunEnd, 'durationMs'>;

/** Reads the prompt, opens the thread, runs the turn. Throws an `LlmcodeError` when it cannot begin. */
export async function runPrompt(host: Host, running: Running): Promise<End> {
  const { flags, stop, session, record, output } = running;
  const warn = (text: string) => say(host.stderr, `llmcode: ${text}`);
  const home = llmcodeHome(host.env);
  // The pipe is read while the rest loads.
  const reading = isDrivenReplay(flags, host)
    ? Promise.resolve('')
    : readPrompt(flags.prompt, host.stdin, { clock: systemClock, signal: stop.signal, warn });
  reading.catch(() => undefined); // Awaited below; a failure before that must not end the process.
  // Without a prompt there is nothing to load the rest for.
  if (flags.prompt === undefined) await reading;
  const schema =
    flags.jsonSchema === undefined
      ? undefined
      : await loadAnswerSchema(flags.jsonSchema, host.cwd, stop.signal);
  const thread = await findStartThread({ home, host }, flags);
  const composition = await composeFor(host, { flags, cwd: thread.cwd });
  for (const notice of [...composition.vcr.notices(), ...composition.notices]) warn(notice);
  const start = await chooseStartModel(composition, { flags, thread, signal: stop.signal });
  if (start.notice !== undefined) warn(start.notice);
  if (start.found) throw noModelError(start.found);
  const prompt = await reading;

  const openedAt = systemClock.now();
  const handle = await composition.openThread({
    origin: thread.origin,
    model: start.model,
    isModelAsked: start.isModelAsked,
    mode: null,
    canAsk: false,
    instructions: schema ? [schema.instruction] : [],
  });
  session.close = async () => {
    await handle.close();
    await session.run?.done;
  };
  const run = new HeadlessRun({ handle, record, output, onEvent: (event) => onEvent(event) });
  await run.ready;
  session.run = run;
  // What opening had to say, e.g. that the last entry was broken, stands in the snapshot and comes as no event.
  for (const { parts, createdAt } of record.state?.messages ?? [])
    for (const part of parts)
      if (part.kind === 'notice' && part.level !== 'info' && createdAt >= openedAt) warn(part.text);
  await output.start(record, factsOf(composition, { record, model: start.model }));
  if (composition.vcr.isDriven) return endOfReplay(run, composition.vcr);
  const turn = await run.prompt(prompt);
  return schema && turn.reason === 'done' ? structuredEnd(run, { record, schema }) : endOfTurn(turn);

  function onEvent(event: EngineEvent): void {
    if (event.kind === 'notice-added' && event.notice.level !== 'info') warn(event.notice.text);
    else if (flags.verbose || (host.stderr.isTTY && (flags.outputFormat ?? 'text') === 'text')) {
      const line = progressLine(event, record);
      if (line !== undefined) say(host.stderr, line);
    }
    if (flags.failOnDeny && record.denials.length > 0)
      stop.pull({
        reason: 'denied',
        exitCode: 4,
        text: `stopped: ${record.denials[0]?.reason ?? 'a permission was needed'}`,
      });
  }
}

async function composeFor(
  host: Host,
  { flags, cwd }: { flags: SessionFlags; cwd: string },
): Promise<Composition> {
  const options = { host, flags, demoPace: noPause };
  if (!flags.demo) return compose({ ...options, cwd });
  return compose({ ...options, cwd: await createScratchProject(childEnvironment(host.env)) });
}

function factsOf(
  composition: Composition,
  { record, model: asked }: { record: RunRecord; model: ModelRef | null },
): RunFacts {
  // The thread's own model opens in the background; the one that was asked for takes its place then.
  const model = asked ?? record.state?.model ?? null;
  const mode = record.state?.mode ?? null;
  return {
    cwd: composition.cwd,
    tools: composition.toolsFor({ canAsk: false, mode }).map((tool) => tool.name),
    model,
    mode: mode ?? 'prompt',
    commands: commands.map((command) => command.name),
    version: packageVersion(),
  };
}

async function endOfReplay(run: HeadlessRun, vcr: Vcr): Promise<End> {
  const { isWhole, text } = await vcr.begin();
  const turn = await run.caughtUp();
  if (isWhole && turn) return endOfTurn(turn);
  return { reason: 'error', exitCode: 1, errors: [text] };
}

function endOfTurn(turn: TurnEnd): End {
  switch (turn.reason) {
    case 'done':
      return { reason: 'done', exitCode: 0, errors: [] };
    case 'error':
      return {
        reason: 'error',
        exitCode: turn.error?.class === 'auth' ? 3 : 1,
        errors: [
          turn.error ? `${turn.error.message} ${turn.error.advice}` : (turn.text ?? 'the turn failed'),
        ],
      };
    case 'step-limit':
    case 'budget':
      return { reason: turn.reason, exitCode: 1, errors: [turn.text ?? limitText(turn)] };
    case 'halted':
    case 'aborted':
      return { reason: turn.reason, exitCode: 1, errors: [turn.text ?? `the turn was ${turn.reason}`] };
  }
}

function limitText({ reason, steps }: TurnEnd): string {
  return reason === 'budget'
    ? 'stopped: the budget (max_budget_usd) is spent'
    : `stopped after ${steps} model calls; --max-turns raises the limit`;
}

/** One round to put a wrong answer right, then it counts as failed. */
async function structuredEnd(
  run: HeadlessRun,
  { record, schema }: { record: RunRecord; schema: AnswerSchema },
): Promise<End> {
  let checked = schema.check(record.answer());
  if (checked.kind === 'bad') {
    const turn = await run.prompt(correctionPrompt(checked.problem));
    if (turn.reason !== 'done') return endOfTurn(turn);
    checked = schema.check(record.answer());
  }
  if (checked.kind === 'ok')
    return { reason: 'done', exitCode: 0, errors: [], structuredOutput: checked.value };
  return {
    reason: 'bad-output',
    exitCode: 1,
    errors: [`the answer does not fit the schema: ${checked.problem}`],
  };
}
