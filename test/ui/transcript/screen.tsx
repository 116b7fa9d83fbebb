import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { render } from 'ink';
import { createUiStore, type UiStore } from '../../../src/ui/store/ui-store.ts';
import { loadTheme } from '../../../src/ui/theme/theme.ts';
import { ThemeContext } from '../../../src/ui/theme/theme-context.ts';
import type { TranscriptActions } from '../../../src/ui/transcript/actions.ts';
import { Transcript, transcriptActions } from '../../../src/ui/transcript/transcript.tsx';
import { Scene } from './scene.ts';

const themeFile = path.resolve(process.cwd(), 'themes/dark.json');
const welcome = {
  version: '1.2.3',
  cwdLabel: '~/shop',
  model: 'demo/demo',
  hints: [{ key: '/', text: 'commands' }],
};

class FakeOutput extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  frames: string[] = [];

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(chunk: string, done?: () => void): boolean {
    this.frames.push(chunk);
    done?.();
    return true;
  }
}

/** The transcript on a screen of its own; events of the scene go straight to its store. */
export class Screen {
  readonly store: UiStore = createUiStore();
  readonly actions: TranscriptActions = transcriptActions(this.store);
  readonly scene: Scene;
  readonly output: FakeOutput;
  paints: number[] = [];
  #instance: ReturnType<typeof render>;
  #size: { width: number; height: number };

  constructor({ width = 80, height = 20, debug = true } = {}) {
    this.#size = { width, height };
    this.output = new FakeOutput(width, height);
    this.scene = new Scene({ threadId: '', onEvent: (event) => this.store.apply(event) });
    this.#instance = render(this.#app(), {
      stdout: this.output as unknown as NodeJS.WriteStream,
      debug,
      interactive: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 60,
      onRender: ({ renderTime }) => this.paints.push(renderTime),
    });
  }

  /** The rows as a person reads them, without the blank ones at the end. */
  async rows(): Promise<string[]> {
    this.store.publishNow();
    await this.#instance.waitUntilRenderFlush();
    const last = this.output.frames.findLast((frame) => frame.length > 0) ?? '';
    const rows = last
      .replaceAll(/\x1b\[[0-9;]*m/g, '')
      .split('\n')
      .map((row) => row.trimEnd());
    while (rows.at(-1) === '') rows.pop();
    return rows;
  }

  async settle(): Promise<void> {
    this.store.publishNow();
    await this.#instance.waitUntilRenderFlush();
  }

  resize(width: number, height: number): void {
    this.#size = { width, height };
    this.output.columns = width;
    this.#instance.rerender(this.#app());
  }

  close(): void {
    this.#instance.unmount();
    this.store.close();
  }

  #app() {
    const theme = loadTheme(readFileSync(themeFile, 'utf8'), { colorLevel: 'truecolor' });
    const { width, height } = this.#size;
    return (
      <ThemeContext value={theme}>
        <Transcript store={this.store} width={width} height={height} welcome={welcome} />
      </ThemeContext>
    );
  }
}
