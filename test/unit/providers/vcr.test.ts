import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#protocol/json.ts';
import { requestDifference } from '#providers/vcr/request-difference.ts';
import { scrubChunks } from '#providers/vcr/scrub-chunks.ts';
import { Scrubber } from '#providers/vcr/scrubber.ts';

const key = `sk-${'abcDEF0123456789'}`;

function scrubber(...known: string[]): Scrubber {
  const made = new Scrubber();
  for (const secret of known) made.hide(secret);
  return made;
}

const textOf = (chunks: readonly { text: string }[]) => chunks.map(({ text }) => text).join('');

/** The same bytes cut after every `size` characters. */
function cut(text: string, size: number): { at: number; text: string }[] {
  return (text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []).map((piece, at) => ({ at, text: piece }));
}

describe('the body of an answer', () => {
  const events = ['Use ', key.slice(0, 5), key.slice(5, 12), `${key.slice(12)} `, 'twice.'].map(
    (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
  );

  it.each([1, 7, 40, 10_000])('loses a secret that comes in pieces, cut after %i characters', (size) => {
    const text = textOf(scrubChunks(cut(`${events.join('')}data: [DONE]\n\n`, size), scrubber()));
    const said = [...text.matchAll(/data: (\{.*\})/g)].map(
      ([, json]) => JSON.parse(json ?? '').choices[0].delta.content,
    );
    expect(said.join('')).toBe('Use [secret:provider-key] twice.');
    for (const piece of [key.slice(0, 5), key.slice(5, 12), key.slice(12)]) expect(text).not.toContain(piece);
    expect(text).toContain('data: [DONE]\n\n');
  });

  it('is left byte for byte as it was when there is nothing to take out', () => {
    const body = `: comment\r\n\r\nevent: x\r\ndata:{"a" : 1,\t"b":"\\u00e4"}\r\n\r\ndata: not json\n\n`;
    const chunks = cut(body, 3);
    expect(scrubChunks(chunks, scrubber('some-secret'))).toEqual(chunks);
  });

  it('is scrubbed as a document, as lines of JSON, and as plain text', () => {
    const known = scrubber('hunter2hunter2');
    const document = JSON.stringify({ a: { b: ['hunter2hunter2'] } }, null, 2);
    const lines = `${JSON.stringify({ a: 'hunter2' })}\n${JSON.stringify({ a: 'hunter2' })}\n`;
    const html = '<p>hunter2hunter2</p>';
    for (const body of [document, lines, html]) {
      const text = textOf(scrubChunks(cut(body, 4), known));
      expect(text).not.toMatch(/hunter2/);
      expect(text).toContain('[secret:key]');
    }
  });
});

describe('a request line', () => {
  it('loses keys in headers, address and settings', () => {
    const clean = scrubber();
    expect(
      clean.headers([
        ['Authorization', 'Bearer x'],
        ['x-api-key', 'x'],
        ['x-goog-api-key', 'x'],
        ['content-type', 'application/json'],
      ]),
    ).toEqual({
      authorization: '[secret:key]',
      'x-api-key': '[secret:key]',
      'x-goog-api-key': '[secret:key]',
      'content-type': 'application/json',
    });
    expect(clean.url('https://me:pw@host/v1beta/x?alt=sse&key=short')).toBe(
      'https://me:secret@host/v1beta/x?alt=sse&key=secret',
    );
    expect(
      clean.settings({ p: { api_key: 'x', api_key_env: 'NAME', headers: { 'X-Team': 'x' }, max_tokens: 5 } }),
    ).toEqual({
      p: {
        api_key: '[secret:key]',
        api_key_env: 'NAME',
        headers: { 'X-Team': '[secret:key]' },
        max_tokens: 5,
      },
    });
  });
});

describe('two requests', () => {
  const differ = (recorded: JsonValue, now: JsonValue) =>
    requestDifference(recorded, now, { recordedFiles: '/then/files', files: '/now/files' });
  const id = (last: string) => `01JD7Z0QW8R2H4N6M8K0B1C3D${last}`;

  it('are alike when only the program, ids and folders differ', () => {
    const request = (program: string, call: string, files: string): JsonValue => ({
      model: 'm',
      system: program,
      prompt_cache_key: call,
      tools: [{ type: 'function', function: { name: 'bash', description: program } }],
      messages: [
        { role: 'system', content: program },
        { role: 'assistant', tool_calls: [{ id: call }] },
        { role: 'tool', tool_call_id: call, content: `whole output in ${files}/${call}.txt` },
      ],
    });
    expect(
      differ(request('old', id('1'), '/then/files'), request('new', id('2'), '/now/files')),
    ).toBeUndefined();
  });

  it('differ where a text, a tool, the order of calls or the number of messages does', () => {
    const messages = (...contents: string[]): JsonValue => ({
      messages: contents.map((content) => ({ content })),
    });
    expect(differ(messages('a', 'hello'), messages('a', 'help'))).toMatchObject({
      path: 'messages[1].content',
    });
    expect(differ(messages('a'), messages('a', 'b'))).toMatchObject({
      path: 'messages[1]',
      recorded: 'nothing',
    });
    expect(differ({ tools: [{ name: 'bash' }] }, { tools: [{ name: 'grep' }] })).toEqual({
      path: 'tools[0]',
      recorded: '"bash"',
      now: '"grep"',
    });
    const results = (...ids: string[]): JsonValue => [
      { calls: [{ id: 'a' }, { id: 'b' }] },
      ...ids.map((each) => ({ call_id: each })),
    ];
    expect(differ(results('a', 'b'), results('b', 'a'))).toMatchObject({ path: '[1].call_id' });
  });
});
