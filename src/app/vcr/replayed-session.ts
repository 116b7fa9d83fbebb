import { LlmcodeError } from '#lib/errors.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { HookOutcome } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { PermissionDecision } from '#protocol/permission.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolContext, ToolDef } from '#protocol/tool.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import type { Cassette, CassetteLine, LineOf } from '#providers/vcr/cassette.ts';
import type { Pace } from '#providers/vcr/pace.ts';

type Run = { start: LineOf<'tool-start'>; views: LineOf<'tool-view'>[]; end: LineOf<'tool-end'> | undefined };

/**
 * The world of a recorded session: tools, rules and hooks answer what they answered then, and nothing is read,
 * written, run or asked in the world of now.
 */
export class ReplayedSession {
  readonly cassette: Cassette;
  readonly opened: LineOf<'session'>;
  /** The thread as it was when the recording began. */
  readonly state: ThreadState;
  readonly #pace: Pace;
  readonly #runs = new Answers<Run>();
  readonly #previews = new Answers<LineOf<'preview'>>();
  readonly #decisions = new Answers<PermissionDecision>();
  readonly #hooks = new Answers<HookOutcome>();

  /** Throws an `LlmcodeError` when the recording holds no session. */
  constructor(cassette: Cassette, pace: Pace) {
    this.cassette = cassette;
    this.#pace = pace;
    const { lines, file } = cassette;
    const opened = lines.find((line) => line.kind === 'session');
    if (!opened)
      throw new LlmcodeError('cassette-unusable', `the recording ${file} ends before a session began`, {
        exitCode: 2,
      });
    this.opened = opened;
    const first = lines.find((line) => line.kind === 'event')?.event;
    this.state =
      first?.kind === 'thread-snapshot'
        ? first.state
        : emptyThreadState({ threadId: '', cwd: opened.cwd, mode: 'prompt' });
    for (const line of lines) this.#take(line);
  }

  decide({ tool, input, mode }: PermissionCall): PermissionDecision {
    return (
      this.#decisions.next([tool, input, mode]) ?? {
        decision: 'deny',
        reasons: [{ check: 'replay', text: 'the recording holds no such call' }],
      }
    );
  }

  hook(event: string): HookOutcome {
    return this.#hooks.once([event]) ?? { decision: 'continue', notices: [] };
  }

  preview(tool: ToolDef, input: unknown): ToolView | ToolResult | undefined {
    return this.#previews.next([tool.name, input as JsonValue])?.outlook;
  }

  /** Shows and gives back what the run with this input did then, in the time that it took. */
  async run(tool: ToolDef, input: unknown, { signal, progress }: ToolContext): Promise<ToolResult> {
    const run = this.#runs.once([tool.name, input as JsonValue]);
    if (!run) return refusal(`The recording holds no run of ${tool.name} with this input.`);
    const { start, views, end } = run;
    let since = start.at;
    for (const { at, view } of views) {
      await this.#until({ at, since }, signal);
      since = at;
      if (signal.aborted) break;
      progress(view);
    }
    if (!end) {
      await aborted(signal);
      return refusal('It did not end in the recording.');
    }
    await this.#until({ at: end.at, since }, signal);
    if (end.failure !== undefined) throw new LlmcodeError('replayed', end.failure);
    return end.result ?? refusal('The recording holds no result.');
  }

  async #until({ at, since }: { at: number; since: number }, signal: AbortSignal): Promise<void> {
    await this.#pace.wait(at - since, { signal });
    await this.#pace.passed(at, signal);
  }

  #take(line: CassetteLine): void {
    switch (line.kind) {
      case 'tool-start':
        this.#runs.add([line.tool, line.input], this.#runOf(line));
        return;
      case 'preview':
        this.#previews.add([line.tool, line.input], line);
        return;
      case 'decision':
        this.#decisions.add([line.tool, line.input, line.mode], line.decision as PermissionDecision);
        return;
      case 'hook':
        this.#hooks.add([line.event], line.outcome as HookOutcome);
        return;
      default:
        return;
    }
  }

  #runOf(start: LineOf<'tool-start'>): Run {
    const { lines } = this.cassette;
    return {
      start,
      views: lines.filter(
        (line) => line.kind === 'tool-view' && line.run === start.run,
      ) as LineOf<'tool-view'>[],
      end: lines.find((line) => line.kind === 'tool-end' && line.run === start.run) as
        | LineOf<'tool-end'>
        | undefined,
    };
  }
}

/** What was answered to the same question, in order. */
class Answers<Answer> {
  readonly #byQuestion = new Map<string, { answers: Answer[]; used: number }>();

  add(question: JsonValue[], answer: Answer): void {
    const key = JSON.stringify(question);
    const known = this.#byQuestion.get(key);
    if (known) known.answers.push(answer);
    else this.#byQuestion.set(key, { answers: [answer], used: 0 });
  }

  /** The next answer; undefined when there are no more. */
  once(question: JsonValue[]): Answer | undefined {
    const known = this.#byQuestion.get(JSON.stringify(question));
    if (!known) return undefined;
    known.used += 1;
    return known.answers[known.used - 1];
  }

  /** The next answer, and the last one again when there are no more. */
  next(question: JsonValue[]): Answer | undefined {
    return this.once(question) ?? this.#byQuestion.get(JSON.stringify(question))?.answers.at(-1);
  }
}

function refusal(text: string): ToolResult {
  return { status: 'error', code: 'not_recorded', forModel: [{ kind: 'text', text }] };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
