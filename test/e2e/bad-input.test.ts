import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { armedKeyRow } from '../support/e2e/answer-dialog.ts';
import { launcher, runProgram } from '../support/e2e/running-program.ts';
import type { SampleRepo } from '../support/e2e/sample-repo.ts';
import { answers, quietModes, say, soundAtRest, stageTests } from '../support/e2e/stage.ts';

const stage = stageTests();

describe('a config that is not valid', () => {
  const bad = '{\n  "model": "local/test-model",\n  // mine\n  "max_stps": 3,\n  "theme": 7\n}\n';

  it('ends a run without a screen with 2, and names file, line, key and the nearest one', async () => {
    const { home, repo } = await stage.start([]);
    const file = path.join(home, 'config.json');
    writeFileSync(file, bad);
    const unknown = await runProgram(['-p', 'hello'], { home, cwd: repo.folder });
    expect(unknown).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        `llmcode: ${file}:4 unknown key 'max_stps'; did you mean 'max_steps'?\n` +
        `llmcode: ${file}:5 'theme': expected string, received number (it is 7)\n`,
    });
    writeFileSync(file, '{\n  "model": "local/test-model"\n  "max_steps": 3\n}\n');
    const broken = await runProgram(['-p', 'hello'], { home, cwd: repo.folder });
    expect(broken).toMatchObject({
      code: 2,
      stderr: `llmcode: ${file}:3:3 is no valid JSON here (comma expected)\n`,
    });
  });

  it('is named on the screen, what was said is kept, and once it is right that goes out too', async () => {
    const { server, home, repo } = await stage.start(answers('Here I am.'));
    const file = path.join(home, 'config.json');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, bad);
    const screen = stage.open({ repo, home }, { columns: 140 });
    await screen.waitFor(`${file}:4 unknown key 'max_stps'; did you mean 'max_steps'?`);
    await screen.waitFor("'theme': expected string, received number (it is 7)");
    await say(screen, 'hello');
    await screen.waitFor('Your message is kept');
    writeFileSync(file, good);
    await say(screen, 'once more');
    await screen.waitFor('Here I am.');
    const sent = JSON.stringify(server.requests[0]?.body.messages);
    expect(sent).toContain('hello');
    expect(sent).toContain('once more');
    await soundAtRest(home);
  });
});

describe('a model that nobody knows', () => {
  it('is named with the nearest one; another one can be chosen on the screen', async () => {
    const { home, repo } = await stage.start(answers('Here I am.'));
    const headless = await runProgram(['-p', 'hello', '-m', 'lokal/test-model'], { home, cwd: repo.folder });
    expect(headless).toMatchObject({ code: 2, stdout: '' });
    expect(headless.stderr).toMatch(/^llmcode: .*lokal\/test-model.*local\/test-model.*\n$/);

    const screen = stage.open({ repo, home }, { args: ['-m', 'lokal/test-model'] });
    await screen.waitFor(/lokal\/test-model.*local\/test-model/s);
    await screen.waitFor('Which model should work here?');
    await armedKeyRow(screen, 'Enter choose');
    screen.type('test-model');
    await screen.waitFor('› test-model');
    screen.press('enter');
    await screen.waitFor('test-model · local');
    await say(screen, 'hello');
    await screen.waitFor('Here I am.');
    await soundAtRest(home);
  });
});

