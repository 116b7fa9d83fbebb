import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDecision, decisionsFile, readDecisions } from '#permissions/decision-log.ts';
import { examineRules } from '#permissions/examine-rules.ts';
import { replayDecisions } from '#permissions/replay.ts';
import type { RuleSource } from '#permissions/rules/rule.ts';
import { permissionSettings } from '#permissions/settings.ts';
import { testRules } from '#permissions/test-rules.ts';
import { bashCall, fileCall, makeGate, makePlace, type Place } from './support.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
});

afterAll(() => rmSync(place.base, { recursive: true, force: true }));

type Lists = Partial<Pick<RuleSource, 'allow' | 'ask' | 'deny'>>;

function options(lists: Lists, origin: RuleSource['origin'] = 'user') {
  const { workspace: cwd, home, userHome } = place;
  const file = path.join(home, 'config.json');
  return {
    ...{ settings: permissionSettings.parse({}), cwd, roots: [cwd], home, userHome },
    sources: [{ file, origin, allow: [], ask: [], deny: [], ...lists }],
    tools: ['bash', 'Bash', 'edit_file', 'Edit', 'read_file', 'Read', 'web_fetch', 'WebFetch', 'Write'],
  };
}

const found = (lists: Lists, origin?: RuleSource['origin']) =>
  examineRules(options(lists, origin)).map(({ rule, kind }) => `${rule.text}: ${kind}`);

describe('a rule that does nothing is found', () => {
  it.each<[string, Lists, string[]]>([
    [
      'behind a denial',
      { allow: ['Bash(git push:*)'], deny: ['Bash(git:*)'] },
      ['Bash(git push:*): shadowed'],
    ],
    ['behind a question', { allow: ['Bash(npm test)'], ask: ['Bash'] }, ['Bash(npm test): shadowed']],
    ['behind a wider one', { allow: ['Bash(npm run:*)', 'Bash(npm run a)'] }, ['Bash(npm run a): shadowed']],
    ['behind a wider folder', { allow: ['Edit(src/a/**)', 'Edit(src/**)'] }, ['Edit(src/a/**): shadowed']],
    ['written twice', { ask: ['Bash(x:*)', 'Bash(x:*)'] }, ['Bash(x:*): repeated']],
    ['for a tool that is not there', { deny: ['Bahs(ls)'] }, ['Bahs(ls): unknown-tool']],
    ['for what no rule may allow', { allow: ['Edit(.git/**)'] }, ['Edit(.git/**): dead']],
    ['for what is never allowed', { allow: ['Bash(rm -rf /)'] }, ['Bash(rm -rf /): dead']],
    ['that cannot be read', { allow: ['Bash('] }, ['Bash(: unreadable']],
    ['with one slash for the root', { deny: ['Read(/etc/passwd)'] }, ['Read(/etc/passwd): elsewhere']],
  ])('%s', (_what, lists, expected) => {
    expect(found(lists)).toEqual(expected);
  });

  it('in the file of a repository, which may not allow', () => {
    expect(found({ allow: ['Bash(ls)'], deny: ['Bash(rm:*)'] }, 'project')).toEqual(['Bash(ls): unreadable']);
  });
});

it('rules that each do something are left alone', () => {
  const lists = {
    allow: ['Bash(npm run:*)', 'Bash(git * main)', 'Edit(src/**)', 'WebFetch(domain:x.com)', 'mcp__a__b'],
    ask: ['Bash(npm run deploy)', 'Edit(src/generated/**)'],
    deny: ['Bash(git push --force:*)', 'Read(./secret/**)', 'WebFetch(domain:evil.com)'],
  };
  expect(found(lists)).toEqual([]);
});

