import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type ResultLine, resultLineSchema, streamLineSchema } from '#app/print/schemas.ts';
import { engineEventSchema } from '#protocol/event.ts';
import { isDelta } from '#protocol/is-delta.ts';
import { jsonLines } from '../support/app/run-llmcode.ts';
import { fixAnswer, fixTask } from '../support/e2e/fix-task.ts';
import { llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { isRunning } from '../support/e2e/processes.ts';
import { launcher, RunningProgram, runProgram } from '../support/e2e/running-program.ts';
import { fixedTotal, type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSound, foldOf } from '../support/engine/strict-thread.ts';
import {
  type AnswerPart,
  type ModelServer,
  type ServerApi,
  type ServerScript,
  startModelServer,
} from '../support/model-servers/index.ts';
import { sessionEnvironment } from '../support/pty/terminal-session.ts';

type Started = { home: string; cwd: string; repo: SampleRepo; server: ModelServer };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function started(
  script: ServerScript,
  { api = 'openai-chat', settings = {} }: { api?: ServerApi; settings?: Record<string, unknown> } = {},
): Promise<Started> {
  const server = await startModelServer({ api, script });
  const repo = sampleRepo();
  const model = api === 'gemini' ? 'gemini-3-pro-preview' : 'test-model';
  const home = llmcodeHome([{ id: 'local', api, url: server.url, model }], settings);
  cleanups.push(
    () => server.close(),
    () => repo.remove(),
    () => rmSync(home, { recursive: true, force: true }),
  );
  return { home, cwd: repo.folder, repo, server };
}

/** One result line and nothing else. */
function resultOf(stdout: string): ResultLine {
  const [line, ...rest] = jsonLines(stdout);
  expect(rest).toEqual([]);
  return resultLineSchema.parse(line);
}

/** The fields that readers of this kind of stream know, by the type of the line. */
const knownFields: Readonly<Record<string, string>> = {
  system:
    'session_id uuid cwd tools mcp_servers model permissionMode apiKeySource slash_commands agents skills plugins output_style claude_code_version',
  assistant: 'message parent_tool_use_id session_id uuid',
  user: 'message parent_tool_use_id tool_use_result session_id uuid',
  result:
    'subtype is_error duration_ms duration_api_ms num_turns result stop_reason session_id total_cost_usd usage modelUsage permission_denials errors terminal_reason',
};

function missingFields(line: Record<string, unknown>): string[] {
  const known = knownFields[String(line['type'])] ?? '';
  return known.split(' ').filter((field) => !(field in line));
}

const fix = ['-p', 'fix the failing test', '--permission-mode', 'auto_accept'];

describe('"fix the failing test" without a screen', () => {
  async function fixed(format: string, api: ServerApi): Promise<Started & { stdout: string }> {
    const start = await started(fixTask, { api });
    const { code, stdout, stderr } = await runProgram([...fix, '--output-format', format], start);
    expect({ code, stderr, violations: start.server.violations }).toEqual({
      code: 0,
      stderr: '',
      violations: [],
    });
    expect(start.server.unusedSteps()).toBe(0);
    expect(readFileSync(start.repo.file('src/total.mjs'), 'utf8')).toBe(fixedTotal);
    return { ...start, stdout };
  }

  it('prints the answer and nothing else as text', async () => {
    const { stdout } = await fixed('text', 'openai-chat');
    expect(stdout).toBe(`${fixAnswer}\n`);
  });

  it('prints one result object as json', async () => {
    const { stdout, home } = await fixed('json', 'anthropic');
    const result = resultOf(stdout);
    expect(missingFields(result)).toEqual([]);
    expect(result).toMatchObject({
      subtype: 'success',
      is_error: false,
      num_turns: 5,
      result: fixAnswer,
      stop_reason: 'end_turn',
      usage: { input_tokens: 500, output_tokens: 100 },
      permission_denials: [],
      errors: [],
      terminal_reason: 'done',
      exit_code: 0,
    });
    expect(Object.keys(result.modelUsage)).toEqual(['local/test-model']);
    expect(threadLogs(home)[0]?.[0]).toMatchObject({ threadId: result.session_id });
  });

  it('prints whole messages and tool results as stream-json', async () => {
    const { stdout, cwd } = await fixed('stream-json', 'gemini');
    expect(jsonLines(stdout).flatMap(missingFields)).toEqual([]);
    const lines = jsonLines(stdout).map((line) => streamLineSchema.parse(line));
    expect(lines.map(({ type }) => type).join(' ')).toBe(
      'system assistant user user assistant user assistant user assistant user assistant result',
    );
    expect(lines[0]).toMatchObject({ subtype: 'init', cwd, permissionMode: 'auto' });
    expect(lines.at(-1)).toMatchObject({ subtype: 'success', result: fixAnswer });
    expect(new Set(lines.map((line) => line.session_id)).size).toBe(1);
    expect(new Set(lines.map((line) => line.uuid)).size).toBe(lines.length);
    const calls = lines.flatMap((line) =>
      line.type === 'assistant'
        ? line.message.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []))
        : [],
    );
    const results = lines.flatMap((line) =>
      line.type === 'user' ? line.message.content.map((part) => part.tool_use_id) : [],
    );
    expect(calls).toHaveLength(5);
    expect(results.toSorted()).toEqual(calls.toSorted());
  });

  it('prints the events of the engine as events, which fold into the thread that is kept', async () => {
    const { stdout, home } = await fixed('events', 'openai-responses');
    const [snapshot, ...events] = jsonLines(stdout).map((line) => engineEventSchema.parse(line));
    expect(snapshot?.kind).toBe('thread-snapshot');
    expectSound(events);
    expect(events.at(-1)).toMatchObject({ kind: 'turn-end', reason: 'done' });
    expect(events.some(({ kind }) => kind === 'text-delta')).toBe(true);
    const [[, ...logged] = []] = threadLogs(home);
    const kept = logged.map((line) => engineEventSchema.parse(line));
    const first = events[0]?.seq ?? 0;
    expect(events.filter((event) => !isDelta(event))).toEqual(kept.filter(({ seq }) => seq >= first));
    expect(foldOf(kept).messages).toEqual(foldOf(events).messages);
  });
});

