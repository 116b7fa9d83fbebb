import { cleanName } from '#lib/terminal-text.ts';
import type { CommandSpec } from '#protocol/command.ts';
import { actions } from '../../input/actions.ts';
import { keyLabel } from '../../input/key-label.ts';
import { type ActionId, anyKeyFor, type KeyCommand, type Keymap } from '../../input/keymap.ts';
import { needsArgument } from '../../prompt/completion.ts';

/** Something that can be done from the palette. */
export type PaletteEntry = {
  readonly id: string;
  readonly name: string;
  readonly does: string;
  /** Empty when there is none. */
  readonly key: string;
} & (
  | { readonly kind: 'action'; readonly action: ActionId }
  | { readonly kind: 'command'; readonly line: string; readonly takes: 'nothing' | 'more' | 'must' }
);

/** What means something wherever one is; the rest are keys for the hand that is there already. */
const offered: readonly ActionId[] = [
  'cycle-mode',
  'choose-model',
  'find',
  'toggle-todos',
  'toggle-tasks',
  'external-editor',
  'background-run',
  'expand',
  'expand-all',
  'prompt-older',
  'prompt-newer',
  'scroll-top',
  'scroll-bottom',
  'history-search',
  'stash',
  'undo',
  'redo',
  'cancel',
  'suspend',
  'redraw',
  'help',
];

const mostRemembered = 12;

/** What was used last comes first. */
export function paletteEntries(options: {
  commands: readonly CommandSpec[];
  keymap: Keymap;
  chosen: readonly string[];
}): readonly PaletteEntry[] {
  const { commands, keymap, chosen } = options;
  const keyOf = (command: KeyCommand) => {
    const key = anyKeyFor(keymap, command);
    return key === undefined ? '' : keyLabel(key);
  };
  const entries: PaletteEntry[] = [
    ...commands.map((spec) => commandEntry(spec, keyOf(`/${spec.name}`))),
    ...offered.map(
      (action): PaletteEntry => ({
        kind: 'action',
        id: action,
        name: action.replaceAll('-', ' '),
        does: actions[action],
        key: keyOf(action),
        action,
      }),
    ),
  ];
  const rank = ({ id }: PaletteEntry) => {
    const index = chosen.indexOf(id);
    return index < 0 ? chosen.length : index;
  };
  return entries.sort((a, b) => rank(a) - rank(b));
}

function commandEntry(spec: CommandSpec, key: string): PaletteEntry {
  const line = `/${spec.name}`;
  const takes = needsArgument(spec) ? 'must' : spec.args === '' ? 'nothing' : 'more';
  const name = cleanName(spec.args === '' ? line : `${line} ${spec.args}`);
  return { kind: 'command', id: line, name, does: cleanName(spec.summary), key, line, takes };
}

export function withNewest(chosen: readonly string[], id: string): readonly string[] {
  return [id, ...chosen.filter((each) => each !== id)].slice(0, mostRemembered);
}
