import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputTap } from '../../../../src/ui/terminal/input-tap.ts';
import { createTapParser, type TapEvent } from '../../../../src/ui/terminal/tap-parser.ts';

function parsed(...chunks: string[]) {
  const parser = createTapParser();
  let text = '';
  const events: TapEvent[] = [];
  for (const chunk of chunks) {
    const output = parser.push(Buffer.from(chunk, 'utf8'));
    text += output.text;
    events.push(...output.events);
  }
  const rest = parser.flush();
  return {
    text: Buffer.from(text + rest.text, 'latin1').toString('utf8'),
    events: [...events, ...rest.events],
  };
}

test('reports are taken out, everything else passes', () => {
  expect(parsed('a\x1b[<64;10;5Mb\x1b[<0;1;2m\x1b[I\x1b[O\x1b]11;rgb:0/0/0\x1b\\\x1b[A\x1bx漢')).toEqual({
    text: 'ab\x1b[A\x1bx漢',
    events: [
      { kind: 'wheel', direction: 'up', column: 10, row: 5 },
      { kind: 'mouse', button: 'left', pressed: false, column: 1, row: 2 },
      { kind: 'focus', focused: true },
      { kind: 'focus', focused: false },
      { kind: 'reply', body: '11;rgb:0/0/0' },
    ],
  });
});

test('motion and sideways wheels vanish without a word', () => {
  expect(parsed('\x1b[<35;1;1M\x1b[<66;1;1M\x1b[<67;1;1M')).toEqual({ text: '', events: [] });
});

test('answers that nobody asked for, and answers that break off, become no text', () => {
  expect(parsed('a\x1bP>|foo 1.2\x1b\\b\x1b_Gi=1;OK\x1b\\c').text).toBe('abc');
  expect(parsed('a\x1b]11;rgb:0000/00', '00').text).toBe('a');
  expect(parsed('a\x1b]11;rgb:0000/0000hello\x1b[A').text).toBe('ahello\x1b[A');
  expect(parsed('\x1bP>|foo').text).toBe('');
  // Alt with P, ], _ are keys.
  for (const keys of ['\x1bP', '\x1b]', '\x1b_', '\x1bPq', '\x1b]x']) expect(parsed(keys).text).toBe(keys);
});

test('a paste is passed on as it is', () => {
  const paste = '\x1b[200~look: \x1b[<64;1;1M and \x1b[I\x1b[201~';
  expect(parsed(paste)).toEqual({ text: paste, events: [] });
  expect(parsed('\x1b[20', '0~x\x1b[<64;1;1M', '\x1b[2', '01~\x1b[I')).toEqual({
    text: '\x1b[200~x\x1b[<64;1;1M\x1b[201~',
    events: [{ kind: 'focus', focused: true }],
  });
});

test('a paste ends also when the pieces of its end come far apart', () => {
  const parser = createTapParser();
  parser.push(Buffer.from('\x1b[200~x\x1b[20'));
  parser.flush();
  expect(parser.push(Buffer.from('1~\x1b[I')).events).toEqual([{ kind: 'focus', focused: true }]);
});

test('however the input is cut, keys and reports are the same', () => {
  const piece = fc.constantFrom(
    'a',
    '漢',
    '\x1b',
    '\x1b[A',
    '\x1b[<64;1;1M',
    '\x1b[<0;3;4m',
    '\x1b[I',
    '\x1b]11;rgb:1/2/3\x07',
    '\x1b[200~p\x1b[<64;1;1Mq\x1b[201~',
    '\x1b[27;2;13~',
    '\x1bOP',
    ']',
    '[',
    '<',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 6 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''), 'utf8');
      const parser = createTapParser();
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      let text = '';
      const events: TapEvent[] = [];
      for (const [index, end] of [...places, bytes.length].entries()) {
        const output = parser.push(bytes.subarray(index === 0 ? 0 : places[index - 1], end));
        text += output.text;
        events.push(...output.events);
      }
      const rest = parser.flush();
      const whole = parsed(pieces.join(''));
      expect(Buffer.from(text + rest.text, 'latin1').toString('utf8')).toBe(whole.text);
      expect([...events, ...rest.events]).toEqual(whole.events);
    }),
  );
});

test('a lone Escape is passed on after a short wait, and split characters arrive whole', async () => {
  const source = new PassThrough();
  const timers: (() => void)[] = [];
  const tap = new InputTap(source, {
    clock: {
      now: () => 0,
      wait: () => Promise.resolve(),
      after: (_ms, callback) => {
        timers.push(callback);
        return () => undefined;
      },
    },
  });
  tap.setEncoding('utf8');
  const read: string[] = [];
  tap.on('readable', () => {
    for (let chunk = tap.read(); chunk !== null; chunk = tap.read()) read.push(chunk as string);
  });
  const arrived = async (text: string) => {
    while (read.join('') !== text) await new Promise((resolve) => setImmediate(resolve));
  };
  tap.feed(Buffer.from('\x1b'));
  expect(timers).toHaveLength(1);
  timers[0]?.();
  await arrived('\x1b');
  const bytes = Buffer.from('漢');
  tap.feed(bytes.subarray(0, 1));
  tap.feed(bytes.subarray(1));
  await arrived('\x1b漢');
  tap.close();
});

test('the source rests while raw mode is off', () => {
  const source = Object.assign(new PassThrough(), { isTTY: true, modes: [] as boolean[] });
  const tap = new InputTap(Object.assign(source, { setRawMode: (on: boolean) => source.modes.push(on) }));
  tap.setRawMode(true);
  expect(source.isPaused()).toBe(false);
  tap.setRawMode(false);
  expect(source.isPaused()).toBe(true);
  expect(source.modes).toEqual([true, false]);
  tap.close();
});
