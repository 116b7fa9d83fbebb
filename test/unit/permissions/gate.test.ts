import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPermissionGate } from '../../../src/permissions/gate.ts';
import { grantsFile } from '../../../src/permissions/grants.ts';
import { loadRuleSources } from '../../../src/permissions/rule-sources.ts';
import { problemNotices } from '../../../src/permissions/rules/problem-notices.ts';
import { permissionSettings } from '../../../src/permissions/settings.ts';
import { bashCall, fileCall, judge, makeGate, makePlace, type Place, put } from './support.ts';

let place: Place;

beforeEach(() => {
  place = makePlace();
});

afterEach(() => rmSync(place.base, { recursive: true, force: true }));

function reopened() {
  const { workspace: cwd, home, userHome } = place;
  const { sources, notices } = loadRuleSources({ cwd, home, userHome, configs: [] });
  const settings = permissionSettings.parse({});
  return { gate: createPermissionGate({ settings, sources, cwd, roots: [cwd], home, userHome }), notices };
}

it('names a file of the workspace as the person would write it', () => {
  const edit = fileCall(path.join(place.workspace, 'src/a.ts'), { mode: 'prompt', access: 'write' });
  expect(makeGate(place).decide(edit).reasons).toEqual([
    { check: 'mode-prompt-write', text: 'src/a.ts: prompt mode asks before a file is changed' },
  ]);
});

describe('allowing always', () => {
  it('for the session counts at once and is gone with it', async () => {
    const gate = makeGate(place);
    await gate.allow('Bash(npm test)', 'session');
    expect(judge(gate, place, 'npm test')).toMatchObject({
      decision: 'allow',
      reasons: [
        expect.objectContaining({ check: 'rule-allow', rule: 'Bash(npm test)', source: 'this session' }),
      ],
    });
    expect(judge(reopened().gate, place, 'npm test').decision).toBe('ask');
  });

  it('for the project is kept with the person, not in the project', async () => {
    const gate = makeGate(place);
    await gate.allow('Bash(npm test)', 'project');
    await gate.allow('Edit(src/**)', 'project');
    await gate.allow('Edit(src/**)', 'project');
    const file = grantsFile(place.home, place.workspace);
    expect(file.startsWith(path.join(place.home, 'projects'))).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      schema_version: 1,
      allow: ['Bash(npm test)', 'Edit(src/**)'],
      ask: [],
      deny: [],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { gate: next } = reopened();
    expect(judge(next, place, 'npm test').decision).toBe('allow');
    const edit = fileCall(path.join(place.workspace, 'src/a.ts'), { mode: 'prompt', access: 'write' });
    expect(next.decide(edit).decision).toBe('allow');
  });

  it('by several at the same time loses nothing', async () => {
    const rules = Array.from({ length: 12 }, (_, index) => `Bash(make t${index})`);
    await Promise.all(rules.map((rule) => makeGate(place).allow(rule, 'project')));
    const saved = JSON.parse(readFileSync(grantsFile(place.home, place.workspace), 'utf8')) as {
      allow: string[];
    };
    expect(saved.allow.toSorted()).toEqual(rules.toSorted());
  });

  it.each([
    'Bash(',
    'Bash(ls && x *)',
    'Bash',
    'Bash(*)',
    'Bash(sudo:*)',
    'Bash(bash -c:*)',
    'Bash(python3:*)',
    'Bash(env *)',
    'Edit(//**)',
    'mcp__*',
    'WebFetch(domain:*)',
  ])('refuses the rule %s', async (rule) => {
    await expect(makeGate(place).allow(rule, 'session')).rejects.toMatchObject({ code: 'rule-invalid' });
  });

  it('says so when the file cannot be written or read', async () => {
    const file = grantsFile(place.home, place.workspace);
    put(file, '{ broken');
    await expect(makeGate(place).allow('Bash(npm test)', 'project')).rejects.toMatchObject({
      code: 'rule-not-saved',
    });
    expect(readFileSync(file, 'utf8')).toBe('{ broken');
    expect(reopened().notices).toEqual([expect.stringContaining(file)]);
  });
});

