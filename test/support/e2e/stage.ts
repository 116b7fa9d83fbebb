import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import {
  type ModelServer,
  type ServerApi,
  type ServerStep,
  startModelServer,
} from '../model-servers/index.ts';
import { type TerminalOptions, TerminalSession } from '../pty/terminal-session.ts';
import { eventually } from './eventually.ts';
import { type LogLine, llmcodeHome, threadLogs } from './home.ts';
import { type SampleRepo, sampleRepo } from './sample-repo.ts';
import { expectSoundLog } from './sound-log.ts';

export type Stage = { server: ModelServer; repo: SampleRepo; home: string };

type StageOptions = {
  api?: ServerApi;
  /** Laid over the settings of the home. */
  settings?: (url: string) => Record<string, unknown>;
};

/** Sets scenes up for the tests of one file: server, repository, home, terminal; all gone after each test. */
export function stageTests() {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  return {
    /** A scripted server, a repository with a failing test, and a home whose model is that of the server. */
    async start(script: readonly ServerStep[], options: StageOptions = {}): Promise<Stage> {
      const { api = 'openai-chat', settings = () => ({}) } = options;
      const repo = sampleRepo();
      cleanups.push(() => repo.remove());
      const server = await startModelServer({ api, script });
      cleanups.push(() => server.close());
      const provider = { id: 'local', api, url: server.url, model: 'test-model' };
      const home = llmcodeHome([provider], settings(server.url));
      cleanups.push(() => rmSync(home, { recursive: true, force: true }));
      return { server, repo, home };
    },

    /** The program in a terminal of 100 x 40, in this repository and with this home. */
    open(
      { repo, home }: Pick<Stage, 'repo' | 'home'>,
      options: Partial<TerminalOptions> = {},
    ): TerminalSession {
      const { env, ...rest } = options;
      const screen = new TerminalSession({
        cwd: repo.folder,
        env: { LLMCODE_HOME: home, ...env },
        columns: 100,
        rows: 40,
        keepHome: true,
        ...rest,
      });
      cleanups.push(() => screen.end());
      return screen;
    },

    onEnd(cleanup: () => unknown): void {
      cleanups.push(cleanup);
    },
  };
}

/** Types a prompt and sends it once it stands there. */
export async function say(screen: TerminalSession, text: string): Promise<void> {
  screen.type(text);
  await screen.waitFor(`❯ ${text}`);
  screen.press('enter');
}

/** The log of the one thread in this home. */
export function logOf(home: string): LogLine[] {
  return threadLogs(home)[0] ?? [];
}

/** Waits until this many turns have ended in the log, and returns their ends. */
export async function turnEnds(home: string, count: number): Promise<LogLine[]> {
  const what = `the end of ${count} turns in the log`;
  return eventually(
    () => {
      const ends = logOf(home).filter((line) => line.kind === 'turn-end');
      return ends.length >= count && ends;
    },
    { what },
  );
}

/** Waits until the last turn has ended in the log, and checks all of it. */
export async function soundAtRest(home: string): Promise<void> {
  await eventually(() => logOf(home).at(-1)?.kind === 'turn-end', { what: 'the end of the turn in the log' });
  expectSoundLog(logOf(home));
}

/** Answers of text only, one a request. */
export function answers(...texts: string[]): ServerStep[] {
  return texts.map((text) => ({ parts: [{ text }] }));
}

/** Terminal modes of a shell. */
export const quietModes = { mouse: 'none', bracketedPaste: false, focus: false };
