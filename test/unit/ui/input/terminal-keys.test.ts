import { PassThrough } from 'node:stream';
import { type Key, render, useInput } from 'ink';
import { createElement } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { decodeKeys } from '#ui/input/key-press.ts';
import { KeySource } from '#ui/input/key-source.ts';
import { keyName } from '#ui/input/keymap.ts';
import { waitFor } from '../../../support/ui/wait-for.ts';

/** What terminals send, by how they send it. */
const sent: Readonly<Record<string, readonly (readonly [bytes: string, name: string])[]>> = {
  'any terminal': [
    ['\x01', 'ctrl+a'],
    ['\x08', 'backspace'],
    ['\x7f', 'backspace'],
    ['\t', 'tab'],
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\x1f', 'ctrl+_'],
    ['\x00', 'ctrl+space'],
    ['\x1bb', 'alt+b'],
    ['\x1b\r', 'alt+enter'],
    ['\x1b\x7f', 'alt+backspace'],
  ],
  xterm: [
    ['\x1b[A', 'up'],
    ['\x1bOA', 'up'],
    ['\x1b[1;2B', 'shift+down'],
    ['\x1b[1;3C', 'alt+right'],
    ['\x1b[1;5D', 'ctrl+left'],
    ['\x1b[Z', 'shift+tab'],
    ['\x1b[H', 'home'],
    ['\x1bOF', 'end'],
    ['\x1b[1;5H', 'ctrl+home'],
    ['\x1b[3~', 'delete'],
    ['\x1b[3;5~', 'ctrl+delete'],
    ['\x1b[5~', 'pageup'],
    ['\x1b[6~', 'pagedown'],
    ['\x1bOP', 'f1'],
    ['\x1bOS', 'f4'],
    ['\x1b[15~', 'f5'],
    ['\x1b[17~', 'f6'],
    ['\x1b[24~', 'f12'],
    ['\x1b[1;5P', 'ctrl+f1'],
    ['\x1b[15;2~', 'shift+f5'],
  ],
  'modifyOtherKeys of xterm': [
    ['\x1b[27;2;13~', 'shift+enter'],
    ['\x1b[27;5;13~', 'ctrl+enter'],
    ['\x1b[27;6;122~', 'ctrl+shift+z'],
    ['\x1b[27;5;105~', 'ctrl+i'],
  ],
  'Kitty and others with CSI u': [
    ['\x1b[13;2u', 'shift+enter'],
    ['\x1b[97;5u', 'ctrl+a'],
    ['\x1b[122;6u', 'ctrl+shift+z'],
    ['\x1b[27u', 'escape'],
    ['\x1b[105;5u', 'ctrl+i'],
    ['\x1b[127;3u', 'alt+backspace'],
    ['\x1b[1;1:1A', 'up'],
    ['\x1b[1;5:2C', 'ctrl+right'],
    ['\x1b[P', 'f1'],
    ['\x1b[13~', 'f3'],
    ['\x1b[1;3:1S', 'alt+f4'],
    ['\x1b[57414u', 'enter'],
    ['\x1b[57423u', 'home'],
  ],
  rxvt: [
    ['\x1b[7~', 'home'],
    ['\x1b[8~', 'end'],
    ['\x1b[a', 'shift+up'],
    ['\x1bOc', 'ctrl+right'],
    ['\x1b[5$', 'shift+pageup'],
    ['\x1b[3^', 'ctrl+delete'],
    ['\x1b[11~', 'f1'],
    ['\x1b[14~', 'f4'],
  ],
  'the Linux console': [
    ['\x1b[1~', 'home'],
    ['\x1b[4~', 'end'],
    ['\x1b[[A', 'f1'],
    ['\x1b[[E', 'f5'],
    ['\x1b[21~', 'f10'],
  ],
};

const nothing = () => undefined;

function Listener({ onKeys }: { onKeys: (names: string[]) => void }) {
  useInput((input: string, key: Key) => onKeys(decodeKeys(input, key).map(keyName)));
  return null;
}

/** What a key is called at the end of the way that every key takes: our own input, Ink, and our decoding. */
function keyboard() {
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  stdout.resume();
  const source = new KeySource(stdin as never, { clock: systemClock });
  // Ink reads from a stream; the source only emits.
  const read = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: nothing,
    ref: nothing,
    unref: nothing,
  });
  source.on('data', (chunk: Buffer) => void read.write(chunk));
  const heard: string[] = [];
  const ink = render(createElement(Listener, { onKeys: (names) => void heard.push(...names) }), {
    stdin: read as never,
    stdout: stdout as never,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  onTestFinished(() => {
    ink.unmount();
    source.close();
  });
  return { heard, write: (bytes: string) => void stdin.emit('data', Buffer.from(bytes, 'latin1')) };
}

test.each(Object.entries(sent))('the keys of %s have their names', async (_terminal, keys) => {
  const { heard, write } = keyboard();
  await new Promise((resolve) => setImmediate(resolve));
  const names: string[] = [];
  for (const [bytes, name] of keys) {
    write(bytes);
    names.push(name);
    await waitFor(() => heard.length >= names.length).catch(() =>
      heard.push(`nothing for ${JSON.stringify(bytes)}`),
    );
  }
  expect(heard).toEqual(names);
});

test('a key that lets go is no key, and one that arrives in pieces is one', async () => {
  const { heard, write } = keyboard();
  await new Promise((resolve) => setImmediate(resolve));
  write('\x1b[1;1:3P');
  write('\x1b[1');
  write('5');
  write('~');
  await waitFor(() => heard.length > 0);
  expect(heard).toEqual(['f5']);
});
