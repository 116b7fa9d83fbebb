import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { threadHtml } from '#app/threads/thread-html.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { Message, MessagePart } from '#protocol/message.ts';

const heading = {
  threadId: 'T1',
  name: 'A <b>name</b>',
  title: '',
  cwd: '/projects/<shop>',
  createdAt: 0,
  model: 'local/m',
};

function pageOf(...parts: MessagePart[]) {
  const message: Message = { id: 'm', role: 'assistant', parts, createdAt: 0 };
  const state = { ...emptyThreadState({ threadId: 'T1', cwd: '/projects/shop', mode: 'prompt' }) };
  const html = threadHtml(heading, { ...state, messages: [message] });
  return { html, document: parseHTML(html).document };
}

const textPart = (text: string): MessagePart => ({ id: 'p', kind: 'text', text });

test('nothing that was said becomes markup of the page, runs in it or is fetched by it', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1)) [data](data:text/html,x) ![pic](https://example.org/p.png)',
    '`</code><script>alert(2)</script>`',
    '```\n</pre><script>alert(3)</script>\n```',
    '[a"onmouseover="alert(4)](https://example.org/"onmouseover="alert(5))',
    '| <svg onload=alert(6)> | b |\n|---|---|\n| </td></table><iframe src=x> | c |',
    '\x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \u202eabc',
  ].join('\n\n');
  const call: MessagePart = {
    id: 'c',
    kind: 'tool-call',
    callId: 'C',
    tool: 'bash',
    title: '</summary><script>',
    input: { command: '</pre><script>alert(7)</script>' },
    rawInput: '',
    result: {
      status: 'error',
      forModel: [{ kind: 'text', text: '<iframe srcdoc="x">' }],
      summary: '',
      durationMs: 1,
    },
  };
  const { html, document } = pageOf(textPart(hostile), { id: 'r', kind: 'reasoning', text: hostile }, call);
  expect(document.querySelectorAll('script, iframe, img, svg, object, embed, form, link, base')).toHaveLength(
    0,
  );
  for (const element of document.querySelectorAll('*'))
    expect([...element.attributes].map(({ name }) => name).filter((name) => name.startsWith('on'))).toEqual(
      [],
    );
  const hrefs = [...document.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? '');
  expect(hrefs.length).toBeGreaterThan(0);
  expect(hrefs.filter((href) => !/^https:\/\/example\.org\//.test(href))).toEqual([]);
  expect(html).not.toContain('\x1b');
  expect(document.querySelector('title')?.textContent).toBe('A <b>name</b>');
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
});

test('markdown has its shape, and what tools did is folded: diffs as diffs', () => {
  const { document } = pageOf(
    textPart(
      '## Done\n\n1. **one**\n2. `two`\n\n- [x] tested\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\na < b\n```',
    ),
    {
      id: 'c',
      kind: 'tool-call',
      callId: 'C',
      tool: 'edit_file',
      title: 'src/a.ts',
      input: {},
      rawInput: '',
      result: {
        status: 'ok',
        forModel: [{ kind: 'text', text: 'edited' }],
        summary: '',
        durationMs: 1,
        view: {
          kind: 'diff',
          path: 'src/a.ts',
          change: 'modify',
          added: 1,
          removed: 1,
          hunks: [
            {
              oldStart: 3,
              newStart: 3,
              lines: [
                { op: '-', text: 'a < b' },
                { op: '+', text: 'a <= b' },
              ],
            },
          ],
        },
      },
    },
  );
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map((each) => each.textContent);
  expect(texts('h4')).toEqual(['Done']);
  expect(texts('ol > li')).toEqual(['one', 'two']);
  expect(texts('ul > li')[0]).toMatch(/☑ tested/);
  expect(texts('td')).toEqual(['1', '2']);
  expect(texts('pre.code')).toEqual(['a < b']);
  expect(texts('details > summary')).toEqual(['edit_file  src/a.ts']);
  expect([texts('.removed'), texts('.added')]).toEqual([['-a < b'], ['+a <= b']]);
});
