import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPermissionGate } from '../../../src/permissions/gate.ts';
import { permissionSettings } from '../../../src/permissions/settings.ts';
import { globSearch } from '../../../src/tools/glob-search.ts';
import { grepSearch } from '../../../src/tools/grep-search.ts';
import { listDirectory } from '../../../src/tools/list-directory.ts';
import { readFile } from '../../../src/tools/read-file.ts';
import { writeFile } from '../../../src/tools/write-file.ts';
import { answer, call, calls } from '../../support/engine/scripted-model.ts';
import { callParts, openTestThread, resultText } from '../../support/engine/test-thread.ts';

/** The person says yes to a path; before that, a link is put in its place. */
async function saidYesTo(
  tool: 'write_file' | 'read_file' | 'list_directory' | 'glob_search' | 'grep_search',
  input: Record<string, string>,
  rule: 'ask' | 'allow',
) {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-moved-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const at = (name: string) => path.join(base, name);
  for (const folder of ['project/data', 'outside', 'home']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('project/data/a.txt'), 'inside');
  writeFileSync(at('outside/a.txt'), 'from outside');
  const gate = createPermissionGate({
    settings: permissionSettings.parse({}),
    sources: [
      { file: 'test', origin: 'user', allow: [], ask: rule === 'ask' ? ['Read', 'Edit'] : [], deny: [] },
    ],
    cwd: at('project'),
    roots: [at('project')],
    home: at('home'),
    userHome: base,
  });
  const thread = await openTestThread({
    cwd: at('project'),
    gate,
    tools: [readFile, writeFile, listDirectory, globSearch, grepSearch],
    script: [calls(call(tool, input)), answer('Done.')],
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  renameSync(at('project/data'), at('project/old'));
  symlinkSync(at('outside'), at('project/data'));
  thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind: 'once' } });
  await ended;
  const [part] = callParts(thread.state().messages);
  return {
    status: part?.result?.status,
    text: resultText(part),
    outside: readFileSync(at('outside/a.txt'), 'utf8'),
  };
}

test('a yes to a file is no yes to where a link leads that takes its place before it is read', async () => {
  const { status, text } = await saidYesTo('read_file', { path: 'data/a.txt' }, 'ask');
  expect(status).toBe('error');
  expect(text).toContain('leads elsewhere');
  expect(text).not.toContain('from outside');
});

test.each([
  ['list_directory', { path: 'data' }],
  ['glob_search', { pattern: '*', path: 'data' }],
  ['grep_search', { pattern: 'i', path: 'data' }],
  ['grep_search', { pattern: 'i', path: 'data/a.txt' }],
] as const)('nor to a folder before %s looks into it', async (tool, input) => {
  const { status, text } = await saidYesTo(tool, input, 'ask');
  expect(status).toBe('error');
  expect(text).toContain('leads elsewhere');
});

test('nor before it is written', async () => {
  const { status, text, outside } = await saidYesTo(
    'write_file',
    { path: 'data/b.txt', content: 'x' },
    'allow',
  );
  expect({ status, outside }).toEqual({ status: 'error', outside: 'from outside' });
  expect(text).toContain('leads elsewhere');
});
