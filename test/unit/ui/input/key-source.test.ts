import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '#lib/clock.ts';
import { KeySource } from '#ui/input/key-source.ts';

/** Time stands still until a test lets it pass. */
function heldClock(): Clock & { pass(ms: number): void } {
  const waiting = new Set<{ at: number; callback: () => void }>();
  let now = 0;
  return {
    now: () => now,
    wait: async () => undefined,
    after(ms, callback) {
      const entry = { at: now + ms, callback };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    pass(ms) {
      now += ms;
      for (const entry of [...waiting]) {
        if (entry.at > now) continue;
        waiting.delete(entry);
        entry.callback();
      }
    },
  };
}

function listen() {
  const clock = heldClock();
  const stdin = new PassThrough();
  const source = new KeySource(stdin, { clock });
  let heard = '';
  source.on('data', (chunk: Buffer) => {
    heard += chunk.toString('utf8');
  });
  return { clock, write: (text: string) => void stdin.emit('data', Buffer.from(text)), heard: () => heard };
}

test('shift and enter as xterm writes it becomes what Ink understands, however it is split', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }), (cuts) => {
      const input = 'aä\x1b[27;2;13~b\x1b[27;5;9~日';
      const { clock, write, heard } = listen();
      let at = 0;
      for (const cut of cuts) {
        write(input.slice(at, at + cut));
        at += cut;
      }
      write(input.slice(at));
      clock.pass(50);
      expect(heard()).toBe('aä\x1b[13;2ub\x1b[9;5u日');
    }),
  );
});

test('an escape goes on at once, the start of a sequence after a moment', () => {
  const { clock, write, heard } = listen();
  write('\x1b');
  expect(heard()).toBe('\x1b');
  write('x\x1b[2');
  expect(heard()).toBe('\x1bx');
  clock.pass(20);
  expect(heard()).toBe('\x1bx\x1b[2');
});

test('a paste is left alone, also when it holds such a sequence', () => {
  const { write, heard } = listen();
  const paste = '\x1b[200~text \x1b[27;2;13~ more\x1b[201~';
  write(paste);
  expect(heard()).toBe(paste);
});

test('a paste whose end is lost is ended, so that keys work again', () => {
  const { clock, write, heard } = listen();
  write('\x1b[20');
  write('0~first');
  clock.pass(1_500);
  write(' second');
  clock.pass(1_500);
  expect(heard()).toBe('\x1b[200~first second');
  clock.pass(1_000);
  expect(heard()).toBe('\x1b[200~first second\x1b[201~');
  clock.pass(10_000);
  write('k');
  expect(heard()).toBe('\x1b[200~first second\x1b[201~k');
});
