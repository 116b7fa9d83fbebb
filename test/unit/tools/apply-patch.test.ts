import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ToolBench, textOf, toolBench } from './tool-bench.ts';

function bench(files: Record<string, string | Buffer>): ToolBench {
  const made = toolBench();
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(made.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return made;
}
const read = (one: ToolBench, name: string) => readFileSync(path.join(one.folder, name), 'utf8');
const patch = (one: ToolBench, ...lines: string[]) => one.run('apply_patch', { patch: lines.join('\n') });
const envelope = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'];

describe('an envelope', () => {
  test('adds, updates, moves and deletes in one go', async () => {
    const one = bench({ 'a.ts': 'one\ntwo\nthree\n', 'old/b.ts': 'x\ny\n', 'gone.ts': 'z\n' });
    const result = await patch(
      one,
      ...envelope(
        '*** Add File: new/c.ts',
        '+first',
        '+second',
        '*** Update File: a.ts',
        '@@',
        ' one',
        '-two',
        '+TWO',
        ' three',
        '*** Update File: old/b.ts',
        '*** Move to: b.ts',
        '@@ x',
        '-y',
        '+Y',
        '*** Delete File: gone.ts',
      ),
    );
    expect(textOf(result)).toBe(
      'Added new/c.ts (+2 −0).\nUpdated a.ts (+1 −1).\nUpdated b.ts (+1 −1).\nDeleted old/b.ts (+0 −0).\nDeleted gone.ts (+0 −1).',
    );
    expect(['new/c.ts', 'a.ts', 'b.ts'].map((name) => read(one, name))).toEqual([
      'first\nsecond\n',
      'one\nTWO\nthree\n',
      'x\nY\n',
    ]);
    expect(['old/b.ts', 'gone.ts'].map((name) => existsSync(path.join(one.folder, name)))).toEqual([
      false,
      false,
    ]);
    const shown = result.view?.kind === 'diffs' ? result.view.files : [];
    expect(shown.map(({ change, path: name, added, removed }) => [change, name, added, removed])).toEqual([
      ['create', 'new/c.ts', 2, 0],
      ['modify', 'a.ts', 1, 1],
      ['modify', 'old/b.ts -> b.ts', 1, 1],
      ['delete', 'gone.ts', 0, 1],
    ]);
  });

  test('anchors choose among equal places, and without one equal places are named', async () => {
    const text = 'class A\n  run()\n    return 1\nclass B\n  run()\n    return 1\n';
    const one = bench({ 'a.txt': text });
    const change = ['-    return 1', '+    return 2'];
    const vague = await patch(one, ...envelope('*** Update File: a.txt', '@@', ...change));
    expect([vague.code, read(one, 'a.txt')]).toEqual(['not_unique', text]);
    expect(textOf(vague)).toContain('at lines 3, 6');
    const sure = await patch(
      one,
      ...envelope('*** Update File: a.txt', '@@ class B', '@@   run()', ...change),
    );
    expect([sure.status, read(one, 'a.txt')]).toEqual(['ok', text.replace(/1\n$/, '2\n')]);
  });

  test('line ends, mode, encoding and what stands around stay as they are', async () => {
    const one = bench({ 'a.sh': '\ufeffa\r\nb  \r\nc', 'b.txt': Buffer.from('caf\xe9\nx\n', 'latin1') });
    chmodSync(path.join(one.folder, 'a.sh'), 0o755);
    const result = await patch(
      one,
      ...envelope(
        '*** Update File: a.sh',
        ' b',
        '-c',
        '+d',
        '+e',
        '*** End of File',
        '*** Update File: b.txt',
        '-x',
        '+ü',
      ),
    );
    expect(textOf(result)).toContain('trailing blanks');
    expect(read(one, 'a.sh')).toBe('\ufeffa\r\nb  \r\nd\r\ne');
    expect(statSync(path.join(one.folder, 'a.sh')).mode & 0o777).toBe(0o755);
    expect(readFileSync(path.join(one.folder, 'b.txt'), 'latin1')).toBe('caf\xe9\n\xfc\n');
  });

  test('a wrong indent is mended when more than one line shows it', async () => {
    const one = bench({ 'a.py': 'if a:\n    b()\n    c()\n' });
    const result = await patch(one, ...envelope('*** Update File: a.py', ' b()', '-c()', '+d()', '+e()'));
    expect([result.status, read(one, 'a.py')]).toEqual(['ok', 'if a:\n    b()\n    d()\n    e()\n']);
  });

  test('lines without a place of their own go to the end, or behind their anchor', async () => {
    const one = bench({ 'a.txt': 'a\nb' });
    await patch(
      one,
      ...envelope('*** Update File: a.txt', '@@ a', '+between', '@@', '+last', '*** End of File'),
    );
    expect(read(one, 'a.txt')).toBe('a\nbetween\nb\nlast');
  });
});

test('a unified diff does the same', async () => {
  const one = bench({ 'a.txt': 'x\n'.repeat(20), 'b.txt': 'b\n', 'd.txt': 'same\n' });
  const result = await patch(
    one,
    'diff --git a/a.txt b/a.txt',
    'index 1..2 100644',
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -10,2 +10,3 @@ heading',
    ' x',
    '+y',
    ' x',
    'diff --git a/b.txt b/b.txt',
    'deleted file mode 100644',
    '--- a/b.txt',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-b',
    '--- /dev/null',
    '+++ b/c.txt',
    '@@ -0,0 +1 @@',
    '+c',
    '\\ No newline at end of file',
    'diff --git a/d.txt b/e.txt',
    'rename from d.txt',
    'rename to e.txt',
    '',
  );
  expect(textOf(result)).toContain('Deleted b.txt');
  expect([read(one, 'a.txt'), read(one, 'c.txt'), read(one, 'e.txt')]).toEqual([
    `${'x\n'.repeat(10)}y\n${'x\n'.repeat(10)}`,
    'c',
    'same\n',
  ]);
});

describe('all or nothing', () => {
  test('what does not fit in one file leaves the others alone', async () => {
    const one = bench({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const result = await patch(
      one,
      ...envelope('*** Update File: a.txt', '-a', '+A', '*** Update File: b.txt', '-nothing', '+B'),
    );
    expect([result.code, read(one, 'a.txt'), read(one, 'b.txt')]).toEqual(['not_found', 'a\n', 'b\n']);
    expect(textOf(result)).toContain('None of the 2 files was changed.');
  });

  test('a failure while writing takes back what was written', async () => {
    const one = bench({ 'a.txt': 'a\n', file: 'f\n' });
    // Its folder is a file: seen only when it is made.
    const result = await patch(
      one,
      ...envelope('*** Update File: a.txt', '-a', '+A', '*** Add File: file/new.txt', '+n'),
    );
    expect([result.status, read(one, 'a.txt')]).toEqual(['error', 'a\n']);
    expect(textOf(result)).toContain('No file was changed.');
  });

  test.each([
    ['', 'It holds neither'],
    ['*** Begin Patch\n*** End Patch', 'names no file'],
    ['*** Begin Patch\nhello\n*** End Patch', 'before the first'],
    ['*** Begin Patch\n*** Update File: a.txt\n@@\n?x\n*** End Patch', 'begins with a blank, - or +'],
    ['*** Begin Patch\n*** Update File: a.txt\n*** End Patch', 'changes nothing'],
    ['*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch', 'exists already'],
    ['*** Begin Patch\n*** Delete File: none.txt\n*** End Patch', 'There is no file none.txt'],
    ['*** Begin Patch\n*** Delete File: link\n*** End Patch', 'symbolic link'],
    ['*** Begin Patch\n*** Update File: a\0b\n-x\n+y\n*** End Patch', 'NUL'],
  ])('%j is answered with what is wrong', async (text, words) => {
    const one = bench({ 'a.txt': 'a\n' });
    symlinkSync('a.txt', path.join(one.folder, 'link'));
    const result = await one.run('apply_patch', { patch: text });
    expect(result.status).toBe('error');
    expect(textOf(result)).toContain(words);
    expect(read(one, 'a.txt')).toBe('a\n');
  });
});

test('the preview is what will be written, and names every path that it touches', async () => {
  const one = bench({ 'a.txt': 'a\n' });
  const text = envelope('*** Update File: a.txt', '*** Move to: b.txt', '-a', '+b').join('\n');
  const view = await one.preview('apply_patch', { patch: text });
  expect(view).toMatchObject({ kind: 'diff', path: 'a.txt -> b.txt', added: 1, removed: 1 });
  expect(read(one, 'a.txt')).toBe('a\n');
  const touched = one.tool('apply_patch').touches({ patch: text }, one.ctx);
  expect(touched).toEqual(
    ['a.txt', 'b.txt'].map((name) => ({ kind: 'path', path: path.join(one.folder, name), access: 'write' })),
  );
});

test('a fence or a here-document around a patch does not matter', async () => {
  const one = bench({ 'a.txt': 'a\n' });
  await patch(one, '```', ...envelope('*** Update File: a.txt', '-a', '+b'), '```');
  expect(read(one, 'a.txt')).toBe('b\n');
});
