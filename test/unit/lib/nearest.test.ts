import { describe, expect, it } from 'vitest';
import { nearestName } from '#lib/nearest.ts';

const names = [
  'model',
  'mode',
  'theme',
  'compact',
  'permissions',
  'read_file',
  'write_file',
  'grep_search',
  'todo_write',
  'qwen3:8b',
  'qwen3-coder:30b',
];

describe('the nearest name', () => {
  it.each([
    ['modle', 'model'],
    ['permisions', 'permissions'],
    ['thme', 'theme'],
    ['com', 'compact'],
    ['MODEL', 'model'],
    ['readFile', 'read_file'],
    ['wrte_file', 'write_file'],
    ['grep', 'grep_search'],
    ['my_write_file', 'write_file'],
    ['qwen3:8', 'qwen3:8b'],
    ['coder', 'qwen3-coder:30b'],
  ])('of %s is %s', (word, expected) => {
    expect(nearestName(word, names)).toBe(expected);
    expect(nearestName(word, names.toReversed())).toBe(expected);
  });

  it.each(['zebra', 'zzzzzz', 'x', '?', ''])('of "%s" is none', (word) => {
    expect(nearestName(word, names)).toBeUndefined();
  });

  it('is told apart in other scripts', () => {
    expect(nearestName('модел', ['модель', 'тема'])).toBe('модель');
  });
});
