import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resultLineSchema, streamLineSchema } from '#app/print/schemas.ts';
import { engineEventSchema } from '#protocol/event.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';
import { threadLogs } from '../../support/e2e/home.ts';
import { fixedTotal } from '../../support/e2e/sample-repo.ts';
import type { ServerScript } from '../../support/model-servers/index.ts';

const started = headlessTests();

/** A machine of one's own is free; this one is not. */
const pricedAt = (dollars: number) => (url: string) => ({
  providers: {
    local: {
      type: 'openai-compatible',
      base_url: url,
      api_key: 'test-key',
      local: false,
      models: { 'test-model': { context_window: 200_000, price: { input: dollars, output: dollars } } },
    },
  },
});

const fixScript: ServerScript = [
  { parts: [{ text: 'I look first.' }, { call: 'read_file', input: { path: 'src/total.mjs' } }] },
  { parts: [{ call: 'bash', input: { command: 'node --test', description: 'run the tests' } }] },
  {
    parts: [
      {
        call: 'edit_file',
        input: {
          path: 'src/total.mjs',
          old_string: 'return sum + coupon;',
          new_string: 'return sum - coupon;',
        },
      },
    ],
  },
  { parts: [{ call: 'bash', input: { command: 'node --test', description: 'run the tests' } }] },
  { parts: [{ text: 'Fixed.' }] },
];
const fix = ['-p', 'fix the failing test', '--permission-mode', 'auto_accept'];

describe('a headless run that changes a repository', () => {
  it('prints only the answer as text', async () => {
    const { home, cwd, server, repo } = await started(fixScript);
    const { code, stdout } = await runLlmcode(fix, { home, cwd });
    expect(stdout).toBe('Fixed.\n');
    expect(code).toBe(0);
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(fixedTotal);
    expect(server.violations).toEqual([]);
    expect(threadLogs(home)).toHaveLength(1);
  });

  it('prints one result object as json', async () => {
    const { home, cwd } = await started(fixScript);
    const { code, stdout } = await runLlmcode([...fix, '--output-format', 'json'], { home, cwd });
    const [line, ...rest] = jsonLines(stdout);
    expect(rest).toEqual([]);
    expect(resultLineSchema.parse(line)).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: 'Fixed.',
      num_turns: 5,
      permission_denials: [],
      terminal_reason: 'done',
      exit_code: 0,
      stop_reason: 'end_turn',
      modelUsage: { 'local/test-model': { inputTokens: 500, outputTokens: 100 } },
    });
    expect(code).toBe(0);
  });

  it('streams messages and tool results as lines of the known shape', async () => {
    const { home, cwd } = await started(fixScript);
    const { stdout } = await runLlmcode([...fix, '--output-format', 'stream-json'], { home, cwd });
    const lines = jsonLines(stdout).map((line) => streamLineSchema.parse(line));
    expect(lines.map((line) => line.type)).toEqual([
      'system',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'result',
    ]);
    expect(lines[0]).toMatchObject({
      subtype: 'init',
      model: 'local/test-model',
      permissionMode: 'auto',
      cwd,
    });
    const [, first, result] = lines;
    const call =
      first?.type === 'assistant'
        ? first.message.content.find((part) => part.type === 'tool_use')
        : undefined;
    expect(call).toMatchObject({ name: 'Read', input: { file_path: 'src/total.mjs' } });
    expect(result?.type === 'user' && result.message.content[0]?.tool_use_id).toBe(
      call?.type === 'tool_use' && call.id,
    );
  });

  it('streams the events of the engine, one a line', async () => {
    const { home, cwd } = await started(fixScript);
    const { stdout } = await runLlmcode([...fix, '--output-format', 'events'], { home, cwd });
    const events = jsonLines(stdout).map((line) => engineEventSchema.parse(line));
    expect(events[0]?.kind).toBe('thread-snapshot');
    expect(events.some((event) => event.kind === 'text-delta')).toBe(true);
    expect(events.filter((event) => event.kind === 'turn-end')).toMatchObject([{ reason: 'done' }]);
  });
});

