import type { Question, QuestionAnswer, QuestionRequest } from '#protocol/question.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { scrollByKey } from '../scroll-keys.ts';
import { editField, emptyField, type TextField } from '../text-field.ts';

/** What the person has done with one question so far. The row behind the last option is a text of their own. */
export type QuestionDraft = {
  readonly row: number;
  /** Indexes of the options that are ticked. */
  readonly ticked: readonly number[];
  readonly text: TextField;
};

export type QuestionDialog = {
  readonly kind: 'question';
  readonly request: QuestionRequest;
  /** The question on the screen. */
  readonly index: number;
  readonly drafts: readonly QuestionDraft[];
  /** How far the person scrolled away from the chosen row; null follows it. */
  readonly scroll: number | null;
};

export function openQuestion(request: QuestionRequest): QuestionDialog {
  const draft: QuestionDraft = { row: 0, ticked: [], text: emptyField };
  return { kind: 'question', request, index: 0, drafts: request.questions.map(() => draft), scroll: null };
}

export function reduceQuestion(
  dialog: QuestionDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<QuestionDialog> | undefined {
  const at = whereIn(dialog);
  if (!at) return undefined;
  const { question, draft, isOnText } = at;
  const rows = question.options.length + 1;
  switch (keyName(key)) {
    case 'up':
    case 'ctrl+p':
      return changeDraft(dialog, { ...draft, row: (draft.row + rows - 1) % rows });
    case 'down':
    case 'ctrl+n':
    case 'tab':
      return changeDraft(dialog, { ...draft, row: (draft.row + 1) % rows });
    case 'shift+tab':
      return dialog.index === 0 ? step(dialog) : step({ ...dialog, index: dialog.index - 1, scroll: null });
    case 'enter':
      return finishQuestion(dialog, takenAnswer(question, draft));
    case 'escape':
      if (isOnText && draft.text.text !== '') return changeDraft(dialog, { ...draft, text: emptyField });
      return answer(dialog, null);
  }
  if (!isOnText) {
    if (key.name === 'space') return tick(dialog, draft.row);
    const number = /^[1-9]$/.test(key.name) ? Number(key.name) - 1 : -1;
    if (number >= 0 && number < question.options.length) return pick(dialog, number);
  }
  return typeAnswer(dialog, key, scene);
}

/** The question on the screen and what is known of it. */
export function whereIn(
  dialog: QuestionDialog,
): { question: Question; draft: QuestionDraft; isOnText: boolean } | undefined {
  const question = dialog.request.questions[dialog.index];
  const draft = dialog.drafts[dialog.index];
  if (!question || !draft) return undefined;
  return { question, draft, isOnText: draft.row === question.options.length };
}

/** The answer that Enter would give now; undefined when there is none yet. */
function takenAnswer(question: Question, draft: QuestionDraft): string[] | undefined {
  const own = draft.text.text.trim();
  const isOnText = draft.row === question.options.length;
  if (!question.multiSelect) {
    const label = isOnText ? own : question.options[draft.row]?.label;
    return label ? [label] : undefined;
  }
  const ticked = draft.ticked
    .toSorted((a, b) => a - b)
    .flatMap((index) => question.options[index]?.label ?? []);
  const all = own === '' ? ticked : [...ticked, own];
  if (all.length > 0) return all;
  const label = question.options[draft.row]?.label;
  return label ? [label] : undefined;
}

function finishQuestion(dialog: QuestionDialog, given: string[] | undefined): Step<QuestionDialog> {
  if (!given) return step(dialog);
  if (dialog.index < dialog.request.questions.length - 1)
    return step({ ...dialog, index: dialog.index + 1, scroll: null });
  const { questions } = dialog.request;
  return answer(
    dialog,
    dialog.drafts.map((draft, index) => {
      const question = questions[index];
      return question ? (takenAnswer(question, draft) ?? []) : [];
    }),
  );
}

/** A number chooses at once; among several it only ticks. */
function pick(dialog: QuestionDialog, option: number): Step<QuestionDialog> {
  const at = whereIn(dialog);
  if (!at) return step(dialog);
  const chosen = changeDraft(dialog, { ...at.draft, row: option }).state;
  if (at.question.multiSelect) return tick(chosen, option);
  return finishQuestion(chosen, takenAnswer(at.question, { ...at.draft, row: option }));
}

function tick(dialog: QuestionDialog, option: number): Step<QuestionDialog> {
  const at = whereIn(dialog);
  if (!at?.question.multiSelect) return step(dialog);
  const { ticked } = at.draft;
  const next = ticked.includes(option) ? ticked.filter((other) => other !== option) : [...ticked, option];
  return changeDraft(dialog, { ...at.draft, ticked: next });
}

/** Whatever is typed goes to the person's own answer, wherever they stand. */
function typeAnswer(
  dialog: QuestionDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<QuestionDialog> | undefined {
  const at = whereIn(dialog);
  const scroll = scrollByKey(dialog.scroll ?? 0, key, { scene, arrows: false });
  if (scroll !== undefined) return step({ ...dialog, scroll });
  if (!at || !(at.isOnText || key.text !== '')) return undefined;
  const text = editField(at.draft.text, key, scene.keymap);
  return text ? changeDraft(dialog, { ...at.draft, row: at.question.options.length, text }) : undefined;
}

function changeDraft(dialog: QuestionDialog, draft: QuestionDraft): Step<QuestionDialog> {
  return step({ ...dialog, drafts: dialog.drafts.with(dialog.index, draft), scroll: null });
}

function answer(dialog: QuestionDialog, given: QuestionAnswer): Step<QuestionDialog> {
  const requestId = dialog.request.id;
  return step(dialog, { kind: 'submit', action: { kind: 'answer-question', requestId, answer: given } });
}
