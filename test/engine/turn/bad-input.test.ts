import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { engineSettings } from '#engine/settings.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { createTools } from '#tools/index.ts';
import { toolSettings } from '#tools/settings.ts';
import { answer, call, calls } from '../../support/engine/scripted-model.ts';
import { callParts, openTestThread, resultText, tempFolder } from '../../support/engine/test-thread.ts';

const tools = createTools({
  settings: toolSettings.parse({ web_search: { backends: ['searxng'], searxng_url: 'http://127.0.0.1:9' } }),
  env: {},
});

/** All the calls in one message, through the whole engine; each must get exactly one result. */
async function results(inputs: readonly { tool: string; input: JsonValue }[], cwd?: string) {
  const thread = await openTestThread({
    ...(cwd === undefined ? {} : { cwd, roots: [cwd] }),
    tools,
    childEnv: { PATH: '/usr/bin:/bin', HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' },
    settings: engineSettings.parse({ tool_timeout: 8 }),
    script: [calls(...inputs.map(({ tool, input }) => withInput(tool, input))), answer('Done.')],
  });
  const end = await thread.prompt('go');
  expect([end.reason, thread.model.problems]).toEqual(['done', []]);
  const parts = callParts(thread.state().messages);
  expect(parts).toHaveLength(inputs.length);
  return parts.map((part) => ({ status: part.result?.status, text: resultText(part) }));
}

/** As a vendor sends it, also where the input is no object. */
function withInput(tool: string, input: JsonValue) {
  return call(tool, {}).map((part) => (part.kind === 'tool-call' ? { ...part, input } : part));
}

function parametersOf(tool: ToolDef): { names: string[]; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, {
    io: 'input',
    unrepresentable: 'any',
  });
  return { names: Object.keys(properties), required };
}

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s answers wrong arguments field by field',
  async (name, tool) => {
    const { names, required } = parametersOf(tool);
    const wrong: JsonValue = { '': [[{ constructor: null }]] };
    const all = Object.fromEntries(names.map((key) => [key, wrong])) as JsonValue;
    const one = names.map((key) => ({ [key]: wrong }) as JsonValue);
    const strange: JsonValue[] = [
      null,
      [],
      'text',
      7,
      { zzz: 1 },
      JSON.parse('{"__proto__": {"path": "a"}}'),
    ];
    const given = names.length > 0 ? [all, ...(names.length > 1 ? one : []), ...strange] : strange;
    const said = await results(given.map((input) => ({ tool: name, input })));
    for (const [index, input] of given.entries()) {
      const { status, text = '' } = said[index] ?? {};
      const isWrong = typeof input === 'object' && input !== null && Object.values(input).includes(wrong);
      if (!isWrong && required.length === 0) continue;
      expect(status).toBe('error');
      const fields = isWrong ? Object.keys(input) : required;
      if (isWrong || (typeof input === 'object' && !Array.isArray(input) && input !== null))
        for (const key of fields.slice(0, 8)) expect(text).toContain(`- ${key}`);
      expect(text).toContain('Parameters: ');
    }
  },
);

test('an unknown tool is answered with the near names', async () => {
  const said = await results(
    ['read_fil', 'Bsh', 'grepSearch', 'str_replace_based_edit_tool', '__proto__', 'constructor', ''].map(
      (tool) => ({ tool, input: {} }),
    ),
  );
  expect(said.map(({ status }) => status)).toEqual(said.map(() => 'error'));
  for (const { text } of said) expect(text).toMatch(/There is no tool ".*"[\s\S]*The tools are: .*read_file/);
  for (const [index, near] of ['read_file', 'bash', 'grep_search'].entries())
    expect(said[index]?.text).toMatch(new RegExp(`Did you mean [^?]*${near}`));
});

/** Values of the right type that no tool was made for. */
const odd = {
  path: [
    '',
    '\0',
    'a\0b',
    'x'.repeat(300),
    'd/'.repeat(3_000),
    '\ud800',
    '-rf',
    '/proc/self/mem',
    '/dev/full',
    '/dev/stdin',
    '/proc/kmsg',
    'nothing/there',
    'file.txt/below',
    'folder',
    'folder/',
    'file.txt/',
    'pipe',
    'zero',
    'loop',
    'huge.bin',
    '~nobody/x',
  ],
  number: [-1, 0, 1e308, 0.5, -0.5],
};

