// Read before the screen is there, so without a schema; what the lines mean is for the screen to say.
import path from 'node:path';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { errnoOf, errorText } from '#lib/errors.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import type { KeyBinding, KeyBindings } from '#protocol/key-bindings.ts';

/** The person's key files. */
export interface KeyFiles {
  /** Weakest first; the last one is llmcode's own. */
  readonly files: readonly string[];
  current(): KeyBindings;
  /** Reads the files again. Never throws: what cannot be read is among the problems. */
  reload(): KeyBindings;
}

const maxBytes = 262_144;
const mostSyntaxProblems = 3;
const longestMs = 600_000;

type Reading = {
  -readonly [Key in Exclude<keyof KeyBindings, 'bindings' | 'problems'>]?: KeyBindings[Key];
} & { bindings: KeyBinding[]; problems: string[] };
type Place = { text: string; origin: string; isForeign: boolean; into: Reading };

/** `keybindings.json` in llmcode's folder, and below it the one of Claude Code. */
export function createKeyFiles(home: string, userHome: string): KeyFiles {
  const claude = path.join(userHome, '.claude', 'keybindings.json');
  const own = path.join(home, 'keybindings.json');
  let current: KeyBindings | undefined;
  const reload = () => {
    const into: Reading = { bindings: [], problems: [] };
    readKeyFile(claude, { origin: '~/.claude/keybindings.json', isForeign: true, into });
    readKeyFile(own, { origin: 'keybindings.json', isForeign: false, into });
    current = into;
    return into;
  };
  return { files: [claude, own], current: () => current ?? reload(), reload };
}

function readKeyFile(file: string, { origin, isForeign, into }: Omit<Place, 'text'>): void {
  try {
    const text = readRegularTextSync(file, { maxBytes }).replace(/^\uFEFF/, '');
    if (text.trim() !== '') readText({ text, origin, isForeign, into });
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? ''))
      into.problems.push(`${origin} cannot be read: ${errorText(error)}`);
  }
}

function readText(place: Place): void {
  const errors: ParseError[] = [];
  const tree = parseTree(place.text, errors, { allowTrailingComma: true });
  // What stands before and behind a slip is read all the same.
  for (const { error, offset } of errors.slice(0, mostSyntaxProblems))
    say(
      place,
      offset,
      `no valid JSON here (${printParseErrorCode(error)
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()})`,
    );
  if (tree?.type !== 'object') {
    if (errors.length === 0)
      say(place, 0, 'must hold an object: { "prompt": { "ctrl+e": "external-editor" } }');
    return;
  }
  for (const [key, value, at] of propertiesOf(tree)) readEntry(place, { key, value, at });
}

function readEntry(place: Place, { key, value, at }: { key: string; value: Node; at: number }): void {
  const { into, isForeign } = place;
  switch (key) {
    case 'leader':
      if (value.type === 'string')
        into.leader = { keys: String(value.value), origin: place.origin, line: lineAt(place.text, at) };
      else say(place, at, '"leader" must be a key, e.g. "ctrl+x"');
      return;
    case 'chord_timeout_ms':
    case 'hint_delay_ms': {
      const ms: unknown = getNodeValue(value);
      const isFit = typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= longestMs;
      if (!isFit) say(place, at, `"${key}" must be milliseconds from 0 to ${longestMs}`);
      else if (key === 'hint_delay_ms') into.hintDelayMs = ms;
      else into.chordTimeoutMs = ms;
      return;
    }
    case 'bindings':
      readList(place, value);
      return;
    default:
      // `$schema` and `$docs` are for editors.
      if (key.startsWith('$') || (isForeign && value.type !== 'object')) return;
      readContext(place, key, value);
  }
}

/** Claude Code's form: a list of contexts, each with its bindings. */
function readList(place: Place, list: Node): void {
  if (list.type !== 'array') {
    say(place, list.offset, '"bindings" must be a list: [{ "context": "prompt", "bindings": { … } }]');
    return;
  }
  for (const block of list.children ?? []) {
    const parts = new Map([...propertiesOf(block)].map(([key, value]) => [key, value]));
    const context: unknown = parts.get('context')?.value;
    const bindings = parts.get('bindings');
    if (typeof context === 'string' && bindings) readContext(place, context, bindings);
    else say(place, block.offset, 'each of "bindings" needs "context" and "bindings"');
  }
}

function readContext(place: Place, context: string, value: Node): void {
  if (value.type !== 'object') {
    say(place, value.offset, `"${context}" must hold keys: { "ctrl+e": "external-editor" }`);
    return;
  }
  for (const [keys, action, at] of propertiesOf(value)) {
    if (action.type !== 'string' && action.type !== 'null') {
      say(place, at, `"${keys}" must name an action, or be null to do nothing`);
      continue;
    }
    place.into.bindings.push({
      context,
      keys,
      action: action.type === 'null' ? null : String(action.value),
      origin: place.origin,
      line: lineAt(place.text, at),
      ...(place.isForeign ? { isForeign: true as const } : {}),
    });
  }
}

/** Key, value and place of each entry; one that breaks off has no value and is left out. */
function* propertiesOf(node: Node): Generator<[key: string, value: Node, at: number]> {
  if (node.type !== 'object') return;
  for (const { children, offset } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (key && value) yield [String(key.value), value, offset];
  }
}

function say({ into, origin, text }: Place, offset: number, what: string): void {
  into.problems.push(`${origin}:${lineAt(text, offset)}: ${what}`);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