describe('rules on disk', () => {
  it('come from Claude’s settings as well: the person’s may allow, the project’s may not', () => {
    const own = path.join(place.userHome, '.claude/settings.json');
    put(
      own,
      '\ufeff{ // mine\n "permissions": {"allow": ["Bash(npm test)", 7], "deny": ["Read(./secret/**)"]}, }',
    );
    put(
      path.join(place.workspace, '.claude/settings.local.json'),
      JSON.stringify({ permissions: { allow: ['Bash(npm publish)'], deny: ['Bash(ls:*)'] }, hooks: {} }),
    );
    const { gate, notices } = reopened();
    expect(notices).toEqual([]);
    expect(judge(gate, place, 'npm test').decision).toBe('allow');
    expect(judge(gate, place, 'npm publish').decision).toBe('ask');
    expect(judge(gate, place, 'ls').decision).toBe('deny');
    expect(judge(gate, place, 'cat secret/a').reasons[0]).toMatchObject({ check: 'rule-deny', source: own });
  });

  it('that are a device or nested without an end cost only themselves', () => {
    const shared = path.join(place.workspace, '.claude/settings.json');
    rmSync(shared, { force: true });
    symlinkSync('/dev/zero', shared);
    put(path.join(place.workspace, '.claude/settings.local.json'), '['.repeat(100_000));
    expect(reopened().notices).toEqual([
      expect.stringContaining('no regular file'),
      expect.stringContaining('settings.local.json are not used'),
    ]);
  });

  it('that are damaged cost only themselves', () => {
    put(path.join(place.userHome, '.claude/settings.json'), '{"permissions": [');
    put(path.join(place.workspace, '.claude/settings.json'), '[]');
    const { gate, notices } = reopened();
    expect(notices).toHaveLength(2);
    expect(judge(gate, place, 'ls').decision).toBe('allow');
  });

  it('are taken from config files with their origin', () => {
    const { workspace: cwd, home, userHome } = place;
    const { sources } = loadRuleSources({
      cwd,
      home,
      userHome,
      configs: [{ file: '--allowed-tools', origin: 'flag', permissions: { allow: ['Edit'] } }],
    });
    expect(sources[0]).toEqual({
      file: '--allowed-tools',
      origin: 'flag',
      allow: ['Edit'],
      ask: [],
      deny: [],
    });
  });
});

describe('the settings', () => {
  it('take every name of a mode and refuse others', () => {
    expect(permissionSettings.parse({ permissions: { mode: 'acceptEdits' } }).permissions.mode).toBe(
      'workspace_write',
    );
    expect(
      permissionSettings.safeParse({ permissions: { mode: 'loose' } }).error?.issues[0]?.message,
    ).toContain('full_access');
  });

  it('can name folders that are read without asking', () => {
    const { workspace: cwd, home, userHome, outside } = place;
    const settings = permissionSettings.parse({ permissions: { readable_directories: ['~/code/other'] } });
    const gate = createPermissionGate({ settings, sources: [], cwd, roots: [cwd], home, userHome });
    expect(
      gate.decide(fileCall(path.join(outside, 'x.txt'), { mode: 'plan', access: 'read' })).decision,
    ).toBe('allow');
    expect(gate.decide(bashCall('cat ../other/x.txt', { mode: 'plan', cwd })).decision).toBe('allow');
    expect(
      gate.decide(fileCall(path.join(outside, 'x.txt'), { mode: 'prompt', access: 'write' })).decision,
    ).toBe('ask');
  });
});

describe('a folder that the thread stores its outputs in', () => {
  it('is read without asking, and only read', () => {
    const gate = makeGate(place);
    const folder = path.join(place.base, 'llmcode-outputs');
    const stored = (access: 'read' | 'write') =>
      gate.decide(fileCall(path.join(folder, 'call.txt'), { mode: 'prompt', access })).decision;
    expect(stored('read')).toBe('ask');
    gate.allowReading(folder);
    expect([stored('read'), stored('write')]).toEqual(['allow', 'ask']);
    const search = bashCall(`grep -n x ${folder}/call.txt`, { mode: 'prompt', cwd: place.workspace });
    expect(gate.decide(search).decision).toBe('allow');
    expect(gate.decide(fileCall(`${folder}-not/x`, { mode: 'prompt', access: 'read' })).decision).toBe('ask');
  });
});

