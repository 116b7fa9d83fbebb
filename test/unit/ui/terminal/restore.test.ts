import { EventEmitter } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  armRestore,
  enterScreen,
  leaveScreen,
  restoreSequence,
  switchMouse,
} from '../../../../src/ui/terminal/restore.ts';

let folder = '';
let file = '';
let fd = 0;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'llmcode-restore-'));
  file = path.join(folder, 'tty');
  fd = openSync(file, 'w');
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

test('what entering turned on, the restore sequence turns off', () => {
  let written = '';
  enterScreen((text) => {
    written += text;
  }, 'on');
  const modes = [...written.matchAll(/\?(\d+)h/g)].map((match) => match[1]);
  expect(modes).toEqual(['1004', '1000', '1002', '1006']);
  for (const mode of [...modes, '1049', '2004', '2026']) expect(restoreSequence).toContain(`\x1b[?${mode}l`);
  expect(restoreSequence.endsWith('\x1b[?25h')).toBe(true);
  let left = '';
  leaveScreen((text) => {
    left += text;
  }, 'on');
  for (const mode of modes) expect(left).toContain(`\x1b[?${mode}l`);
  expect([...written.matchAll(/\?(\d+)l/g)].map((match) => match[1])).toEqual(['7']);
  for (const text of [left, restoreSequence]) expect(text).toContain('\x1b[?7h');
});

test('without the mouse no report of it is asked for, and the wheel is as it was when the screen is left', () => {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  enterScreen(write, 'off');
  switchMouse(write, 'on');
  switchMouse(write, 'off');
  leaveScreen(write, 'off');
  const changes = [...written.matchAll(/\?(1000|1007)([hlsr])/g)].map(
    ([, mode, change]) => `${mode}${change}`,
  );
  expect(changes.join(' ')).toBe('1000l 1007s 1007h 1007r 1000h 1000l 1007s 1007h 1000l 1007r');
});

test.each(['exit', 'uncaughtExceptionMonitor'])('%s restores the terminal', (name) => {
  const source = new EventEmitter();
  const disarm = armRestore({
    fd,
    process: source as unknown as NodeJS.Process,
    onSignal: () => undefined,
  });
  source.emit(name);
  expect(readFileSync(file, 'latin1')).toBe(restoreSequence);
  disarm();
  expect(source.eventNames()).toEqual([]);
});

test('a signal takes the screen down in order; if that fails or another one comes, the terminal is restored', () => {
  const source = new EventEmitter();
  const signals: string[] = [];
  armRestore({
    fd,
    process: source as unknown as NodeJS.Process,
    onSignal: (signal) => {
      signals.push(signal);
      if (signal === 'SIGINT') throw new Error('no');
    },
  });
  source.emit('SIGTERM');
  expect(readFileSync(file, 'latin1')).toBe('');
  source.emit('SIGHUP');
  expect(readFileSync(file, 'latin1')).toBe(restoreSequence);
  expect(() => source.emit('SIGINT')).toThrow('no');
  expect(signals).toEqual(['SIGTERM', 'SIGHUP', 'SIGINT']);
});

test('a terminal that is gone is no error', () => {
  const source = new EventEmitter();
  const disarm = armRestore({
    fd: 987_654,
    process: source as unknown as NodeJS.Process,
    onSignal: () => undefined,
  });
  expect(() => source.emit('exit')).not.toThrow();
  disarm();
});
