import { expect, test } from 'vitest';
import { readArguments } from '#providers/tool-arguments.ts';

test('arguments nested without an end are kept as they came and not run', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(readArguments(nested(50)).rawInput).toBeUndefined();
  expect(readArguments(nested(200_000))).toEqual({ input: {}, rawInput: nested(200_000) });
});
