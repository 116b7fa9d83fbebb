import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadSqlite } from '#lib/sqlite.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { runLlmcode } from '../../support/app/run-llmcode.ts';

const started = headlessTests();
const at = (minute: number) => `2026-03-01T10:0${minute}:00.000Z`;
const jsonl = (lines: readonly unknown[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

/** A home with one conversation of each agent about the same folder, in the forms that they publish. */
async function withTranscripts() {
  const scene = await started([{ parts: [{ text: 'It still rounds half to even.' }] }]);
  const { home, cwd } = scene;
  const put = (file: string, text: string) => {
    const whole = path.join(home, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  };
  const claude = put(
    `.claude/projects/${cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}/0b1f.jsonl`,
    `${jsonl([
      { type: 'summary', summary: 'Rounding of\u001b[31m invoices', leafUuid: 'u9' },
      { type: 'user', isMeta: true, timestamp: at(0), cwd, message: { role: 'user', content: 'Caveat: …' } },
      {
        ...{ type: 'user', uuid: 'u1', sessionId: '0b1f', timestamp: at(0), cwd, isSidechain: false },
        message: { role: 'user', content: 'Why is the invoice wrong?' },
      },
      {
        ...{ type: 'assistant', sessionId: '0b1f', timestamp: at(1), cwd },
        message: {
          id: 'msg_1',
          model: 'claude-opus-4-1',
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'The rounding, perhaps.', signature: 'x' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'src/total.mjs' } },
          ],
        },
      },
      {
        ...{ type: 'user', sessionId: '0b1f', timestamp: at(1), cwd },
        message: {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'zanzibar' }] },
          ],
        },
      },
      {
        type: 'assistant',
        isSidechain: true,
        timestamp: at(1),
        message: { content: [{ type: 'text', text: 'side' }] },
      },
      {
        ...{ type: 'assistant', sessionId: '0b1f', timestamp: at(2), cwd },
        message: { model: 'claude-opus-4-1', content: [{ type: 'text', text: 'It rounds half to even.' }] },
      },
      { type: 'something-new', payloadless: true },
    ])}{"type":"user","mess`,
  );
  put(
    '.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-c0de.jsonl',
    jsonl([
      { timestamp: at(3), type: 'session_meta', payload: { id: 'c0de', cwd, model_provider: 'openai' } },
      { timestamp: at(3), type: 'turn_context', payload: { model: 'gpt-5-codex' } },
      {
        timestamp: at(3),
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>x' }],
        },
      },
      {
        timestamp: at(3),
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Run the tests' }] },
      },
      { timestamp: at(3), type: 'event_msg', payload: { type: 'user_message', message: 'Run the tests' } },
      {
        timestamp: at(3),
        type: 'response_item',
        payload: {
          type: 'function_call',
          name: 'shell',
          arguments: '{"command":["npm","test"]}',
          call_id: 'call_1',
        },
      },
      {
        timestamp: at(4),
        type: 'response_item',
        payload: {
          type: 'function_call_output',
          call_id: 'call_1',
          output: '{"output":"1 failed","metadata":{"exit_code":1}}',
        },
      },
      {
        timestamp: at(4),
        type: 'response_item',
        payload: { type: 'function_call', name: 'shell', arguments: 'not json', call_id: 'call_2' },
      },
      {
        timestamp: at(4),
        type: 'response_item',
        payload: {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'One fails.' }],
        },
      },
    ]),
  );
  put(
    `.gemini/tmp/${createHash('sha256').update(cwd).digest('hex')}/chats/session-2026-03-01T10-05-9e.json`,
    JSON.stringify({
      sessionId: '9e',
      startTime: at(5),
      messages: [
        { id: '1', timestamp: at(5), type: 'user', content: 'List the files' },
        {
          ...{ id: '2', timestamp: at(5), type: 'gemini', content: 'Here they are.', model: 'gemini-3-pro' },
          thoughts: [{ subject: 'Listing', description: 'by the tool' }],
          toolCalls: [
            {
              ...{ id: 't1', name: 'list_directory', args: { path: '.' }, status: 'success' },
              result: [{ functionResponse: { id: 't1', response: { output: 'src' } } }],
            },
          ],
        },
        { id: '3', timestamp: at(5), type: 'info', content: 'Request cancelled.' },
      ],
    }),
  );
  const storage = '.local/share/opencode/storage';
  const time = { created: Date.parse(at(6)) };
  put(
    `${storage}/session/p1/ses_1.json`,
    JSON.stringify({ id: 'ses_1', title: 'Greeting', directory: cwd, time }),
  );
  put(`${storage}/message/ses_1/msg_1.json`, JSON.stringify({ id: 'msg_1', role: 'user', time }));
  put(`${storage}/part/msg_1/prt_1.json`, JSON.stringify({ id: 'prt_1', type: 'text', text: 'Hello there' }));
  put(
    `${storage}/message/ses_1/msg_2.json`,
    JSON.stringify({ id: 'msg_2', role: 'assistant', providerID: 'zai', modelID: 'glm', time }),
  );
  put(
    `${storage}/part/msg_2/prt_2.json`,
    JSON.stringify({
      ...{ id: 'prt_2', type: 'tool', tool: 'bash', callID: 'c' },
      state: { status: 'error', input: { command: 'ls' }, error: 'no such folder' },
    }),
  );
  const run = (...argv: string[]) =>
    runLlmcode(argv, {
      ...scene,
      env: { HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_DATA_HOME: '' },
    });
  const rows = async (...argv: string[]) =>
    (await run(...argv, '--json')).stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { scene, claude, run, rows };
}

