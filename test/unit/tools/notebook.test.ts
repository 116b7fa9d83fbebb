import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { textOf, toolBench } from './tool-bench.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\nxxxx', 'latin1').toString('base64');

function notebook() {
  return {
    cells: [
      { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n', 'text'] },
      {
        cell_type: 'code',
        execution_count: 3,
        id: 'calc',
        metadata: { tags: ['x'] },
        outputs: [
          { name: 'stdout', output_type: 'stream', text: ['\u001b[31mred\u001b[0m\n', 'y'.repeat(5_000)] },
          { data: { 'image/png': png, 'text/plain': '<Figure>' }, metadata: {}, output_type: 'display_data' },
          { ename: 'ValueError', evalue: 'bad', output_type: 'error', traceback: ['line 1'] },
        ],
        source: ['1 + 1'],
      },
    ],
    metadata: { kernelspec: { name: 'python3' } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

function bench() {
  const made = toolBench();
  const file = path.join(made.folder, 'n.ipynb');
  writeFileSync(file, `${JSON.stringify(notebook(), null, 1)}\n`);
  return { ...made, text: () => readFileSync(file, 'utf8') };
}

test('cells are shown with ids, outputs shortened, pictures as pictures', async () => {
  const one = bench();
  const result = await one.run('notebook_read', { path: 'n.ipynb' });
  const text = textOf(result);
  expect(text).toContain('[0] markdown id=intro\n# Title\ntext');
  expect(text).toContain('[1] code id=calc\n1 + 1\n-> output\nred\nyyy');
  expect(text).toContain('more characters; ask for this cell alone]');
  expect(result.forModel.map(({ kind }) => kind)).toEqual(['text', 'image']);
  const single = textOf(await one.run('notebook_read', { path: 'n.ipynb', cell: 1 }));
  expect(single).toContain('[picture 1]\nValueError: bad\nline 1');
});

test('read_file shows the cells too, which then may be edited; with offset it shows the JSON', async () => {
  const one = bench();
  const offered = { offered: ['notebook_edit'] };
  const text = textOf(await one.run('read_file', { path: 'n.ipynb' }, offered));
  expect(text).toContain('Change a cell with notebook_edit.');
  expect(text).toContain('[0] markdown id=intro\n# Title\ntext');
  expect(textOf(await one.run('read_file', { path: 'n.ipynb', offset: 1 }))).toContain(
    '1\t{\n2\t "cells": [',
  );
  expect(textOf(await one.run('read_file', { path: 'n.ipynb' }))).not.toContain('notebook_edit');
  const edited = await one.run('notebook_edit', { path: 'n.ipynb', cell: 'intro', command: 'delete' });
  expect(edited.status).toBe('ok');
});

test('an edit changes one cell and nothing else of the file', async () => {
  const one = bench();
  await one.run('notebook_read', { path: 'n.ipynb' });
  const same = await one.run('notebook_edit', { path: 'n.ipynb', cell: 'intro', source: '# New\n\nlines' });
  const expected = notebook();
  Object.assign(expected.cells[0] ?? {}, { source: ['# New\n', '\n', 'lines'] });
  expect([same.status, one.text()]).toEqual(['ok', `${JSON.stringify(expected, null, 1)}\n`]);
  await one.run('notebook_edit', { path: 'n.ipynb', cell: '1', source: '2 + 2' });
  Object.assign(expected.cells[1] ?? {}, { source: ['2 + 2'], outputs: [], execution_count: null });
  expect(one.text()).toBe(`${JSON.stringify(expected, null, 1)}\n`);
  await one.run('notebook_edit', { path: 'n.ipynb', command: 'delete', cell: 'intro' });
  await one.run('notebook_edit', {
    path: 'n.ipynb',
    command: 'insert',
    cell: '0',
    source: 'x',
    cell_type: 'markdown',
  });
  await one.run('notebook_edit', { path: 'n.ipynb', command: 'insert', source: 'last' });
  const { cells } = JSON.parse(one.text()) as ReturnType<typeof notebook>;
  expect(cells.map(({ cell_type, source }) => [cell_type, source.join('')])).toEqual([
    ['markdown', 'x'],
    ['code', '2 + 2'],
    ['code', 'last'],
  ]);
  expect(cells.every(({ id }) => /^\w+$/.test(id))).toBe(true);
});

test.each([
  [{ cell: '9', source: 'x' }, 'no_cell'],
  [{ source: 'x' }, 'no_cell'],
  [{ cell: '0' }, 'invalid_argument'],
])('%j is refused', async (input, code) => {
  const one = bench();
  await one.run('notebook_read', { path: 'n.ipynb' });
  const before = one.text();
  expect((await one.run('notebook_edit', { path: 'n.ipynb', ...input })).code).toBe(code);
  expect(one.text()).toBe(before);
});

test('what is no notebook is said to be none', async () => {
  const one = bench();
  for (const content of ['', 'x', '{}', '{"nbformat":3,"nbformat_minor":0,"cells":[]}']) {
    writeFileSync(path.join(one.folder, 'bad.ipynb'), content);
    expect((await one.run('notebook_read', { path: 'bad.ipynb' })).code).toBe('not_a_notebook');
  }
});
