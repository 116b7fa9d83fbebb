import { expect, it } from 'vitest';
import type { ConsultReview } from '#protocol/consult-review.ts';
import { openConsult, reduceConsult } from '#ui/dialogs/consult/consult-dialog.ts';
import { defaultKeymap } from '#ui/input/keymap.ts';

const scene = { keymap: defaultKeymap, pageRows: 5, maxScroll: 9, width: 60 };
const plain: ConsultReview = { id: '7', seats: [], bytes: 1, attachments: [], secrets: [], text: 'q' };
const secret = { ...plain, secrets: [{ what: 'looks like a token', where: 'a', line: 1 }] };

/** The command that the key runs; null = the key does nothing, undefined = it only closes. */
function lineOf(review: ConsultReview, name: string): string | null | undefined {
  const key = { name, text: name.length === 1 ? name : '', ctrl: false, alt: false, shift: false };
  const effects = reduceConsult(openConsult(review), key, scene)?.effects ?? [];
  if (effects.length === 0) return null;
  return effects.flatMap((effect) => (effect.kind === 'run-command' ? [effect.line] : []))[0];
}

it('sends with a plain yes only what holds no secret, and nothing by Enter or Escape', () => {
  const keys = ['y', 'b', 's', 'n', 'escape', 'enter'];
  expect(keys.map((key) => lineOf(plain, key))).toEqual([
    '/consult send 7',
    null,
    null,
    undefined,
    undefined,
    null,
  ]);
  expect(keys.map((key) => lineOf(secret, key))).toEqual([
    null,
    '/consult send 7 blanked',
    '/consult send 7 with-secrets',
    undefined,
    undefined,
    null,
  ]);
});
