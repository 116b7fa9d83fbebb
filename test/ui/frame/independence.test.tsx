import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createScreenApp } from '#ui/frame/create-screen-app.ts';
import { Root } from '#ui/frame/root.tsx';
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
  const { stdout, stdin, unmount } = render(<Root app={screen.app} />);
  // Without a height Ink asks another program for the size of the window, in every frame.
  Object.assign(stdout, { rows: 24 });
  screen.start();
  const shows = (text: string) =>
    waitFor(() => stripVTControlCharacters(stdout.lastFrame() ?? '').includes(text));
  await shows('main ±2');
  onTestFinished(() => {
    unmount();
    screen.close();
  });
  return { app: screen.app, stdin, shows, port };
}

test('typing does not draw the transcript again', async () => {
  const { app, stdin, shows } = await mount();
  const layout = vi.spyOn(transcriptModel(app.store), 'layout');
  for (const key of 'a few words') stdin.write(key);
  await shows('❯ a few words');
  expect(layout).not.toHaveBeenCalled();
});

test('streaming draws neither prompt nor status again', async () => {
  const { app, port, shows } = await mount();
  port.handle.emit(
    { kind: 'turn-start' },
    { kind: 'message-start', messageId: 'a', model: { provider: 'p', model: 'm' } },
    { kind: 'text-start', messageId: 'a', partId: 't' },
    { kind: 'text-delta', messageId: 'a', partId: 't', text: 'first' },
  );
  await shows('first');
  await shows('writing');
  const prompt = vi.spyOn(app.prompt, 'getState');
  const screen = vi.spyOn(app.screen, 'get');
  for (let word = 0; word < 50; word += 1) {
    port.handle.emit({ kind: 'text-delta', messageId: 'a', partId: 't', text: ` word${word}` });
    if (word % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await shows('word49');
  expect(prompt).not.toHaveBeenCalled();
  expect(screen).not.toHaveBeenCalled();
});
