import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventScanner } from '#providers/wire/event-scanner.ts';

function scan(pieces: readonly string[], isLineDelimited = false): string[] {
  const scanner = new EventScanner({ isLineDelimited });
  return [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end()];
}

test('events are the data lines up to a blank line, whatever else stands there', () => {
  const body =
    ': comment\n\nevent: a\ndata: {"x":1}\n\ndata:two\r\n\r\nid: 7\ndata: one\ndata: more\n\n\ndata: last';
  expect(scan([body])).toEqual(['{"x":1}', 'two', 'one\nmore', 'last']);
});

test('line-delimited bodies have an event a line', () => {
  expect(scan(['{"a":1}\n{"b', '":2}\r\n\n{"c":3}'], true)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
});

test('events are the same wherever the body is cut', () => {
  const line = fc.constantFrom(
    'data: a',
    'data: {"b":[1,2]}',
    'data:',
    ': c',
    'event: x',
    '',
    '\r',
    'data: é',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 15 }), fc.nat(30), (lines, size) => {
      const body = lines.join('\n');
      const step = size + 1;
      const pieces = Array.from({ length: Math.ceil(body.length / step) }, (_, index) =>
        body.slice(index * step, (index + 1) * step),
      );
      expect(scan(pieces)).toEqual(scan([body]));
    }),
    { numRuns: 1_000 },
  );
});