it('examples beside rules are tried, and a wrong one is named', () => {
  const rule = {
    rule: 'Bash(npm run build:*)',
    match: ['npm run build', 'npm run build --watch', 'npm run builder'],
    not_match: ['npm run build && rm -rf src', 'npm run build > ~/.bashrc', 'npm run build --fast'],
  };
  const web = {
    rule: 'WebFetch(domain:x.com)',
    match: ['https://x.com/a'],
    not_match: [{ url: 'http://y.com' }],
  };
  const edit = { rule: 'Edit(src/**)', match: ['src/a.ts'], not_match: ['package.json'] };
  const tests = testRules(
    options({ allow: [rule, web, edit], deny: [{ rule: 'Bash(rm:*)', match: ['ls; sudo rm x'] }] }),
  );
  expect(tests).toHaveLength(11);
  expect(tests.filter(({ isRight }) => !isRight).map(({ example, text }) => [example, text])).toEqual([
    ['npm run builder', 'it does not match'],
    ['npm run build --fast', 'it matches'],
  ]);
});

it('what a proposed rule covers was decided, not guessed', () => {
  const gate = makeGate(place);
  const build = bashCall('npm run build --fast', { mode: 'prompt', cwd: place.workspace });
  expect(gate.examples?.('Bash(npm run build:*)', build)).toEqual({
    covers: ['npm run build', 'npm run build --verbose'],
    leaves: ['npm run build-other', 'npm run build && curl example.com'],
  });
  const edit = fileCall(path.join(place.workspace, 'src/a.ts'), { mode: 'prompt', access: 'write' });
  expect(gate.examples?.('Edit(src/**)', edit)).toEqual({
    covers: ['src/a.ts', 'src/new/file'],
    leaves: ['package.json', '.git/config'],
  });
});

describe('the log of decisions', () => {
  const asked = { decision: 'ask', outcome: 'allowed', by: 'person', answer: 'always' } as const;
  const reasons = [{ check: 'rule-ask', text: 'a rule', rule: 'Bash(x)', source: '/c.json', line: 3 }];
  const call = (command: string) => bashCall(command, { mode: 'prompt', cwd: place.workspace });

  it('holds one private line a decision, without secrets, and bears what a crash left', () => {
    const file = decisionsFile(place.home, place.workspace);
    const token = `ghp_${'a'.repeat(36)}`;
    const about = { end: { ...asked, reasons }, thread: 'T', time: 0 };
    addDecision(file, call(`curl -H ${token} x.com`), about);
    appendFileSync(file, '{"time": "cut\n');
    addDecision(file, call('ls'), about);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    const entries = readDecisions(file, { limit: 10 });
    expect(entries.map(({ what }) => what)).toEqual(['curl -H [secret:token] x.com', 'ls']);
    expect(entries[1]).toMatchObject({ time: '1970-01-01T00:00:00.000Z', thread: 'T', ...asked, reasons });
    expect(readDecisions(file, { limit: 1 })).toHaveLength(1);
  });

  it('does not grow without end', () => {
    const file = path.join(place.home, 'big', 'decisions.jsonl');
    addDecision(file, call('ls'), { end: { ...asked, reasons }, thread: 'T', time: 0 });
    writeFileSync(file, `${'x'.repeat(2_000_001)}\n`);
    addDecision(file, call('pwd'), { end: { ...asked, reasons }, thread: 'T', time: 0 });
    expect(statSync(file).size).toBeLessThan(2_000);
    expect(readDecisions(file, { limit: 10 }).map(({ what }) => what)).toEqual(['pwd']);
  });

  it('is replayed against other rules', () => {
    const file = path.join(place.home, 'replay', 'decisions.jsonl');
    for (const command of ['npm test', 'ls', 'git push'])
      addDecision(file, call(command), { end: { ...asked, reasons }, thread: 'T', time: 0 });
    const differing = replayDecisions(readDecisions(file, { limit: 10 }), {
      before: makeGate(place),
      after: makeGate(place, { rules: { allow: ['Bash(npm test)'], deny: ['Bash(git:*)'] } }),
    });
    expect(differing.map(({ entry, before, after }) => [entry.what, before, after])).toEqual([
      ['npm test', 'ask', 'allow'],
      ['git push', 'ask', 'deny'],
    ]);
  });
});
