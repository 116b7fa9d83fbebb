import { describe, expect, test } from 'vitest';
import type { PermissionRequest } from '#protocol/permission.ts';
import type { QuestionRequest } from '#protocol/question.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { drawDialog } from '#ui/dialogs/draw-dialog.ts';
import { setUp } from './set-up.ts';
import { commandRequest, ctrl, down, editRequest, enter, esc, named } from './support.ts';

const question: QuestionRequest = {
  id: 'question-1',
  callId: 'call-9',
  questions: [
    { question: 'Which one?', options: [{ label: 'this' }, { label: 'that' }], multiSelect: false },
  ],
};

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
    screen.press(esc);
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

  test('lets a fast typist move and choose without a pause', () => {
    const screen = setUp();
    screen.dialogs.open('mode');
    screen.press(named('home'), enter);
    expect(screen.kind()).toBeUndefined();
    expect(screen.port.lines).toEqual(['/mode plan']);
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
    screen.press(esc);
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

  test('lets the transcript scroll when all of it is in view', () => {
    const screen = setUp({ thread: { permissions: [commandRequest()] } });
    screen.calm();
    const scrolling = [named('pageup'), named('pagedown'), named('up', { shift: true }), named('up')];
    expect(screen.press(...scrolling)).toEqual([false, false, false, true]);
    screen.dialogs.noteDrawn({ pageRows: 5, maxScroll: 9, width: 60 });
    expect(screen.press(...scrolling)).toEqual([true, true, true, true]);
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

test('a request of any kind gets a dialog', () => {
  const requests: PermissionRequest[] = [commandRequest(), editRequest()];
  for (const request of requests)
    expect(
      drawDialog(setUp({ thread: { permissions: [request] } }).dialogs, { width: 80, maxRows: 20 }),
    ).not.toBeNull();
});
