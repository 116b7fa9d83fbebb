import { describe, expect, it } from 'vitest';
import { nearestOf } from '#app/nearest.ts';

describe('the nearest name', () => {
  it.each([
    ['modle', 'model'],
    ['permisions', 'permissions'],
    ['thme', 'theme'],
    ['com', 'compact'],
    ['MODEL', 'model'],
  ])('of %s is %s', (word, expected) => {
    expect(nearestOf(word, ['model', 'mode', 'theme', 'compact', 'permissions'].toReversed())).toBe(expected);
  });

  it('is none when nothing is alike', () => {
    expect(nearestOf('zebra', ['model', 'theme'])).toBeUndefined();
  });
});
