import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolNamesOf } from '#protocol/tool-names.ts';
import { createTools } from '#tools/index.ts';
import { textOf, toolBench } from './tool-bench.ts';

const tools = createTools();

describe('the tool set', () => {
  test('is the promised one', () => {
    expect(tools.map((tool) => [tool.name, tool.effect])).toEqual([
      ['read_file', 'read'],
      ['list_directory', 'read'],
      ['glob_search', 'read'],
      ['grep_search', 'read'],
      ['edit_file', 'write'],
      ['multi_edit', 'write'],
      ['apply_patch', 'write'],
      ['write_file', 'write'],
      ['append_file', 'write'],
      ['bash', 'exec'],
      ['bash_output', 'none'],
      ['bash_kill', 'none'],
      ['todo_write', 'none'],
      ['working_notes', 'none'],
      ['ask_user', 'none'],
      ['consult_peer', 'net'],
      ['recall', 'read'],
      ['web_fetch', 'net'],
      ['git_status', 'read'],
      ['git_diff', 'read'],
      ['git_log', 'read'],
      ['git_commit', 'exec'],
      ['git_push', 'exec'],
      ['git_stash', 'exec'],
      ['git_branch', 'exec'],
      ['notebook_read', 'read'],
      ['notebook_edit', 'write'],
      ['tool_search', 'none'],
    ]);
  });

  test.each(['input', 'output'] as const)('has small plain object schemas (%s)', (io) => {
    const schemas = tools.map((tool) => ({
      name: tool.name,
      description: tool.prose,
      parameters: z.toJSONSchema(tool.input, { io }),
    }));
    for (const { parameters } of schemas) {
      expect(parameters.type).toBe('object');
      expect(JSON.stringify(parameters)).not.toMatch(/anyOf|\$ref|\$defs|9007199254740991/);
    }
    // What a first request carries.
    const first = schemas.filter((_schema, index) => {
      const tool = tools[index];
      return !tool?.needsShortenedHistory && !tool?.isDeferred && tool?.editTool !== 'apply_patch';
    });
    expect(JSON.stringify(first).length).toBeLessThan(8_600);
  });

  test('the schema names the promised parameters', () => {
    const names = tools.map((tool) => {
      const { properties, required } = z.toJSONSchema(tool.input, { io: 'input' });
      return [
        tool.name,
        Object.keys(properties ?? {}).map((key) => (required?.includes(key) ? key : `${key}?`)),
      ];
    });
    expect(Object.fromEntries(names)).toEqual({
      read_file: ['path', 'offset?', 'limit?'],
      list_directory: ['path?', 'ignore?', 'limit?'],
      glob_search: ['pattern', 'path?'],
      grep_search: ['pattern', 'path?', 'glob?', 'context?', 'ignore_case?', 'output_mode?', 'limit?'],
      edit_file: ['path', 'old_string', 'new_string', 'replace_all?'],
      write_file: ['path', 'content'],
      append_file: ['path', 'content'],
      bash: ['command', 'timeout?', 'cwd?', 'run_in_background?', 'pty?', 'description?'],
      bash_output: ['shell_id', 'filter?', 'wait?'],
      bash_kill: ['shell_id'],
      todo_write: ['todos'],
      working_notes: ['notes'],
      ask_user: ['questions'],
      consult_peer: ['prompt', 'peer?', 'thread?', 'files?'],
      recall: ['query?', 'id?', 'offset?'],
      multi_edit: ['path', 'edits'],
      apply_patch: ['patch'],
      web_fetch: ['url', 'prompt?'],
      git_status: [],
      git_diff: ['path?', 'staged?', 'commit?'],
      git_log: ['limit?', 'path?'],
      git_commit: ['message', 'files?'],
      git_push: ['remote?', 'branch?'],
      git_stash: ['action', 'message?'],
      git_branch: ['action', 'name?'],
      notebook_read: ['path', 'cell?'],
      notebook_edit: ['path', 'command?', 'cell?', 'source?', 'cell_type?'],
      tool_search: ['query'],
    });
  });

  test('aliases agree with the table of names', () => {
    for (const tool of tools)
      expect([tool.name, ...(tool.aliases ?? [])]).toEqual(
        expect.arrayContaining([...toolNamesOf(tool.name)]),
      );
  });

  test('prose says what the code does, in one plain paragraph', () => {
    for (const tool of tools) expect(tool.prose.trim()).toMatch(/^[A-Z][^\n]+[.:]$/);
  });
});

