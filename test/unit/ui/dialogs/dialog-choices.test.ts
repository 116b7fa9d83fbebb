import { describe, expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import { waitFor } from '../../../support/ui/wait-for.ts';
import { setUp } from './set-up.ts';
import { ctrl, down, enter, esc, named } from './support.ts';

describe('what a choice does', () => {
  const choice = (model: string): ModelChoice => ({
    ref: { provider: 'ollama', model },
    label: model,
    source: 'local-server',
    detail: 'running here',
  });

  /** A search whose answers a test lets in one by one. */
  function heldSearch() {
    const waiting: ((choices: readonly ModelChoice[] | null) => void)[] = [];
    const signals: AbortSignal[] = [];
    return {
      signals,
      async *modelChoices(signal: AbortSignal) {
        signals.push(signal);
        while (true) {
          const choices = await new Promise<readonly ModelChoice[] | null>((resolve) =>
            waiting.push(resolve),
          );
          if (choices === null) return;
          yield choices;
        }
      },
      async answer(choices: readonly ModelChoice[] | null) {
        const next = await waitFor(() => waiting.shift());
        next(choices);
      },
    };
  }

  const modelOf = (screen: ReturnType<typeof setUp>) => {
    const { dialog } = screen.dialogs.getSnapshot();
    return dialog?.kind === 'model' ? dialog : undefined;
  };

  test('models come in while the picker is open, and the selection stays', async () => {
    const search = heldSearch();
    const screen = setUp({ port: { modelChoices: search.modelChoices } });
    screen.dialogs.open('model');
    await search.answer([choice('b'), choice('c')]);
    await waitFor(() => modelOf(screen)?.choices.length === 2);
    screen.calm();
    screen.press(down);
    await search.answer([choice('a'), choice('b'), choice('c'), choice('d')]);
    await waitFor(() => modelOf(screen)?.choices.length === 4);
    expect(modelOf(screen)?.picker.list.selected).toBe('ollama/c');
    expect(modelOf(screen)?.isSearching).toBe(true);
    await search.answer(null);
    await waitFor(() => modelOf(screen)?.isSearching === false);
    screen.press(enter);
    expect(screen.dialogs.isOpen()).toBe(false);
  });

  test('a search stops with its picker', async () => {
    const search = heldSearch();
    const screen = setUp({ port: { modelChoices: search.modelChoices } });
    screen.dialogs.open('model');
    await search.answer([choice('a')]);
    await waitFor(() => modelOf(screen)?.choices.length === 1);
    screen.press(esc);
    expect(search.signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  test('looking again loses no row until the new search has ended', async () => {
    const search = heldSearch();
    const screen = setUp({ port: { modelChoices: search.modelChoices } });
    screen.dialogs.open('model');
    await search.answer([choice('a'), choice('b')]);
    await search.answer(null);
    await waitFor(() => modelOf(screen)?.isSearching === false);
    screen.press(down, ctrl('r'));
    await search.answer([choice('c')]);
    await waitFor(() => modelOf(screen)?.choices.length === 3);
    expect(modelOf(screen)?.picker.list.selected).toBe('ollama/b');
    await search.answer(null);
    await waitFor(() => modelOf(screen)?.isSearching === false);
    expect(modelOf(screen)?.choices).toEqual([choice('c')]);
  });

  test('a search that fails says so', async () => {
    const screen = setUp({
      port: {
        async *modelChoices() {
          yield [choice('a')];
          throw new Error('the config cannot be read');
        },
      },
    });
    screen.dialogs.open('model');
    await waitFor(() => modelOf(screen)?.failure === 'the config cannot be read');
    expect(modelOf(screen)?.choices).toEqual([choice('a')]);
  });

  test('a model, a thread and the demo go through the port, and their outcome to the screen', async () => {
    const calls: string[] = [];
    const say = (text: string): Promise<CommandOutcome> => {
      calls.push(text);
      return Promise.resolve({ kind: 'notice', level: 'info', text });
    };
    const screen = setUp({
      port: {
        async *modelChoices() {
          yield [choice('a')];
        },
        chooseModel: (ref) => say(`choose ${ref.model}`),
        startDemo: () => say('demo'),
        threads: async () => [
          {
            threadId: 't2',
            name: null,
            cwd: '',
            title: 'x',
            createdAt: 0,
            updatedAt: 0,
            messages: 1,
            model: null,
          },
        ],
        openThread: (id) => say(`open ${id}`),
      },
    });
    screen.dialogs.open('model');
    await waitFor(() => modelOf(screen)?.isSearching === false);
    screen.calm();
    screen.press(enter);
    screen.dialogs.open('first-run');
    await waitFor(() => modelOf(screen)?.isSearching === false);
    screen.calm();
    screen.press(named('end'), enter);
    screen.dialogs.open('threads');
    await waitFor(
      () => screen.dialogs.getSnapshot().dialog?.kind === 'threads' && shownThreads(screen) === 1,
    );
    screen.calm();
    screen.press(enter);
    expect(calls).toEqual(['choose a', 'demo', 'open t2']);
    await waitFor(() => screen.outcomes.length === 3);
    expect(screen.dialogs.isOpen()).toBe(false);
  });

  const shownThreads = (screen: ReturnType<typeof setUp>) => {
    const { dialog } = screen.dialogs.getSnapshot();
    return dialog?.kind === 'threads' ? dialog.threads?.length : undefined;
  };

  test('a provider is written after the person saw what will be written', async () => {
    const drafts: unknown[] = [];
    const screen = setUp({
      port: {
        async *modelChoices() {
          yield [];
        },
        previewProvider: (draft) => ({ file: '/home/me/.llmcode/config.json', text: `{"id":"${draft.id}"}` }),
        addProvider: async (draft) => {
          drafts.push(draft);
          return { kind: 'none' };
        },
      },
    });
    screen.dialogs.open('model');
    await waitFor(() => modelOf(screen)?.isSearching === false);
    screen.calm();
    screen.press(enter, 'mine', enter, 'http://localhost:8000/v1', enter, enter, 'big', enter);
    expect(modelOf(screen)?.form?.review).toEqual({
      file: '/home/me/.llmcode/config.json',
      text: '{"id":"mine"}',
      scroll: 0,
    });
    screen.press('y');
    expect(drafts).toEqual([]);
    screen.calm();
    screen.press('y');
    expect(drafts).toEqual([
      { id: 'mine', baseUrl: 'http://localhost:8000/v1', model: 'big', apiKeyEnv: '' },
    ]);
  });

  test('a theme is tried at once and saved when it is kept', async () => {
    const saved: string[] = [];
    const screen = setUp({ port: { saveTheme: async (id) => void saved.push(id) } });
    screen.dialogs.open('theme');
    screen.calm();
    screen.press(down);
    expect(screen.outcomes).toEqual([{ kind: 'theme', theme: 'light' }]);
    screen.press(enter);
    expect(saved).toEqual(['light']);
  });

  test('what fails becomes a notice', async () => {
    const screen = setUp({ port: { saveTheme: () => Promise.reject(new Error('the disk is full')) } });
    screen.dialogs.open('theme');
    screen.calm();
    screen.press(enter);
    await waitFor(() => screen.outcomes.some((outcome) => outcome.kind === 'notice'));
    expect(screen.outcomes).toContainEqual({ kind: 'notice', level: 'error', text: 'the disk is full' });
  });

  test('Escape on the first run leaves the program', () => {
    const screen = setUp();
    screen.dialogs.open('first-run');
    screen.calm();
    screen.press(esc);
    expect(screen.outcomes).toEqual([{ kind: 'exit' }]);
  });
});
