import { describe, expect, it } from 'vitest';
import { ScreenHandle } from '#app/session/screen-handle.ts';
import { LlmcodeError } from '#lib/errors.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { FakeThread } from '../../support/app/fake-thread.ts';

const placeholder = { cwd: '/w', mode: 'prompt' as const };
const prompt = (text: string): UserAction => ({ kind: 'prompt', text, images: [], delivery: 'steer' });

/** Reads on in the background; `kinds` is what has come so far. */
function follow(handle: ScreenHandle) {
  const events: EngineEvent[] = [];
  const iterator = handle.events()[Symbol.asyncIterator]();
  const done = (async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) events.push(next.value);
  })();
  return { events, done, stop: () => iterator.return?.(), kinds: () => events.map((event) => event.kind) };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the handle of the screen', () => {
  it('keeps actions until the thread is open, in order', async () => {
    const thread = new FakeThread();
    const handle = new ScreenHandle(async () => thread, placeholder);
    handle.submit(prompt('one'));
    handle.submit(prompt('two'));
    expect(handle.threadId).toBe('');
    await handle.opened();
    handle.submit(prompt('three'));
    expect(thread.submitted).toEqual([prompt('one'), prompt('two'), prompt('three')]);
    expect(handle.threadId).toBe(thread.threadId);
  });

  it('begins a subscription with the snapshot, and puts notices behind it', async () => {
    const thread = new FakeThread();
    const handle = new ScreenHandle(async () => thread, placeholder);
    handle.notify({ level: 'info', text: 'before anybody listens' });
    const reader = follow(handle);
    handle.notify({ level: 'info', text: 'before it is open' });
    await handle.opened();
    await settle();
    thread.emit({ kind: 'turn-start' });
    await settle();
    expect(reader.kinds()).toEqual(['thread-snapshot', 'notice-added', 'notice-added', 'turn-start']);
    await handle.close();
    await reader.done;
  });

  it('shows a notice between two events without a number of its own', async () => {
    const thread = new FakeThread();
    const handle = new ScreenHandle(async () => thread, placeholder);
    const reader = follow(handle);
    await handle.opened();
    thread.emit({ kind: 'turn-start' });
    await settle();
    handle.notify({ level: 'warning', text: 'settings changed' });
    thread.emit({ kind: 'todos-changed', todos: [] });
    await settle();
    expect(reader.events.map(({ kind, seq }) => [kind, seq])).toEqual([
      ['thread-snapshot', 0],
      ['turn-start', 1],
      ['notice-added', 1],
      ['todos-changed', 2],
    ]);
    await handle.close();
  });

  it('says why the thread could not be opened, keeps the prompt, and tries again with the next one', async () => {
    const thread = new FakeThread();
    let attempts = 0;
    const handle = new ScreenHandle(async () => {
      attempts += 1;
      if (attempts === 1) throw new LlmcodeError('config-invalid', 'config.json:3 is wrong');
      return thread;
    }, placeholder);
    const reader = follow(handle);
    handle.submit(prompt('first'));
    await expect(handle.opened()).rejects.toThrow('config.json:3 is wrong');
    await settle();
    const [snapshot] = reader.events;
    expect(snapshot?.kind === 'thread-snapshot' && snapshot.state.messages[0]?.parts).toMatchObject([
      { kind: 'notice', level: 'error', text: expect.stringContaining('config.json:3 is wrong') },
    ]);
    handle.submit(prompt('second'));
    await settle();
    await settle();
    expect(thread.submitted).toEqual([prompt('first'), prompt('second')]);
    expect(reader.kinds()).toEqual(['thread-snapshot', 'thread-snapshot']);
    await handle.close();
  });

  it('ends a reader that waits when it stops reading', async () => {
    const thread = new FakeThread();
    const handle = new ScreenHandle(async () => thread, placeholder);
    const reader = follow(handle);
    await handle.opened();
    await settle();
    await reader.stop();
    await reader.done;
    expect(reader.kinds()).toEqual(['thread-snapshot']);
  });

  it('closes the thread behind it, also one that is just being opened', async () => {
    const thread = new FakeThread();
    const handle = new ScreenHandle(async () => thread, placeholder);
    const opening = handle.opened();
    await handle.close();
    await opening;
    expect(thread.isClosed).toBe(true);
  });
});