describe('loose input', () => {
  const parse = (name: string, input: unknown) => toolBench().tool(name).input.safeParse(input);

  test('takes what models often write', () => {
    expect(parse('read_file', { path: 'a', offset: '10', limit: null }).data).toEqual({
      path: 'a',
      offset: 10,
    });
    expect(
      parse('edit_file', { path: 'a', old_string: 1, new_string: 'b', replace_all: 'True' }).data,
    ).toEqual({
      path: 'a',
      old_string: '1',
      new_string: 'b',
      replace_all: true,
    });
    expect(parse('list_directory', { ignore: '["a","b"]' }).data).toEqual({ ignore: ['a', 'b'] });
    expect(parse('list_directory', { ignore: 'dist' }).data).toEqual({ ignore: ['dist'] });
    expect(parse('list_directory', '{"path":"x"}').data).toEqual({ path: 'x' });
  });

  test('text that looks like JSON stays text where text is meant', () => {
    expect(parse('write_file', { path: 'a', content: '["x"]' }).data).toEqual({
      path: 'a',
      content: '["x"]',
    });
  });

  test('what cannot be understood is refused field by field', () => {
    const paths = parse('grep_search', { pattern: {}, context: 'many', output_mode: 'all' }).error?.issues;
    expect(paths?.map((issue) => issue.path.join('.'))).toEqual(['pattern', 'context', 'output_mode']);
    for (const odd of [null, [], 'x', 7]) expect(parse('bash', odd).success).toBe(false);
    expect(parse('bash', { command: ' ' }).success).toBe(false);
    expect(parse('read_file', JSON.parse('{"__proto__":{"path":"a"}}')).success).toBe(false);
  });
});

describe('working_notes', () => {
  test('hands all of the notes over, and refuses more than may go through every summary', async () => {
    const bench = toolBench();
    expect(textOf(await bench.run('working_notes', { notes: ' the port is 8081 ' }))).toContain(
      '16 characters',
    );
    expect(bench.notes).toEqual(['the port is 8081']);
    const refused = await bench.run('working_notes', { notes: 'x'.repeat(4_001) });
    expect([refused.status, textOf(refused)]).toEqual(['error', expect.stringContaining('4,000')]);
    expect(bench.notes).toHaveLength(1);
  });
});

describe('todo_write', () => {
  test('hands the list over and counts it', async () => {
    const bench = toolBench();
    const todos = '[{"content":"a","status":"done"},{"content":"b","status":"in-progress"},"c"]';
    const result = await bench.run('todo_write', { todos });
    expect(bench.todos).toEqual([
      [
        { content: 'a', status: 'completed' },
        { content: 'b', status: 'in_progress' },
        { content: 'c', status: 'pending' },
      ],
    ]);
    expect([textOf(result), result.summary]).toEqual(['The list is kept: 1 of 3 done.', '1 of 3 done']);
  });

  test('an unknown status and an empty text are refused', () => {
    const { input } = toolBench().tool('todo_write');
    expect(input.safeParse({ todos: [{ content: 'a', status: 'maybe' }] }).success).toBe(false);
    expect(input.safeParse({ todos: [{ content: '', status: 'pending' }] }).success).toBe(false);
  });
});

describe('ask_user', () => {
  const questions = [{ question: 'Which?', options: ['a', { label: 'b', description: 'the other' }] }];

  test('asks and tells the model what was answered', async () => {
    const asked: unknown[] = [];
    const bench = toolBench();
    const services = {
      ...bench.ctx.services,
      askPerson: async (list: unknown) => {
        asked.push(list);
        return [['b', 'because']];
      },
    };
    const result = await bench.run('ask_user', { questions }, { services });
    expect(asked).toEqual([
      [
        {
          question: 'Which?',
          options: [{ label: 'a' }, { label: 'b', description: 'the other' }],
          multiSelect: false,
        },
      ],
    ]);
    expect([result.status, textOf(result), result.summary]).toEqual([
      'ok',
      'Which?\n-> b; because',
      'b; because',
    ]);
  });

  test('no answer is a refusal that the model can work with', async () => {
    const result = await toolBench().run('ask_user', { questions });
    expect([result.status, result.summary]).toEqual(['denied', 'no answer']);
    expect(textOf(result)).toContain('Go on with what seems most sensible');
  });

  test('one question needs no list', () => {
    const { input } = toolBench().tool('ask_user');
    expect(input.parse({ question: 'Why?', options: ['x'], multiSelect: 'true' })).toEqual({
      questions: [{ question: 'Why?', options: [{ label: 'x' }], multiSelect: true }],
    });
  });
});