it('conversations of four agents become threads, once, and another model goes on with one', async () => {
  const { scene, claude, run, rows } = await withTranscripts();
  const before = readFileSync(claude, 'utf8');
  expect((await run('threads', 'import', 'claude', '--list')).stdout).toMatch(/3 messages {2}Rounding of/);
  expect(await rows('threads', 'list')).toEqual([]);
  for (const agent of ['claude', 'codex', 'gemini', 'opencode']) {
    const { code, stdout, stderr } = await run('threads', 'import', agent);
    expect([agent, code, stderr]).toEqual([agent, 0, '']);
    expect(stdout).not.toContain('\x1b');
    expect((await run('threads', 'import', agent)).stdout).toContain('imported before');
  }
  expect(readFileSync(claude, 'utf8')).toBe(before);
  const list = await rows('threads', 'list');
  expect(list.map((row) => [row.imported_from, row.messages])).toEqual([
    ['opencode', 2],
    ['gemini', 2],
    ['codex', 3],
    ['claude', 3],
  ]);

  const { stdout } = await run('threads', 'show', list[3].id);
  expect(stdout).toContain('## ❯ you\n\nWhy is the invoice wrong?');
  expect(stdout).toContain('> The rounding, perhaps.');
  expect(stdout).toContain('▸ **read_file** src/total.mjs (ok)\n```\nzanzibar\n```');
  expect(stdout).not.toMatch(/Caveat|side|environment_context/);
  const codex = (await run('threads', 'show', list[2].id)).stdout;
  expect(codex).toContain('▸ **bash** npm test (error)\n```\n1 failed\n```');
  expect(codex).toContain('has no result of this call');
  expect((await run('threads', 'show', list[0].id)).stdout).toContain('▸ **bash** ls (error)');
  expect(await rows('threads', 'search', 'zanzibar')).toMatchObject([{ hits: [{ kind: 'output' }] }]);

  const { stdout: answer, stderr: problem } = await run('-p', 'and now?', '--resume', list[3].id);
  expect(problem).toBe('');
  expect(answer).toContain('It still rounds half to even.');
  const sent = scene.server.requests.at(-1)?.body.messages;
  expect(JSON.stringify(sent)).toMatch(
    /Why is the invoice wrong.*zanzibar.*It rounds half to even.*and now/s,
  );
  expect(scene.server.violations).toEqual([]);
});

