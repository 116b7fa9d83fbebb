import { expect, test } from 'vitest';
import { codeBlocks } from '#lib/code-blocks.ts';

test('fenced code is found with its language, also in a list, under tildes, and where the answer was cut', () => {
  const text = [
    'a',
    '```ts title="x"',
    'const a = 1;',
    '',
    '  b();',
    '```',
    '1. first:',
    '   ```sh',
    '   ls',
    '     -la',
    '   ```',
    '~~~',
    '```',
    '~~~~',
    'some ``` ticks ```',
    '````md',
    '```js',
    'x',
    '```',
    '````',
    '```py',
    'cut',
    '',
  ].join('\n');
  expect(codeBlocks(text)).toEqual([
    { language: 'ts', code: 'const a = 1;\n\n  b();' },
    { language: 'sh', code: 'ls\n  -la' },
    { language: '', code: '```' },
    { language: 'md', code: '```js\nx\n```' },
    { language: 'py', code: 'cut' },
  ]);
});
