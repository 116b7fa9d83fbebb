import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createUiStore } from '../../../../src/ui/store/ui-store.ts';
import { fallbackTheme } from '../../../../src/ui/theme/theme.ts';
import { TranscriptModel } from '../../../../src/ui/transcript/transcript-model.ts';
import { Scene, terminal } from '../../../ui/transcript/scene.ts';

const theme = fallbackTheme({ colorLevel: 'none' });

function open(height = 10) {
  const store = createUiStore();
  const scene = new Scene({ threadId: '', onEvent: (event) => store.apply(event) });
  const model = new TranscriptModel(store);
  const rows = () => {
    store.publishNow();
    return model
      .layout({ width: 80, height, theme })
      .rows.map((row) => (typeof row === 'string' ? stripVTControlCharacters(row).trim() : '(moves)'));
  };
  return { store, scene, model, rows };
}

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`).join('\n');
const answer = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`).join('\n\n');

test('from prompt to prompt: up to the one above, down to the next one, and past the last one to the end', () => {
  const { scene, model, rows } = open();
  for (const name of ['one', 'two', 'three']) scene.user(`ask ${name}`).begin().text(answer(name, 20)).end();
  rows();
  const top = (move: 'older' | 'newer') => {
    model.toPrompt(move);
    return rows()[0];
  };
  expect([top('older'), top('older'), top('older'), top('older')]).toEqual([
    '▌ ask three',
    '▌ ask two',
    '▌ ask one',
    '▌ ask one',
  ]);
  model.scroll(3);
  rows();
  expect([top('older'), top('newer'), top('newer')]).toEqual(['▌ ask one', '▌ ask two', '▌ ask three']);
  top('newer');
  expect(model.isFollowing()).toBe(true);
});

test('all cells are open at once, also those that come; one of them can be closed, and all fold again', () => {
  const { scene, model, rows } = open(60);
  const shell = (name: string) =>
    scene.tool('bash', name, { view: terminal(lines(name, 9)), summary: 'done', status: 'ok' });
  scene.user('go').begin();
  shell('alpha');
  const hasFirst = (name: string) => rows().includes(`${name} 1`);
  expect(hasFirst('alpha')).toBe(false);
  model.toggleOpensAll();
  shell('beta');
  expect([hasFirst('alpha'), hasFirst('beta')]).toEqual([true, true]);
  model.toggleExpand();
  expect([hasFirst('alpha'), hasFirst('beta')]).toEqual([true, false]);
  model.toggleOpensAll();
  expect([hasFirst('alpha'), hasFirst('beta')]).toEqual([false, false]);
});

test('who reads an answer stays there when the cells above it open', () => {
  const { scene, model, rows } = open();
  scene.user('look').turn().begin();
  for (let at = 1; at <= 5; at += 1) scene.tool('read_file', `file-${at}.ts`, { summary: '9 lines' });
  rows();
  scene.tool('bash', 'npm test', { view: terminal(lines('out', 30)), summary: 'ok' }).text(answer('x', 20));
  rows();
  model.toPrompt('older');
  while (!rows()[0]?.startsWith('● x 1')) model.scroll(1);
  model.toggleOpensAll();
  expect(rows()[0]).toBe('● x 1');
});

test('a place in a call that a longer run folds away becomes the place of that run', () => {
  const { scene, model, rows } = open(6);
  scene.user('look').turn().begin();
  for (let at = 1; at <= 6; at += 1) scene.tool('read_file', `file-${at}.ts`, { summary: '9 lines' });
  rows();
  model.toTop();
  while (!rows()[0]?.includes('file-1.ts')) model.scroll(1);
  for (let at = 7; at <= 12; at += 1) scene.tool('read_file', `file-${at}.ts`, { summary: '9 lines' });
  scene.text(answer('then', 9));
  expect(rows()[0]).toContain('12 calls');
  expect(model.isFollowing()).toBe(false);
});