describe('looking up', () => {
  it('happens at each call, and never throws', () => {
    const gate = makeGate(place);
    const file = path.join(place.workspace, 'later.txt');
    const edit = fileCall(file, { mode: 'workspace_write', access: 'write' });
    expect(gate.decide(edit).decision).toBe('allow');
    rmSync(path.join(place.workspace, 'src'), { recursive: true });
    writeFileSync(file, '');
    expect(gate.decide(edit).decision).toBe('allow');
    chmodSync(path.join(place.workspace, '.git'), 0o000);
    expect(
      gate.decide(fileCall(path.join(place.workspace, '.git/x'), { mode: 'prompt', access: 'read' }))
        .decision,
    ).toBe('allow');
    expect(gate.decide(fileCall('relative', { mode: 'full_access', access: 'read' })).decision).toBe('deny');
  });

  it('lets the outputs of this project’s threads be read, and no others', () => {
    const gate = makeGate(place);
    const key = path.basename(path.dirname(grantsFile(place.home, place.workspace)));
    const own = put(path.join(place.home, 'threads', key, 't.files/out.txt'));
    const other = put(path.join(place.home, 'threads', 'other-12345678', 't.files/out.txt'));
    expect(gate.decide(fileCall(own, { mode: 'prompt', access: 'read' })).decision).toBe('allow');
    expect(judge(gate, place, `tail -5 ${own}`).decision).toBe('allow');
    expect(gate.decide(fileCall(other, { mode: 'prompt', access: 'read' })).decision).toBe('ask');
    expect(gate.decide(fileCall(own, { mode: 'full_access', access: 'write' })).decision).toBe('deny');
  });

  it('treats a sample workspace inside our own folder as a workspace', () => {
    const sample = path.join(place.home, 'demo/sample');
    put(path.join(sample, 'src/a.ts'));
    const gate = makeGate(place, { roots: [sample], cwd: sample });
    const write = (file: string) =>
      gate.decide(fileCall(path.join(sample, file), { mode: 'workspace_write', access: 'write' })).decision;
    expect(write('src/a.ts')).toBe('allow');
    expect(write('.llmcode/config.json')).toBe('deny');
    expect(write('../../config.json')).toBe('deny');
  });

  it('judges what lies behind a folder that a command changes to', () => {
    const gate = makeGate(place);
    expect(judge(gate, place, 'cd src && cat a.ts').decision).toBe('allow');
    expect(judge(gate, place, 'cd src; cat ../.env').decision).toBe('ask');
    expect(judge(gate, place, 'cd ../other && cat x.txt').decision).toBe('ask');
    expect(gate.decide(bashCall('ls', { mode: 'prompt', cwd: place.outside })).decision).toBe('ask');
  });
});

it('a rule that denies a host also counts for commands that name it', () => {
  const gate = makeGate(place, { rules: { deny: ['WebFetch(domain:evil.example)'] } });
  for (const command of [
    'curl https://evil.example/x',
    'curl -s evil.example',
    'env A=b wget https://me@sub.EVIL.example:8443/',
    'git clone git@evil.example:a/b.git',
    'timeout 5 nice curl https://evil.example',
  ]) {
    expect(judge(gate, place, command).reasons[0]?.check, command).toBe('rule-deny');
  }
  expect(judge(gate, place, 'curl https://evil.example.org/').decision).toBe('ask');
});

it('of many rules that do not count a few are named for each file', () => {
  const problems = Array.from({ length: 300 }, (_, at) => ({ file: 'a.json', rule: `R${at}`, text: 'no' }));
  const notices = problemNotices(problems);
  expect(notices).toHaveLength(6);
  expect(notices.at(-1)).toBe('a.json: 295 more rules do not count.');
});