it('a file is taken by what is in it, and what is none of them is refused', async () => {
  const { scene, claude, run, rows } = await withTranscripts();
  expect(await rows('threads', 'import', claude)).toMatchObject([{ agent: 'claude', imported: true }]);
  const other = path.join(scene.cwd, 'notes.json');
  writeFileSync(other, '{"a":1}');
  for (const file of [other, path.join(scene.cwd, 'nothing.jsonl'), scene.cwd])
    expect(await run('threads', 'import', file)).toMatchObject({ code: 2, stdout: '' });
  const noDatabase = path.join(scene.cwd, 'bad.db');
  writeFileSync(noDatabase, 'not a database at all '.repeat(300));
  const refused = await run('threads', 'import', noDatabase);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/bad\.db cannot be read: /)]);
  expect(refused.stderr).not.toMatch(/internal|bug/);
  const deep = path.join(scene.cwd, 'deep.jsonl');
  const nested = `${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`;
  writeFileSync(deep, `{"type":"user","timestamp":"${at(0)}","message":{"content":${nested}}}\n`);
  expect((await run('threads', 'import', deep)).stderr).not.toMatch(/internal|bug/);
  expect((await run('threads', 'import', other)).stderr).toContain('holds no conversation of claude, codex');
  expect((await run('threads', 'import', 'codex', '--cwd', '/')).stderr).toContain(
    'nothing of codex in this project',
  );
});

it('times that cannot be are those of now at most, and an answer at the beginning has a turn of its own', async () => {
  const { scene, run, rows } = await withTranscripts();
  const file = path.join(scene.cwd, 'odd.jsonl');
  writeFileSync(
    file,
    jsonl([
      {
        type: 'assistant',
        sessionId: 'odd',
        timestamp: 9e15,
        message: { content: [{ type: 'text', text: 'First.' }] },
      },
      {
        type: 'user',
        sessionId: 'odd',
        timestamp: '+200000-01-01T00:00:00Z',
        message: { content: 'And then?' },
      },
      {
        type: 'assistant',
        sessionId: 'odd',
        timestamp: 4e12,
        message: { content: [{ type: 'text', text: 'Then.' }] },
      },
    ]),
  );
  const [{ thread } = { thread: '' }] = await rows('threads', 'import', file);
  const [row] = await rows('threads', 'list');
  expect([row.id, Date.parse(row.updated_at) <= Date.now(), row.messages]).toEqual([thread, true, 3]);
  const { stdout } = await run('threads', 'export', thread, '--format', 'events');
  const kinds = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).kind);
  expect(kinds.filter((kind) => kind === 'turn-start')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'turn-end')).toHaveLength(2);
});

it('the database of OpenCode is only read; sessions of its sub-agents are left out', async () => {
  const { scene, run, rows } = await withTranscripts();
  const file = path.join(scene.home, '.local/share/opencode/opencode.db');
  const db = new (loadSqlite().DatabaseSync)(file);
  db.exec(`
    CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
  `);
  const session = db.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?)');
  const message = db.prepare('INSERT INTO message VALUES (?, ?, ?, ?)');
  const part = db.prepare('INSERT INTO part VALUES (?, ?, ?, ?)');
  const minute = Date.parse(at(7));
  for (const [id, parent] of [
    ['ses_a', null],
    ['ses_b', 'ses_a'],
  ] as const) {
    session.run(id, parent, scene.cwd, 'From the database', minute);
    message.run(`${id}1`, id, minute, '{"role":"user"}');
    part.run(`${id}p`, `${id}1`, id, '{"type":"text","text":"Hello database"}');
    message.run(`${id}2`, id, minute + 1, '{"role":"assistant","providerID":"zai","modelID":"glm"}');
    part.run(`${id}q`, `${id}2`, id, '{"type":"text","text":"Hello person"}');
  }
  db.close();
  const before = readFileSync(file);
  expect(await rows('threads', 'import', 'opencode')).toMatchObject([
    { source_id: 'ses_a', messages: 2, imported: true },
  ]);
  expect(readFileSync(file).equals(before)).toBe(true);
  const [row] = await rows('threads', 'list');
  expect(row).toMatchObject({ name: 'From the database', imported_from: 'opencode' });
  expect((await run('threads', 'show', row.id)).stdout).toContain('Hello person');
});

it('a file that came from somewhere does not choose the folder that tools work in', async () => {
  const { scene, rows } = await withTranscripts();
  const file = path.join(scene.cwd, 'sent.jsonl');
  writeFileSync(
    file,
    jsonl([
      { type: 'user', sessionId: 'sent', timestamp: at(0), cwd: scene.home, message: { content: 'Tidy up' } },
    ]),
  );
  await rows('threads', 'import', file);
  expect((await rows('threads', 'list')).map(({ cwd }) => cwd)).toEqual([scene.cwd]);
});
