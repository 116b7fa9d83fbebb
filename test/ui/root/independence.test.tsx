import { PassThrough } from 'node:stream';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createScreenApp } from '#ui/root/create-screen-app.ts';
import { Root } from '#ui/root/root.tsx';
import { InputTap } from '#ui/terminal/input-tap.ts';
import { transcriptModel } from '#ui/transcript/transcript-model.ts';
import { createFakePort } from '../../support/ui/fake-port.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

async function mount() {
  const port = createFakePort();
  const screen = createScreenApp({
    port,
    clock: systemClock,
    env: { NO_COLOR: '1' },
    tap: new InputTap(new PassThrough()),
    write: () => undefined,
    redraw: () => undefined,
  });
  const shown = render(<Root app={screen.app} />);
  screen.start();
  await waitFor(() => shown.lastFrame()?.includes('main ±2'));
  return { ...screen, ...shown, port };
}

test('typing does not draw the transcript again', async () => {
  const { app, stdin, lastFrame, close, unmount } = await mount();
  const layout = vi.spyOn(transcriptModel(app.store), 'layout');
  for (const key of 'a few words') stdin.write(key);
  await waitFor(() => lastFrame()?.includes('❯ a few words'));
  expect(layout).not.toHaveBeenCalled();
  unmount();
  close();
});

test('streaming draws neither prompt nor status again', async () => {
  const { app, port, lastFrame, close, unmount } = await mount();
  port.handle.emit(
    { kind: 'turn-start' },
    { kind: 'message-start', messageId: 'a', model: { provider: 'p', model: 'm' } },
    { kind: 'text-start', messageId: 'a', partId: 't' },
    { kind: 'text-delta', messageId: 'a', partId: 't', text: 'first' },
  );
  await waitFor(() => lastFrame()?.includes('first') && lastFrame()?.includes('writing'));
  const prompt = vi.spyOn(app.prompt, 'getState');
  const screen = vi.spyOn(app.screen, 'get');
  for (let word = 0; word < 50; word += 1) {
    port.handle.emit({ kind: 'text-delta', messageId: 'a', partId: 't', text: ` word${word}` });
    if (word % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await waitFor(() => lastFrame()?.includes('word49'));
  expect(prompt).not.toHaveBeenCalled();
  expect(screen).not.toHaveBeenCalled();
  unmount();
  close();
});
