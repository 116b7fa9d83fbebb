import { describe } from '../../input/actions.ts';
import { keyLabel } from '../../input/key-label.ts';
import type { KeyContext, Keymap } from '../../input/keymap.ts';

export type KeyHelp = { readonly section: string; readonly keys: string; readonly does: string };

const sections: readonly (readonly [context: KeyContext, title: string])[] = [
  ['prompt', 'writing'],
  ['screen', 'the screen'],
  ['reading', 'scrolled away, with nothing typed'],
  ['find', 'search in the conversation'],
  ['completion', 'completion'],
  ['search', 'search in the history'],
  ['always', 'any time'],
];

/** Every key of the keymap by what it does, so that help tells the keys that really work. */
export function keyHelp(keymap: Keymap): readonly KeyHelp[] {
  return sections.flatMap(([context, section]) => {
    const byCommand = Map.groupBy(Object.entries(keymap[context]), ([, command]) => command);
    return [...byCommand].map(([command, keys]) => ({
      section,
      keys: keys
        .slice(0, shownKeys)
        .map(([key]) => keyLabel(key))
        .join('  '),
      does: describe(command),
    }));
  });
}

/** The first keys of a command in the table are the ones to learn. */
const shownKeys = 2;