describe('standard input and standard error of a run without a screen', () => {
  const answers = [{ parts: [{ text: 'Read.' }] }];

  it('takes the prompt from a pipe, alone or as a block beside the one on the command line', async () => {
    const alone = await started(answers);
    expect(await runProgram(['-p'], { ...alone, stdin: 'what is in here?\n' })).toMatchObject({
      code: 0,
      stdout: 'Read.\n',
    });
    expect(alone.server.requests[0]?.body.messages.at(-1)).toMatchObject({ content: 'what is in here?' });

    const both = await started(answers);
    await runProgram(['-p', 'explain'], { ...both, stdin: 'TypeError: x\n' });
    const said = both.server.requests[0]?.body.messages.at(-1);
    expect(said).toMatchObject({ content: 'explain\n\n<stdin>\nTypeError: x\n</stdin>' });
  });

  it('keeps progress and warnings off standard output', async () => {
    const start = await started([
      { parts: [{ call: 'read_file', input: { path: 'src/total.mjs' } }] },
      { status: 500, headers: { 'retry-after': '0' } },
      { parts: [{ text: 'Read.' }] },
    ]);
    const { code, stdout, stderr } = await runProgram(['-p', 'read it', '--verbose'], start);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Read.\n' });
    expect(stderr).toContain('read_file');
  });
});

describe('the limits of a run without a screen', () => {
  const endless: ServerScript = (_request, index) => ({
    parts: [{ call: 'glob_search', input: { pattern: `*.${index}` } }],
    usage: { input: 4_000, output: 20 },
  });
  /** Four cents a call: also a server on this machine can have a price. */
  const priced = (url: string) => ({
    providers: {
      local: {
        type: 'openai-compatible',
        base_url: url,
        api_key: 'test-key',
        models: { 'test-model': { context_window: 200_000, price: { input: 10, output: 10 } } },
      },
    },
  });

  it('ends with 1 and a result line at --max-turns, --max-budget-usd and --timeout', async () => {
    const start = await started(endless);
    const turns = await runProgram(['-p', 'go', '--max-turns', '2', '--output-format', 'json'], start);
    expect(turns.code).toBe(1);
    expect(turns.stderr).toMatch(/^llmcode: /);
    expect(resultOf(turns.stdout)).toMatchObject({
      subtype: 'error_max_turns',
      num_turns: 2,
      terminal_reason: 'step-limit',
    });

    const home = llmcodeHome(
      [{ id: 'local', api: 'openai-chat', url: start.server.url, model: 'test-model' }],
      priced(start.server.url),
    );
    cleanups.push(() => rmSync(home, { recursive: true, force: true }));
    const budget = await runProgram(['-p', 'go', '--max-budget-usd', '0.1', '--output-format', 'json'], {
      ...start,
      home,
    });
    expect(budget.code).toBe(1);
    expect(resultOf(budget.stdout)).toMatchObject({ subtype: 'error_max_budget_usd', num_turns: 2 });
    expect(resultOf(budget.stdout).total_cost_usd).toBeCloseTo(0.0804);

    const stalled = await started([{ parts: [{ text: 'So far' }, { stall: true }] }]);
    const timeout = await runProgram(
      ['-p', 'go', '--timeout', '2', '--output-format', 'stream-json'],
      stalled,
    );
    expect(timeout.code).toBe(1);
    const lines = jsonLines(timeout.stdout).map((line) => streamLineSchema.parse(line));
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      is_error: true,
      terminal_reason: 'timeout',
      result: 'So far',
      exit_code: 1,
    });
  });
});