test('odd values never wait, break off or leave a part of a file', async () => {
  const cwd = await tempFolder();
  const at = (name: string) => path.join(cwd, name);
  writeFileSync(at('file.txt'), 'text\n');
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('zero'));
  symlinkSync('loop', at('loop'));
  writeFileSync(at('huge.bin'), 'start\0');
  truncateSync(at('huge.bin'), 5_000_000_000);
  execFileSync('git', ['init', '-q'], { cwd });
  const before = readdirSync(cwd, { recursive: true }).sort();

  const onPath = (file: string): { tool: string; input: JsonValue }[] => {
    // These would do there what they are for.
    const isFree = ['-rf', 'nothing/there', '~nobody/x'].includes(file);
    const changing: [string, Record<string, JsonValue>][] = [
      ['write_file', { content: 'x' }],
      ['append_file', { content: 'x' }],
    ];
    const others: [string, Record<string, JsonValue>][] = [
      ['read_file', {}],
      ['list_directory', {}],
      ['glob_search', { pattern: '*' }],
      ['edit_file', { old_string: 'nowhere', new_string: 'y' }],
      ['multi_edit', { edits: [{ old_string: 'nowhere', new_string: 'y' }] }],
      ['notebook_read', {}],
      ['notebook_edit', { cell: '0', source: 'x' }],
      ['git_diff', {}],
      ['git_log', {}],
    ];
    const isQuickToSearch = file !== 'huge.bin';
    const found = [
      ...others,
      ...(isFree ? [] : changing),
      ...(isQuickToSearch ? [['grep_search', { pattern: 'x' }] as const] : []),
    ];
    return found.map(([tool, input]) => ({ tool, input: { ...input, path: file } }));
  };
  const inFolder = odd.path.map((file) => ({ tool: 'bash', input: { command: 'true', cwd: file } }));
  const numbers = odd.number.flatMap((value) => [
    { tool: 'read_file', input: { path: 'file.txt', offset: value, limit: value } },
    { tool: 'list_directory', input: { limit: value } },
    { tool: 'grep_search', input: { pattern: 'text', context: value, limit: value } },
    { tool: 'git_log', input: { limit: value } },
    { tool: 'bash', input: { command: 'true', timeout: value } },
  ]);
  const patches = odd.path.map((file) => ({
    tool: 'apply_patch',
    input: { patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n-nowhere\n+y\n*** End Patch` },
  }));
  const texts: { tool: string; input: JsonValue }[] = [
    { tool: 'bash', input: { command: 'echo \0' } },
    { tool: 'bash', input: { command: '' } },
    { tool: 'grep_search', input: { pattern: '(' } },
    { tool: 'grep_search', input: { pattern: '(a+)+$\0', path: 'file.txt' } },
    { tool: 'glob_search', input: { pattern: '{{{{[' } },
    { tool: 'apply_patch', input: { patch: '' } },
    { tool: 'git_commit', input: { message: ' ' } },
    { tool: 'git_commit', input: { message: 'm', files: ['nowhere', ':(top)x', '-A'] } },
    { tool: 'git_branch', input: { action: 'create', name: '-D' } },
    { tool: 'git_diff', input: { commit: '--output=planted' } },
    { tool: 'git_push', input: { remote: 'nowhere' } },
    { tool: 'web_fetch', input: { url: 'file:///etc/passwd' } },
    { tool: 'web_fetch', input: { url: 'http://127.0.0.1:1/' } },
    { tool: 'web_fetch', input: { url: 'http://[::ffff:7f00:1]/' } },
    { tool: 'web_search', input: { query: '' } },
    { tool: 'bash_output', input: { shell_id: '../x' } },
    { tool: 'bash_kill', input: { shell_id: '\0' } },
    { tool: 'tool_search', input: { query: '' } },
  ];
  const given = [...odd.path.flatMap(onPath), ...inFolder, ...patches, ...numbers, ...texts];
  const started = performance.now();
  const said = await results(given, cwd);
  expect(performance.now() - started).toBeLessThan(40_000);
  // What failed in an unforeseen way has the words of the system in it.
  const isUnforeseen = /^[a-z]+(_[a-z]+)* failed: |TypeError|at \S+:\d+:\d+|ran longer than/;
  const bad = said.flatMap(({ status = '', text }, index) =>
    ['ok', 'error'].includes(status) && text.length > 3 && !isUnforeseen.test(text)
      ? []
      : [{ call: JSON.stringify(given[index]).slice(0, 200), status, text: text.slice(0, 300) }],
  );
  expect(bad).toEqual([]);
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(before);
}, 60_000);
