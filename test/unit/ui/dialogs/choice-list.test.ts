import { describe, expect, test } from 'vitest';
import { emptyList, keepSelection, type ListMove, moveSelection } from '#ui/dialogs/choice-list.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const move = (selected: string, how: ListMove) =>
  moveSelection({ selected, top: 0 }, ids, { move: how, pageRows: 3 }).selected;

describe('the selection of a list', () => {
  test('goes a row up and down and round the ends', () => {
    expect([move('b', 'up'), move('b', 'down'), move('a', 'up'), move('f', 'down')]).toEqual([
      'a',
      'c',
      'f',
      'a',
    ]);
  });

  test('goes by pages that share a row, and to the ends', () => {
    expect([
      move('b', 'page-down'),
      move('e', 'page-down'),
      move('e', 'page-up'),
      move('a', 'page-up'),
    ]).toEqual(['d', 'f', 'c', 'a']);
    expect([move('c', 'first'), move('c', 'last')]).toEqual(['a', 'f']);
  });

  test('stays nowhere in an empty list', () => {
    expect(moveSelection(emptyList, [], { move: 'down', pageRows: 3 })).toEqual(emptyList);
  });

  test('keeps its row, and that row its height in the window, when rows come in above it', () => {
    expect(keepSelection({ selected: 'c', top: 1 }, ids, ['x', 'y', ...ids])).toEqual({
      selected: 'c',
      top: 3,
    });
    expect(keepSelection({ selected: 'c', top: 1 }, ids, [...ids, 'x', 'y'])).toEqual({
      selected: 'c',
      top: 1,
    });
  });

  test('goes to the first row when its own is gone', () => {
    expect(keepSelection({ selected: 'c', top: 2 }, ids, ['x', 'y'])).toEqual({ selected: 'x', top: 0 });
    expect(keepSelection({ selected: 'c', top: 2 }, ids, [])).toEqual({ selected: undefined, top: 0 });
  });
});
