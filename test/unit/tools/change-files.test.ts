import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { diffView } from '#tools/files/diff-view.ts';
import { replaceText } from '#tools/files/replace-text.ts';
import { type ToolBench, textOf, toolBench } from './tool-bench.ts';

function put(bench: ToolBench, name: string, content: string | Buffer): string {
  const file = path.join(bench.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}
const onDisk = (bench: ToolBench, name: string) => readFileSync(path.join(bench.folder, name), 'utf8');

describe('the read-before-change rule', () => {
  test('an existing file must be read, a new one need not', async () => {
    const bench = toolBench();
    put(bench, 'a.txt', 'one\n');
    const edit = await bench.run('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
    const write = await bench.run('write_file', { path: 'a.txt', content: 'two\n' });
    const fresh = await bench.run('write_file', { path: 'deep/er/new.txt', content: 'new\n' });
    expect([edit.code, write.code, fresh.status]).toEqual(['not_read', 'not_read', 'ok']);
    expect(textOf(edit)).toBe(
      'a.txt exists and has not been read yet. Read it with read_file, then change it.',
    );
    expect([onDisk(bench, 'a.txt'), onDisk(bench, 'deep/er/new.txt')]).toEqual(['one\n', 'new\n']);
  });

  test('a change from outside is noticed by content, not by time', async () => {
    const bench = toolBench();
    const file = put(bench, 'a.txt', 'one\n');
    await bench.run('read_file', { path: 'a.txt' });
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'eno\n');
    utimesSync(file, atime, mtime);
    const result = await bench.run('write_file', { path: 'a.txt', content: 'two\n' });
    expect([result.code, onDisk(bench, 'a.txt')]).toEqual(['changed_on_disk', 'eno\n']);
    writeFileSync(file, 'one\n');
    expect((await bench.run('write_file', { path: 'a.txt', content: 'two\n' })).status).toBe('ok');
  });

  test('what the tools wrote counts as known, so that edits can follow each other', async () => {
    const bench = toolBench();
    await bench.run('write_file', { path: 'a.txt', content: 'one\ntwo\n' });
    const first = await bench.run('edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' });
    const second = await bench.run('edit_file', { path: './a.txt', old_string: 'two', new_string: '2' });
    expect([first.status, second.status, onDisk(bench, 'a.txt')]).toEqual(['ok', 'ok', '1\n2\n']);
  });

  test('the rule knows a file by its real path', async () => {
    const bench = toolBench();
    put(bench, 'real/a.txt', 'one\n');
    symlinkSync('real', path.join(bench.folder, 'link'));
    await bench.run('read_file', { path: 'link/a.txt' });
    const result = await bench.run('edit_file', { path: 'real/a.txt', old_string: 'one', new_string: '1' });
    expect(result.status).toBe('ok');
  });

  test('it can be lifted', async () => {
    const bench = toolBench();
    put(bench, 'a.txt', 'one\n');
    const input = { path: 'a.txt', old_string: 'one', new_string: 'two' };
    expect((await bench.run('edit_file', input, { requireRead: false })).status).toBe('ok');
  });

  test('a file that vanished is missing for an edit and new for a write', async () => {
    const bench = toolBench();
    const file = put(bench, 'a.txt', 'one\n');
    await bench.run('read_file', { path: 'a.txt' });
    rmSync(file);
    const edit = await bench.run('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
    expect(edit.code).toBe('file_missing');
    expect((await bench.run('write_file', { path: 'a.txt', content: 'x' })).status).toBe('ok');
  });

  test('appending needs no reading and makes nothing known', async () => {
    const bench = toolBench();
    put(bench, 'log.txt', 'one');
    const append = await bench.run('append_file', { path: 'log.txt', content: 'two\n' });
    expect([append.status, append.fileStates, onDisk(bench, 'log.txt')]).toEqual([
      'ok',
      undefined,
      'onetwo\n',
    ]);
    expect(textOf(append)).toContain('did not end with a newline');
    expect((await bench.run('write_file', { path: 'log.txt', content: '' })).code).toBe('not_read');
  });
});

describe('writing', () => {
  test('keeps mode bits, BOM, CRLF and encoding', async () => {
    const bench = toolBench();
    const file = put(bench, 'a.bat', '\ufeffone\r\ntwo\r\n');
    chmodSync(file, 0o754);
    put(bench, 'wide.txt', Buffer.from('\ufeffone\r\n', 'utf16le'));
    put(bench, 'latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    for (const name of ['a.bat', 'wide.txt', 'latin.txt']) await bench.run('read_file', { path: name });
    await bench.run('write_file', { path: 'a.bat', content: 'x\ny\n' });
    await bench.run('write_file', { path: 'wide.txt', content: 'ä\n' });
    await bench.run('write_file', { path: 'latin.txt', content: 'ä\n' });
    expect([onDisk(bench, 'a.bat'), statSync(file).mode & 0o777]).toEqual(['\ufeffx\r\ny\r\n', 0o754]);
    expect(readFileSync(path.join(bench.folder, 'wide.txt'), 'utf16le')).toBe('\ufeffä\r\n');
    expect(readFileSync(path.join(bench.folder, 'latin.txt'))).toEqual(Buffer.from('ä\n', 'latin1'));
  });

  test('what an encoding lacks makes the file UTF-8 when it is replaced whole, and is refused in an edit', async () => {
    const bench = toolBench();
    put(bench, 'latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    await bench.run('read_file', { path: 'latin.txt' });
    const edit = await bench.run('edit_file', { path: 'latin.txt', old_string: 'café', new_string: '変' });
    expect(edit.code).toBe('invalid_argument');
    const write = await bench.run('write_file', { path: 'latin.txt', content: '変\n' });
    expect([onDisk(bench, 'latin.txt'), textOf(write)]).toEqual([
      '変\n',
      'Overwrote latin.txt (1 line). The file was windows-1252, which lacks some of these characters; it is UTF-8 now.',
    ]);
  });

  test('goes to the target of a link and leaves the link', async () => {
    const bench = toolBench();
    put(bench, 'real.txt', 'one\n');
    symlinkSync('real.txt', path.join(bench.folder, 'link.txt'));
    await bench.run('read_file', { path: 'link.txt' });
    const result = await bench.run('write_file', { path: 'link.txt', content: 'two\n' });
    expect([result.status, onDisk(bench, 'real.txt'), readdirSync(bench.folder).sort()]).toEqual([
      'ok',
      'two\n',
      ['link.txt', 'real.txt'],
    ]);
  });

  test('a link to nowhere, a read-only file and a folder are refused', async () => {
    const bench = toolBench();
    symlinkSync('nowhere', path.join(bench.folder, 'dangling'));
    chmodSync(put(bench, 'fixed.txt', 'one\n'), 0o444);
    mkdirSync(path.join(bench.folder, 'dir'));
    await bench.run('read_file', { path: 'fixed.txt' });
    const codes: unknown[] = [];
    for (const file of ['dangling', 'fixed.txt', 'dir', 'new/', 'fixed.txt/below'])
      codes.push((await bench.run('write_file', { path: file, content: 'x' })).code);
    expect(codes).toEqual(['not_a_file', 'not_writable', 'not_a_file', 'not_a_file', 'not_a_file']);
    expect(readdirSync(bench.folder).sort()).toEqual(['dangling', 'dir', 'fixed.txt']);
  });

  test('a hard link elsewhere keeps the old content', async () => {
    const bench = toolBench();
    linkSync(put(bench, 'a.txt', 'one\n'), path.join(bench.folder, 'b.txt'));
    await bench.run('read_file', { path: 'a.txt' });
    await bench.run('write_file', { path: 'a.txt', content: 'two\n' });
    expect([onDisk(bench, 'a.txt'), onDisk(bench, 'b.txt')]).toEqual(['two\n', 'one\n']);
  });

  test('an interrupted call changes nothing', async () => {
    const bench = toolBench();
    bench.abort.abort();
    expect((await bench.run('write_file', { path: 'a.txt', content: 'x' })).status).toBe('aborted');
    expect(readdirSync(bench.folder)).toEqual([]);
  });

  test('results carry the diff, a summary and the new state', async () => {
    const bench = toolBench();
    put(bench, 'a.txt', 'one\ntwo\nthree\n');
    await bench.run('read_file', { path: 'a.txt' });
    const result = await bench.run('edit_file', {
      path: 'a.txt',
      old_string: 'two\n',
      new_string: '2\n2b\n',
    });
    expect(result).toMatchObject({
      status: 'ok',
      summary: '+2 −1',
      forModel: [{ kind: 'text', text: 'Edited a.txt: 1 replacement, at line 2.' }],
      view: { kind: 'diff', path: 'a.txt', change: 'modify', added: 2, removed: 1 },
      fileStates: [
        { path: path.join(bench.folder, 'a.txt'), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ],
    });
  });
});

describe('preview', () => {
  test('shows the same diff as the call will and changes nothing', async () => {
    const bench = toolBench();
    put(bench, 'a.txt', 'one\n');
    await bench.run('read_file', { path: 'a.txt' });
    const input = { path: 'a.txt', old_string: 'one', new_string: 'two' };
    const preview = await bench.preview('edit_file', input);
    expect(onDisk(bench, 'a.txt')).toBe('one\n');
    const result = await bench.run('edit_file', input);
    expect(preview).toEqual(result.view);
  });

  test('is the error that the call would end with', async () => {
    const bench = toolBench();
    const input = { path: 'none', old_string: 'a', new_string: 'b' };
    const preview = await bench.preview('edit_file', input);
    expect(preview).toMatchObject({ status: 'error', code: 'file_missing' });
    expect(preview).toEqual(await bench.run('edit_file', input));
  });
});

describe('errors of edit_file', () => {
  test('an empty old_string leads to write_file, also where there is no file', async () => {
    const bench = toolBench();
    const result = await bench.run('edit_file', { path: 'new.txt', old_string: '', new_string: 'x' });
    expect([result.code, textOf(result)]).toEqual(['empty_old', expect.stringContaining('use write_file')]);
  });

  test('an ambiguous text names its lines', async () => {
    const bench = toolBench();
    put(bench, 'a.txt', 'x\ny\nx x\nx\n');
    await bench.run('read_file', { path: 'a.txt' });
    const result = await bench.run('edit_file', { path: 'a.txt', old_string: 'x', new_string: 'z' });
    expect(textOf(result)).toBe(
      'old_string is not unique in a.txt: it stands at lines 1, 3, 4. Add lines around it until it fits one place, or set replace_all.',
    );
  });

  test('a text that is not there gets the nearest lines', async () => {
    const bench = toolBench();
    put(bench, 'a.ts', 'if (a) {\n\t\tcall(one, two);\n}\n');
    await bench.run('read_file', { path: 'a.ts' });
    const result = await bench.run('edit_file', {
      path: 'a.ts',
      old_string: '  call(one,  two);',
      new_string: 'x',
    });
    expect([result.code, textOf(result)]).toEqual([
      'not_found',
      'old_string was not found in a.ts. White space and every character count. Nearest lines:\n2\t\t\tcall(one, two);',
    ]);
  });

  test('the nearest lines are those of the place that is most alike in all its lines, also in a long file', async () => {
    const bench = toolBench();
    const longest = '    return response.json({ status: "ok", total: items.length });';
    const block = (name: string) => [`function ${name}(items) {`, `  log("${name}");`, longest, '}'];
    const lines = Array.from({ length: 12_500 }, (_, at) => block(`list${at}`)).flat();
    put(bench, 'a.js', lines.join('\n'));
    await bench.run('read_file', { path: 'a.js' });
    const old_string = block('list9000').join('\n').replace('log("', 'log.info("');
    const start = performance.now();
    const result = await bench.run('edit_file', { path: 'a.js', old_string, new_string: 'x' });
    expect(performance.now() - start).toBeLessThan(1_000);
    const near = block('list9000').map((line, index) => `${36_001 + index}\t${line}`);
    expect(textOf(result).split('Nearest lines:\n')[1]?.split('\n').slice(0, 4)).toEqual(near);
  });

  test('line numbers that were copied along are recognised', async () => {
    const bench = toolBench();
    put(bench, 'a.ts', 'one\ntwo\n');
    await bench.run('read_file', { path: 'a.ts' });
    const result = await bench.run('edit_file', {
      path: 'a.ts',
      old_string: '1\tone\n2\ttwo',
      new_string: 'x',
    });
    expect(textOf(result)).toContain('leave them out');
  });
});

test('edits of a 50,000-line file take a few milliseconds each', async () => {
  let text = Array.from({ length: 50_000 }, (_, number) => `const value${number} = ${number};\n`).join('');
  const times: number[] = [];
  for (let run = 0; run < 200; run += 1) {
    const start = performance.now();
    const outcome = replaceText({
      text,
      eol: '\n',
      hasBom: false,
      oldText: `const value${run * 240} = `,
      newText: `let other${run * 240} = `,
      replaceAll: false,
    });
    if (outcome.kind !== 'replaced') throw new Error(outcome.kind);
    diffView({ path: 'a', before: text, after: outcome.text });
    text = outcome.text;
    times.push(performance.now() - start);
  }
  // Roomy, for a busy machine: what it must catch is work that grows with the square of the file.
  expect(times.sort((a, b) => a - b)[100]).toBeLessThan(60);
});