describe('a file that is no plain text', () => {
  it('is read as far as that makes sense, and the model is told what is wrong with it', async () => {
    const inputs: Record<string, { input: object; told: RegExp[] }> = {
      missing: {
        input: { path: 'src/totl.mjs' },
        told: [/no file src\/totl\.mjs\. Did you mean src\/total\.mjs/],
      },
      folder: { input: { path: 'src' }, told: [/src is a folder/, /list_directory/] },
      forbidden: { input: { path: 'forbidden' }, told: [/forbidden.*(circle of links|permi)/i] },
      pipe: { input: { path: 'pipe' }, told: [/pipe: is a device, a pipe or a socket/] },
      binary: { input: { path: 'binary' }, told: [/binary is a binary file \(4.*B/] },
      damaged: { input: { path: 'damaged' }, told: [/Not valid UTF-8/, /1\tgr\u00fc\u00dfe \ufffd/] },
      latin1: { input: { path: 'latin1' }, told: [/Encoding: windows-1252/, /1\tgr\u00fc\u00dfe/] },
      japanese: {
        input: { path: 'japanese' },
        told: [/SHIFT_JIS by its looks/, /iconv -f SHIFT_JIS -t UTF-8/],
      },
      utf16: { input: { path: 'utf16' }, told: [/Encoding: utf-16le/, /1\tgr\u00fc\u00dfe/] },
      huge: {
        input: { path: 'huge' },
        told: [/5\.0 GB: too large to be edited here/, /\n1500\tline 1500\n/, /Go on with offset \d{4}\./],
      },
    };
    const names = Object.keys(inputs);
    const { server, home, repo } = await stage.start([
      { parts: names.map((name) => ({ call: 'read_file', id: `call_${name}`, input: inputs[name]?.input })) },
      ...answers('Strange files.'),
    ]);
    writeStrangeFiles(repo);
    const end = await runProgram(['-p', 'read them'], { home, cwd: repo.folder });
    expect(end).toMatchObject({ code: 0, stdout: 'Strange files.\n' });
    const messages: { role: string; tool_call_id?: string; content?: unknown }[] =
      server.requests[1]?.body.messages ?? [];
    for (const name of names) {
      const text = String(messages.find((each) => each.tool_call_id === `call_${name}`)?.content);
      for (const told of inputs[name]?.told ?? []) expect(text, name).toMatch(told);
    }
    expect(server.violations).toEqual([]);
    await soundAtRest(home);
  });
});

describe('a folder to work in that is not there', () => {
  it('ends the program with 2 and one line, with and without a screen', async () => {
    const { home, repo } = await stage.start([]);
    const headless = await runProgram(['-p', 'hello', '--cwd', '/nope'], { home, cwd: repo.folder });
    expect(headless).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: 'llmcode: the folder /nope does not exist\n',
    });

    const screen = stage.open({ repo, home }, { args: ['--cwd', '/nope'] });
    expect(await screen.exited).toEqual({ code: 2, signal: 0 });
    expect(screen.screen().trim()).toBe('llmcode: the folder /nope does not exist');
    expect(screen.modes()).toEqual(quietModes);
    await screen.end();

    const gone = path.join(repo.folder, 'gone');
    const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"';
    const lost = stage.open(
      { repo, home },
      {
        program: ['/bin/bash', '-c', script, 'bash', gone, process.execPath, launcher],
      },
    );
    expect(await lost.exited).toEqual({ code: 2, signal: 0 });
    expect(lost.screen().trim()).toBe(
      'llmcode: the folder that llmcode was started in no longer exists; cd to another one',
    );
    expect(lost.modes()).toEqual(quietModes);
  });

  it('that goes away in mid-session is told to the model, and the conversation goes on', async () => {
    const { server, home, repo } = await stage.start([
      {
        parts: [
          { call: 'bash', input: { command: 'ls' } },
          { call: 'read_file', input: { path: 'a.txt' } },
        ],
      },
      ...answers('It is gone.', 'Still here.'),
    ]);
    const folder = path.join(repo.folder, 'work');
    mkdirSync(folder);
    const screen = stage.open({ repo, home }, { cwd: folder, args: ['--permission-mode', 'auto_accept'] });
    await screen.waitFor('test-model');
    rmSync(folder, { recursive: true });
    await say(screen, 'look');
    await screen.waitFor('It is gone.');
    expect(JSON.stringify(server.requests[1]?.body.messages)).toMatch(/folder .*work does not exist/);
    await say(screen, 'and now');
    await screen.waitFor('Still here.');
    expect(server.violations).toEqual([]);
    await soundAtRest(home);
  });
});

function writeStrangeFiles({ file }: SampleRepo): void {
  // Nobody is kept from reading by rights when the test runs as root.
  if (process.getuid?.() === 0) symlinkSync('forbidden', file('forbidden'));
  else {
    writeFileSync(file('forbidden'), 'x');
    chmodSync(file('forbidden'), 0);
  }
  execFileSync('mkfifo', [file('pipe')]);
  writeFileSync(file('binary'), Buffer.alloc(4_096));
  const greetings = 'gr\u00fc\u00dfe \u00e4\u00f6\u00fc \u00e9\u00e8\u00ea';
  writeFileSync(
    file('damaged'),
    Buffer.concat([Buffer.from('gr\u00fc\u00dfe '), Buffer.from([0xff]), Buffer.from(greetings)]),
  );
  writeFileSync(file('latin1'), Buffer.from('gr\u00fc\u00dfe\n', 'latin1'));
  writeFileSync(file('japanese'), Buffer.from('834a83458393835e82f0919d82e282b70a', 'hex'));
  writeFileSync(file('utf16'), Buffer.from('\ufeffgr\u00fc\u00dfe\n', 'utf16le'));
  writeFileSync(file('huge'), Array.from({ length: 9_000 }, (_, index) => `line ${index + 1}\n`).join(''));
  // Sparse: it has the size, not the bytes.
  truncateSync(file('huge'), 5_000_000_000);
}