describe('a headless run with nobody to ask', () => {
  const refused: ServerScript = [
    { parts: [{ call: 'bash', input: { command: 'node --test' } }] },
    { parts: [{ text: 'I was not allowed to.' }] },
  ];

  it('tells the model of the denial, lists it, and ends well', async () => {
    const { home, cwd } = await started(refused);
    const { code, stdout } = await runLlmcode(['-p', 'test', '--output-format', 'json'], { home, cwd });
    const result = resultLineSchema.parse(jsonLines(stdout)[0]);
    expect(result.permission_denials).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'node --test' } },
    ]);
    expect(result.result).toBe('I was not allowed to.');
    expect(code).toBe(0);
  });

  it('says on stderr what was refused when only the answer is printed', async () => {
    const { home, cwd } = await started(refused);
    const { code, stdout, stderr } = await runLlmcode(['-p', 'test'], { home, cwd });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'I was not allowed to.\n',
      stderr:
        'llmcode: 1 call was refused (Bash); --permission-mode and --allowed-tools say what may run unasked\n',
    });
  });

  it('stops with exit code 4 under --fail-on-deny', async () => {
    const { home, cwd } = await started(refused);
    const { code, stdout } = await runLlmcode(['-p', 'test', '--fail-on-deny', '--output-format', 'json'], {
      home,
      cwd,
    });
    expect(code).toBe(4);
    expect(resultLineSchema.parse(jsonLines(stdout)[0])).toMatchObject({
      is_error: true,
      terminal_reason: 'denied',
      exit_code: 4,
    });
  });

  it('runs what --allowed-tools names, and does not even offer what --disallowed-tools names', async () => {
    const { home, cwd, server } = await started([
      { parts: [{ call: 'bash', input: { command: 'node --test' } }] },
      { parts: [{ text: 'ran' }] },
    ]);
    const { stdout } = await runLlmcode(
      [
        '-p',
        'test',
        '--allowed-tools',
        'Bash(node --test)',
        '--disallowedTools',
        'Write',
        '--output-format',
        'json',
      ],
      { home, cwd },
    );
    expect(resultLineSchema.parse(jsonLines(stdout)[0]).permission_denials).toEqual([]);
    const names = server.requests[0]?.body.tools.map(
      (tool: { function: { name: string } }) => tool.function.name,
    );
    expect(names).toContain('bash');
    expect(names).not.toContain('write_file');
    expect(names).not.toContain('ask_user');
  });
});

describe('a headless run that ends early', () => {
  const endless: ServerScript = (_request, index) => ({
    parts: [{ call: 'glob_search', input: { pattern: `*.${index}` } }],
  });

  it('stops at --max-turns and says so', async () => {
    const { home, cwd } = await started(endless);
    const { code, stdout, stderr } = await runLlmcode(
      ['-p', 'go', '--max-turns', '3', '--output-format', 'json'],
      { home, cwd },
    );
    expect(resultLineSchema.parse(jsonLines(stdout)[0])).toMatchObject({
      subtype: 'error_max_turns',
      num_turns: 3,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('llmcode: ');
  });

  it('prints nothing as text and the reason on stderr', async () => {
    const { home, cwd } = await started(endless);
    const { code, stdout } = await runLlmcode(['-p', 'go', '--max-turns', '2'], { home, cwd });
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('stops at --max-budget-usd', async () => {
    const { home, cwd } = await started(endless, pricedAt(1_000));
    const { code, stdout } = await runLlmcode(
      ['-p', 'go', '--max-budget-usd', '0.2', '--output-format', 'json'],
      { home, cwd },
    );
    expect(resultLineSchema.parse(jsonLines(stdout)[0])).toMatchObject({ subtype: 'error_max_budget_usd' });
    expect(code).toBe(1);
  });

  it('stops at --timeout with a valid last line', async () => {
    const { home, cwd } = await started([{ stall: true }]);
    const { code, stdout } = await runLlmcode(
      ['-p', 'go', '--timeout', '0.5', '--output-format', 'stream-json'],
      { home, cwd },
    );
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'result',
      is_error: true,
      terminal_reason: 'timeout',
    });
    expect(code).toBe(1);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops within a second at %s with a result line, and exits with %i', async (name, expected) => {
    const { home, cwd } = await started([{ stall: true }]);
    let stoppedAt = 0;
    const { code, stdout } = await runLlmcode(['-p', 'go', '--output-format', 'stream-json'], {
      home,
      cwd,
      onStdout: (text, process) => {
        if (stoppedAt > 0 || !text.includes('"init"')) return;
        stoppedAt = Date.now();
        process.signal(name);
      },
    });
    expect(Date.now() - stoppedAt).toBeLessThan(1_000);
    expect(code).toBe(expected);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'result', terminal_reason: 'interrupted' });
  });

  it('keeps what was said before it was interrupted', async () => {
    const { home, cwd } = await started([{ parts: [{ text: ['The first ', 'half'] }, { stall: true }] }]);
    const { code, stdout } = await runLlmcode(['-p', 'go', '--output-format', 'events'], {
      home,
      cwd,
      onStdout: (text, process) => {
        if (/"text-delta".*half/.test(text)) process.signal('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ kind: 'turn-end', reason: 'aborted' });
    expect(JSON.stringify(threadLogs(home))).toContain('The first half');
  });

  it('is quiet when its reader goes away', async () => {
    const { home, cwd } = await started(endless);
    const { code, stderr } = await runLlmcode(['-p', 'go', '--output-format', 'events'], {
      home,
      cwd,
      onStdout: (text, process) => {
        if (text.includes('"tool-run-end"')) process.closeStdout();
      },
    });
    expect(stderr).toBe('');
    expect(code).toBe(141);
  });
});
