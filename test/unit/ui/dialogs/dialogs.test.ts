import { describe, expect, test } from 'vitest';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import type { PermissionRequest } from '#protocol/permission.ts';
import type { QuestionRequest } from '#protocol/question.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { createDialogs } from '#ui/dialogs/dialogs.ts';
import { drawDialog } from '#ui/dialogs/draw-dialog.ts';
import type { KeyPress } from '#ui/input/key-press.ts';
import { createUiStore } from '#ui/store/ui-store.ts';
import { createFakePort, type FakePort } from '../../../support/ui/fake-port.ts';
import { waitFor } from '../../../support/ui/wait-for.ts';
import {
  commandRequest,
  createHeldClock,
  ctrl,
  down,
  editRequest,
  enter,
  escape,
  keysOf,
  named,
} from './support.ts';

const question: QuestionRequest = {
  id: 'question-1',
  callId: 'call-9',
  questions: [
    { question: 'Which one?', options: [{ label: 'this' }, { label: 'that' }], multiSelect: false },
  ],
};

function setUp(options: { thread?: Partial<ThreadState>; port?: Parameters<typeof createFakePort>[0] } = {}) {
  const clock = createHeldClock();
  const port: FakePort = createFakePort(options.port);
  const start: ThreadState = {
    ...emptyThreadState({ threadId: 'thread-1', cwd: port.cwd, mode: 'prompt' }),
    ...options.thread,
  };
  const store = createUiStore({ clock, thread: start });
  const submitted: UserAction[] = [];
  const outcomes: CommandOutcome[] = [];
  const dialogs = createDialogs({
    port,
    store,
    clock,
    submit: (action) => void submitted.push(action),
    act: (outcome) => void outcomes.push(outcome),
  });
  return {
    clock,
    port,
    submitted,
    outcomes,
    dialogs,
    kind: () => dialogs.getSnapshot().dialog?.kind,
    /** What each key was answered with. */
    press: (...entries: (string | KeyPress)[]) => keysOf(entries).map((key) => dialogs.handleKey(key)),
    /** The thread as the engine says it is now. */
    thread: (changes: Partial<ThreadState>) => store.attach({ ...store.getThread(), ...changes }),
    calm: () => clock.advance(1_000),
  };
}

const second = commandRequest({ id: 'request-3', command: 'npm test', input: { command: 'npm test' } });
const answered = (submitted: readonly UserAction[]) =>
  submitted.map((action) => ('requestId' in action ? `${action.requestId} ${kindOf(action)}` : action.kind));
const kindOf = (action: UserAction) =>
  action.kind === 'answer-permission'
    ? action.answer.kind
    : action.kind === 'answer-question'
      ? 'answer'
      : '';

describe('what the engine asks', () => {
  test('opens by itself and closes with the answer', () => {
    const screen = setUp();
    expect(screen.dialogs.isOpen()).toBe(false);
    screen.thread({ permissions: [commandRequest()] });
    screen.calm();
    expect(screen.kind()).toBe('permission');
    expect(screen.press('y')).toEqual([true]);
    expect(screen.dialogs.isOpen()).toBe(false);
    expect(answered(screen.submitted)).toEqual(['request-1 once']);
  });

  test('is there at once when the thread brings it along', () => {
    expect(setUp({ thread: { questions: [question] } }).kind()).toBe('question');
  });

  test('is answered one by one, in the order in which it came', () => {
    const screen = setUp({
      thread: { permissions: [commandRequest(), editRequest(), second], questions: [question] },
    });
    const counts: number[] = [];
    for (const key of ['y', 'n', 'y', '2']) {
      screen.calm();
      counts.push(screen.dialogs.getSnapshot().asks);
      screen.press(key);
    }
    expect(counts).toEqual([4, 3, 2, 1]);
    expect(answered(screen.submitted)).toEqual([
      'request-1 once',
      'request-2 reject',
      'request-3 once',
      'question-1 answer',
    ]);
    expect(screen.dialogs.isOpen()).toBe(false);
  });

  test('closes when it was answered elsewhere', () => {
    const screen = setUp({ thread: { permissions: [commandRequest(), second] } });
    screen.thread({ permissions: [second] });
    expect(screen.dialogs.getSnapshot()).toMatchObject({ asks: 1, dialog: { request: { id: 'request-3' } } });
    screen.thread({ permissions: [] });
    expect(screen.dialogs.isOpen()).toBe(false);
  });

  test('keeps what is typed in it while more comes', () => {
    const screen = setUp({ thread: { permissions: [commandRequest()] } });
    screen.calm();
    screen.press('dbecause');
    screen.thread({ permissions: [commandRequest(), second] });
    expect(screen.dialogs.getSnapshot()).toMatchObject({
      asks: 2,
      dialog: { request: { id: 'request-1' }, task: { kind: 'reason', reason: { text: 'because' } } },
    });
  });

  test('is not asked again while the engine has not yet taken the answer', () => {
    const screen = setUp({ thread: { permissions: [commandRequest()] } });
    screen.calm();
    screen.press('y');
    screen.thread({ permissions: [commandRequest()], todos: [{ content: 'x', status: 'pending' }] });
    expect(screen.dialogs.isOpen()).toBe(false);
    screen.thread({ permissions: [] });
    screen.thread({ permissions: [commandRequest()] });
    expect(screen.dialogs.isOpen()).toBe(true);
  });

  test('Escape answers no and stops the turn', () => {
    const screen = setUp({ thread: { permissions: [commandRequest()] } });
    screen.calm();
    screen.press(escape);
    expect(answered(screen.submitted)).toEqual(['request-1 reject', 'interrupt']);
  });
});

