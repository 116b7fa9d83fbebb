import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPrompt } from '#app/print/read-prompt.ts';
import type { Clock } from '#lib/clock.ts';

/** A clock whose waits end when the test says so. */
function manualClock(): { clock: Clock; ring(): void } {
  const waits: (() => void)[] = [];
  return {
    ring: () => {
      for (const wake of waits.splice(0)) wake();
    },
    clock: {
      now: () => 0,
      wait: () => new Promise((resolve) => waits.push(resolve)),
      after: () => () => undefined,
    },
  };
}

function reading(argument: string | undefined, stdin: PassThrough) {
  const { clock, ring } = manualClock();
  const warnings: string[] = [];
  const stop = new AbortController();
  const prompt = readPrompt(argument, stdin as unknown as NodeJS.ReadStream, {
    clock,
    signal: stop.signal,
    warn: (text) => warnings.push(text),
  });
  return { prompt, warnings, ring, stop };
}

describe('the prompt of a headless run', () => {
  it('is standard input when there is no argument', async () => {
    const stdin = new PassThrough();
    const { prompt } = reading(undefined, stdin);
    stdin.end('  fix the tests\n');
    expect(await prompt).toBe('fix the tests');
  });

  it('is asked for when the argument is blank', async () => {
    const stdin = new PassThrough();
    const { prompt } = reading('  ', stdin);
    stdin.end('');
    await expect(prompt).rejects.toThrow('there is no prompt');
  });

  it('is the argument with standard input as a block behind it', async () => {
    const stdin = new PassThrough();
    const { prompt } = reading('explain', stdin);
    stdin.end('a log\n');
    expect(await prompt).toBe('explain\n\n<stdin>\na log\n</stdin>');
  });

  it('is the argument alone when the pipe stays silent', async () => {
    const { prompt, warnings, ring } = reading('explain', new PassThrough());
    ring();
    expect(await prompt).toBe('explain');
    expect(warnings).toEqual([expect.stringContaining('nothing came')]);
  });

  it('waits for the end of input that has begun', async () => {
    const stdin = new PassThrough();
    const { prompt, warnings, ring } = reading('explain', stdin);
    stdin.write('first ');
    await new Promise((resolve) => setImmediate(resolve));
    ring();
    await new Promise((resolve) => setImmediate(resolve));
    stdin.end('second');
    expect(await prompt).toContain('first second');
    expect(warnings).toEqual([]);
  });

  it('is refused when there is none at all', async () => {
    const stdin = new PassThrough();
    const { prompt } = reading(undefined, stdin);
    stdin.end('\n');
    await expect(prompt).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  });

  it('does not keep a stopped run', async () => {
    const { prompt, stop } = reading('explain', new PassThrough());
    stop.abort();
    expect(await prompt).toBe('explain');
  });
});