describe('a run without a screen that is stopped', () => {
  /** Interrupts at the moment and says how long the end took. */
  async function interrupted(program: RunningProgram): Promise<number> {
    const at = performance.now();
    program.kill('SIGINT');
    expect(await program.exited).toEqual({ code: 130, signal: null });
    return performance.now() - at;
  }
  const half: AnswerPart[] = [{ text: ['The first ', 'half'] }, { stall: true }];

  it.each(['json', 'stream-json', 'events'])(
    'ends within a second of SIGINT while text streams, with a valid last line of %s',
    async (format) => {
      const start = await started([{ parts: half }]);
      const program = new RunningProgram(['-p', 'go', '--output-format', format], start);
      if (format === 'events') await program.untilStdout((text) => text.includes('half'));
      else await start.server.received(1);
      expect(await interrupted(program)).toBeLessThan(1_000);
      const lines = jsonLines(program.stdout);
      const last =
        format === 'events' ? engineEventSchema.parse(lines.at(-1)) : resultLineSchema.parse(lines.at(-1));
      expect(last).toMatchObject(
        format === 'events'
          ? { kind: 'turn-end', reason: 'aborted' }
          : { terminal_reason: 'interrupted', is_error: true, exit_code: 130 },
      );
    },
  );

  it.runIf(process.platform === 'linux')('ends at a signal while it waits for its input', async () => {
    const start = await started([]);
    const program = new RunningProgram(['-p', '--output-format', 'json'], { ...start, stdin: 'open' });
    await expect.poll(() => takesSignals(program.pid), { timeout: 15_000 }).toBe(true);
    expect(await interrupted(program)).toBeLessThan(1_000);
    expect(resultOf(program.stdout)).toMatchObject({ terminal_reason: 'interrupted', session_id: '' });
  });

  it('takes the processes of a running tool with it', async () => {
    const start = await started([
      { parts: [{ call: 'bash', input: { command: 'sleep 61 & echo $! > pid; wait' } }] },
    ]);
    const program = new RunningProgram([...fix, '--output-format', 'events'], start);
    const pid = await pidIn(start.repo.file('pid'));
    expect(await interrupted(program)).toBeLessThan(1_000);
    expect(isRunning(pid)).toBe(false);
    const [log = []] = threadLogs(start.home);
    expect(log.filter(({ kind }) => kind === 'tool-run-end')).toMatchObject([
      { result: { status: 'aborted' } },
    ]);
  });

  it('says nothing when its reader goes away', async () => {
    const start = await started(fixTask);
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      [
        '-c',
        '"$@" --output-format stream-json </dev/null | head -1; echo "${PIPESTATUS[0]}"',
        'bash',
        process.execPath,
        launcher,
        ...fix,
      ],
      { cwd: start.cwd, env: sessionEnvironment(start.home) },
    );
    const [first = '', status] = stdout.trimEnd().split('\n');
    expect(streamLineSchema.parse(JSON.parse(first))).toMatchObject({ subtype: 'init' });
    expect({ status, stderr }).toEqual({ status: '141', stderr: '' });
  });
});

describe('a run without a screen that nobody can be asked about', () => {
  const refused: ServerScript = [
    { parts: [{ call: 'bash', input: { command: 'node --test' } }] },
    { parts: [{ text: 'I was not allowed to.' }] },
  ];
  const denials = [{ tool_name: 'Bash', tool_input: { command: 'node --test' } }];

  it('goes on after a denial and lists it, and with --fail-on-deny ends with 4', async () => {
    const listed = await started(refused);
    const { code, stdout } = await runProgram(['-p', 'test', '--output-format', 'json'], listed);
    expect(code).toBe(0);
    expect(resultOf(stdout)).toMatchObject({
      subtype: 'success',
      result: 'I was not allowed to.',
      permission_denials: denials,
    });
    expect(listed.server.violations).toEqual([]);

    const failing = await started(refused);
    const failed = await runProgram(['-p', 'test', '--fail-on-deny', '--output-format', 'json'], failing);
    expect(failed.code).toBe(4);
    expect(resultOf(failed.stdout)).toMatchObject({
      is_error: true,
      terminal_reason: 'denied',
      permission_denials: denials,
      exit_code: 4,
    });
    expect(failed.stderr).toMatch(/^llmcode: stopped: /);
  });
});

/** The number that a command writes into a file; the shell makes the file first. */
async function pidIn(file: string): Promise<number> {
  const content = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await expect.poll(content, { timeout: 15_000 }).toMatch(/^\d+\n$/);
  return Number(content());
}

/** Node catches SIGINT and SIGTERM from its start, but SIGHUP only once the program asks for it, after the others. */
function takesSignals(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${caught}`) & 1n) !== 0n;
}
