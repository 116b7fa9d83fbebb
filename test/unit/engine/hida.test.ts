import { describe, expect, test } from 'vitest';
import { classifyRequest, type TaskGuess } from '#engine/hida/classify.ts';
import { broughtTools, taskOf, waitingTools } from '#engine/hida/ready-tools.ts';
import { alwaysReady, profiles, type TaskKind, taskKinds } from '#engine/hida/task-kinds.ts';
import { toolOffer } from '#engine/tool-offer.ts';
import type { Message } from '#protocol/message.ts';
import { createTools } from '#tools/index.ts';

const threshold = 0.6;
const kindOf = (text: string, before: TaskGuess | null = null) =>
  classifyRequest(text, before, { threshold }).kind;

const requests: readonly (readonly [TaskKind | null, string])[] = [
  ['debugging', 'fix the bug in the login'],
  ['debugging', 'It crashes with a TypeError exception when the list is empty'],
  ['debugging', '登录页面报错，请修复'],
  ['debugging', 'Der Export ist kaputt, bitte beheben'],
  ['testing', 'write unit tests for total.ts'],
  ['testing', 'raise the coverage of the parser'],
  ['testing', '给这个函数写测试'],
  ['reviewing', 'review my pull request'],
  ['refactoring', 'rename getUser to loadUser everywhere and simplify it'],
  ['refactoring', '重构这个模块'],
  ['planning', 'make a plan for the roadmap'],
  ['deployment', 'deploy to staging with docker'],
  ['documentation', 'update the README and the docs'],
  ['research', 'investigate how does the cache work and compare both'],
  ['coding', 'implement an endpoint for orders'],
  ['coding', '添加一个函数'],
  ['conversation', 'thanks!'],
  [null, 'x'],
  [null, 'yes, do it'],
  [null, 'deploy the docs and review the tests'],
];

test.each(requests)('%s: %s', (kind, text) => {
  expect(kindOf(text)).toBe(kind);
});

test('a request without telling words goes on with what was before', () => {
  const before = classifyRequest('fix the crash', null, { threshold });
  expect(classifyRequest('yes, do it', before, { threshold })).toEqual({
    ...before,
    words: [],
    isKept: true,
  });
  expect(kindOf('now deploy it to production', before)).toBe('deployment');
});

test('words inside of others are none, and a long paste is cheap', () => {
  expect(kindOf('the prefix of latest is fine')).toBe(null);
  const start = performance.now();
  classifyRequest('fix it '.repeat(200_000), null, { threshold });
  expect(performance.now() - start).toBeLessThan(100);
});

describe('the tools of a thread', () => {
  const tools = createTools();
  const offer = toolOffer(tools, { byTask: true });
  const waiting = waitingTools(tools, offer);
  const said = (text: string): Message => ({
    id: text,
    role: 'user',
    origin: 'person',
    parts: [{ id: 'p', kind: 'text', text }],
    createdAt: 0,
  });
  const namesAfter = (...texts: string[]) => {
    const found = broughtTools(texts.map(said), { waiting, threshold });
    return offer.schemas({ info: null, isHistoryShortened: false, found }).map(({ name }) => name);
  };

  test('what writes, runs and searches is always there, whatever the request is', () => {
    for (const [, text] of requests)
      expect(namesAfter(text)).toEqual(
        expect.arrayContaining([
          'read_file',
          'edit_file',
          'write_file',
          'bash',
          'grep_search',
          'tool_search',
        ]),
      );
  });

  test('tools that a request brought stay where they are when another one follows', () => {
    const first = namesAfter('review my changes');
    expect(first).toContain('git_diff');
    const second = namesAfter('review my changes', 'open https://example.org and commit');
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.slice(first.length)).toEqual(expect.arrayContaining(['web_fetch', 'git_commit']));
  });

  test('a tool that is named is there, and so is everything usual where nothing is clear', () => {
    expect(namesAfter('use git_stash now')).toContain('git_stash');
    const usual = toolOffer(tools).schemas({ info: null, isHistoryShortened: false, found: [] });
    expect(namesAfter('x').toSorted()).toEqual(usual.map(({ name }) => name).toSorted());
  });

  test('every tool of a profile exists', () => {
    const known = new Set([...tools.map(({ name }) => name), 'web_search']);
    const optional = /^(?:memory|lsp)_/;
    const named = [...taskKinds.flatMap((kind) => profiles[kind].tools), ...alwaysReady];
    expect(named.filter((name) => !known.has(name) && !optional.test(name))).toEqual([]);
  });

  test('a message is looked at once, and anew where the limit is another', () => {
    const messages = [said('review the failing deployment of the docs')];
    const strict = taskOf(messages, { threshold });
    expect(strict).toMatchObject({ kind: null });
    expect(taskOf(messages, { threshold })).toBe(strict);
    expect(taskOf([said('fix the crash')], { threshold })).toMatchObject({
      kind: 'debugging',
      confidence: 1,
    });
  });
});
