import { expect, test } from 'vitest';
import { cleanOutput } from '#lib/clean-output.ts';

test.each([
  ['colours and links', '\x1b[1;31mred\x1b[0m \x1b]8;;https://a\x1b\\here\x1b]8;;\x1b\\', 'red here'],
  ['a title without an end swallows nothing', 'a\x1b]0;b\nc\nd', 'a0;b\nc\nd'],
  ['8-bit controls', 'a\x9b31mb\x85c', 'abc'],
  ['what does not show', 'pass\u200bword\u202e', 'password'],
  ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
  ['a progress bar leaves what stood there last', '10%\r50%\r100%\ndone\r\n', '100%\ndone\n'],
  ['a return at the end of a line erases nothing', '100%\r\x1b[K\nnext', '100%\nnext'],
])('%s', (_name, text, expected) => {
  expect(cleanOutput(text)).toBe(expected);
});