describe('typing ahead', () => {
  test('never answers: what is typed within 300 ms goes where it was meant to go', () => {
    const screen = setUp();
    screen.thread({ permissions: [commandRequest()] });
    expect(screen.dialogs.getSnapshot().isArmed).toBe(false);
    screen.clock.advance(299);
    expect(screen.press('y')).toEqual([false]);
    expect(screen.submitted).toEqual([]);
  });

  test('goes on not answering for as long as somebody types', () => {
    const screen = setUp();
    screen.thread({ permissions: [commandRequest()] });
    for (let key = 0; key < 20; key += 1) {
      screen.clock.advance(200);
      expect(screen.press('y')).toEqual([false]);
    }
    expect(screen.submitted).toEqual([]);
    screen.clock.advance(300);
    expect(screen.press('y')).toEqual([true]);
    expect(answered(screen.submitted)).toEqual(['request-1 once']);
  });

  test('a key right before the dialog came up counts as well', () => {
    const screen = setUp();
    screen.press('x');
    screen.clock.advance(100);
    screen.thread({ permissions: [commandRequest()] });
    screen.clock.advance(250);
    expect(screen.press('y')).toEqual([false]);
    expect(screen.submitted).toEqual([]);
  });

  test('a key pressed twice answers one question only', () => {
    const screen = setUp({ thread: { permissions: [commandRequest(), second] } });
    screen.calm();
    expect(screen.press('y', 'y', 'y')).toEqual([true, true, true]);
    expect(answered(screen.submitted)).toEqual(['request-1 once']);
    screen.calm();
    screen.press('y');
    expect(answered(screen.submitted)).toEqual(['request-1 once', 'request-3 once']);
  });

  test('the dialog says when it takes keys', () => {
    const screen = setUp();
    const armed: boolean[] = [];
    screen.dialogs.subscribe(() => armed.push(screen.dialogs.getSnapshot().isArmed));
    screen.thread({ permissions: [commandRequest()] });
    screen.clock.advance(300);
    expect(armed).toEqual([false, true]);
  });

  test('does not choose a model on the first run', () => {
    const screen = setUp();
    screen.dialogs.open('first-run');
    expect(screen.press('fix it', enter).every((taken) => !taken)).toBe(true);
    expect(screen.kind()).toBe('model');
  });

  test('a second Enter behind the one that opened a picker chooses nothing; letters filter at once', () => {
    const screen = setUp();
    screen.dialogs.open('theme');
    expect(screen.press(enter)).toEqual([true]);
    expect(screen.kind()).toBe('theme');
    screen.dialogs.open('threads');
    screen.press('cart');
    expect(screen.dialogs.getSnapshot().dialog).toMatchObject({ picker: { filter: { text: 'cart' } } });
  });

  test('does not confirm what a dialog asks at last', () => {
    const screen = setUp();
    screen.dialogs.open('mode');
    screen.calm();
    expect(screen.press(named('end'), enter, 'y')).toEqual([true, true, true]);
    expect(screen.port.lines).toEqual([]);
    screen.calm();
    screen.press('y');
    expect(screen.port.lines).toEqual(['/mode full_access i know']);
  });
});

describe('a dialog that the person opened', () => {
  test('lies over what the engine asks, and gives way to it', () => {
    const screen = setUp();
    screen.dialogs.open('help');
    screen.thread({ permissions: [commandRequest()] });
    expect(screen.kind()).toBe('help');
    expect(drawDialog(screen.dialogs, { width: 80, maxRows: 20 })?.sheet.note).toBe(
      '1 waiting for your answer',
    );
    screen.calm();
    screen.press(escape);
    expect(screen.kind()).toBe('permission');
    expect(screen.press('y')).toEqual([true]);
    expect(screen.submitted).toEqual([]);
  });

  test('keeps letters to itself and leaves the keys of the screen alone', () => {
    const screen = setUp({ thread: { permissions: [commandRequest()] } });
    screen.calm();
    expect(screen.press('x', named('tab'), enter, ctrl('c'), ctrl('o'))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(screen.dialogs.handlePaste('y\ny')).toBe(false);
    expect(screen.submitted).toEqual([]);
  });

  test('takes pastes where there is something to write', () => {
    const screen = setUp();
    screen.dialogs.open('model');
    expect(screen.dialogs.handlePaste('qwen\n')).toBe(true);
    expect(screen.dialogs.getSnapshot().dialog).toMatchObject({ picker: { filter: { text: 'qwen' } } });
  });

  test('is closed from outside; what the engine asks stays', () => {
    const screen = setUp({ thread: { permissions: [commandRequest()] } });
    screen.dialogs.open('theme');
    screen.calm();
    screen.press(down);
    screen.dialogs.close();
    expect(screen.outcomes).toEqual([
      { kind: 'theme', theme: 'light' },
      { kind: 'theme', theme: 'dark' },
    ]);
    screen.dialogs.close();
    expect(screen.kind()).toBe('permission');
  });
});

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
    screen.press(escape);
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
    screen.press(enter, 'mine', enter, 'http://localhost:8000/v1', enter, 'big', enter, enter);
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
    screen.press(escape);
    expect(screen.outcomes).toEqual([{ kind: 'exit' }]);
  });
});

test('a request of any kind gets a dialog', () => {
  const requests: PermissionRequest[] = [commandRequest(), editRequest()];
  for (const request of requests)
    expect(
      drawDialog(setUp({ thread: { permissions: [request] } }).dialogs, { width: 80, maxRows: 20 }),
    ).not.toBeNull();
});
