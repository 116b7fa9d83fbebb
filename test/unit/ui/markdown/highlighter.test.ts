import { expect, test } from 'vitest';
import { createHighlighter } from '../../../../src/ui/markdown/highlighter.ts';

test('code gets its tokens from a thread of its own, once', async () => {
  const highlighter = createHighlighter();
  const code = 'const a = "x"; // note';
  expect(highlighter.highlight(code, 'ts')).toBeUndefined();
  highlighter.ask(code, 'ts');
  await new Promise<void>((resolve) => highlighter.onReady(resolve));
  expect(highlighter.version()).toBe(1);
  const spans = highlighter.highlight(code, 'ts')?.[0]?.map(({ text, style }) => [text.trim(), style.token]);
  expect(spans).toContainEqual(['const', 'codeKeyword']);
  expect(spans).toContainEqual(['"x"', 'codeString']);
  expect(spans).toContainEqual(['// note', 'codeComment']);
  highlighter.close();
});

test('a language that nobody knows stays plain and costs nothing', () => {
  const highlighter = createHighlighter();
  expect(highlighter.highlight('a b', 'klingon')).toEqual([[{ text: 'a b', style: { token: 'codeText' } }]]);
  highlighter.close();
});
