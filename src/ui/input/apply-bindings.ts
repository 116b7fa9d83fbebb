import { nearestName } from '#lib/nearest.ts';
import type { KeyBinding, KeyBindings } from '#protocol/key-bindings.ts';
import { actions, actionsIn, contextsOf, isAction } from './actions.ts';
import { claudeActions, claudeContexts } from './claude-actions.ts';
import { readKey, typesText } from './key-names.ts';
import {
  type ActionId,
  defaultKeymap,
  type KeyCommand,
  type KeyContext,
  type Keymap,
  keyContexts,
  keyFor,
} from './keymap.ts';

/** The keys as they work. */
export type AppliedKeys = {
  readonly keymap: Keymap;
  /** File and line of each key that is not the program's own, by `context keys`. */
  readonly origins: ReadonlyMap<string, string>;
  /** What of the files does not work, each with file and line. The rest works. */
  readonly problems: readonly string[];
};

type Tables = Record<KeyContext, Record<string, KeyCommand>>;
type Read = { context: KeyContext; keys: string; command: KeyCommand | null };

const defaultLeader = 'ctrl+x';
const chordContexts: readonly KeyContext[] = ['always', 'screen', 'prompt'];

/** Without these somebody could be locked in; each keeps its own key when no other is left. */
const needed: readonly (readonly [KeyContext, ActionId, string])[] = [
  ['prompt', 'send', 'enter'],
  ['screen', 'cancel', 'escape'],
  ['search', 'search-leave', 'escape'],
  ['find', 'find-leave', 'escape'],
];

/** The program's keys with what the files say of them; later lines are stronger. Pure. */
export function applyBindings({ bindings, leader, problems: unread = [] }: KeyBindings): AppliedKeys {
  const problems = [...unread];
  const origins = new Map<string, string>();
  const first = leader && readLeader(leader, problems);
  const tables = withLeader(first ?? defaultLeader);
  for (const binding of bindings) {
    const say = (text: string) => problems.push(`${placeOf(binding)}: ${text}`);
    const read = readBinding(binding, { leader: first ?? defaultLeader, say });
    if (read) put(tables, origins, { ...read, origin: placeOf(binding) });
  }
  for (const [context, action, key] of needed) {
    if (keyFor(tables, context, action) !== undefined) continue;
    tables[context] = { ...tables[context], [key]: action };
    origins.delete(`${context} ${key}`);
    problems.push(`no key is left for ${action} in ${context}; ${key} keeps doing it`);
  }
  return { keymap: tables, origins, problems };
}

function placeOf({ origin, line }: { origin: string; line: number }): string {
  return `${origin}:${line}`;
}

function readLeader(leader: NonNullable<KeyBindings['leader']>, problems: string[]): string | undefined {
  const key = readKey(leader.keys);
  const problem =
    'problem' in key
      ? key.problem
      : typesText(key.name) || key.name === 'ctrl+c' || key.name === 'escape' || key.name === 'enter'
        ? `${key.name} cannot be the leader; a key with ctrl or alt, or one of f1 to f12, can`
        : undefined;
  if (problem === undefined && 'name' in key) return key.name;
  problems.push(`${placeOf(leader)}: ${problem}`);
  return undefined;
}

/** A copy of the program's own tables, with its chords behind this leader. */
function withLeader(leader: string): Tables {
  const tables = {} as Tables;
  for (const context of keyContexts)
    tables[context] = Object.fromEntries(
      Object.entries(defaultKeymap[context]).map(([keys, command]) => {
        const [first, second, third] = keys.split(' ');
        const isLed = first === defaultLeader && second?.length === 1 && third === undefined;
        return [isLed ? `${leader} ${second}` : keys, command];
      }),
    );
  return tables;
}

function readBinding(
  { context, keys, action, isForeign }: KeyBinding,
  { leader, say }: { leader: string; say(text: string): void },
): Read | undefined {
  const wanted = readContext(context);
  if (!wanted) {
    if (!isForeign)
      say(
        `there is no context ${quoted(context)}${meant(context, keyContexts)}; there are ${keyContexts.join(', ')}`,
      );
    return undefined;
  }
  const command = action === null ? null : readCommand(action);
  if (command === undefined) {
    if (!isForeign)
      say(
        `there is no action ${quoted(String(action))}${meant(String(action), Object.keys(actions))}; ${allowedIn(wanted)}`,
      );
    return undefined;
  }
  const read = readKeys(keys, leader);
  if ('problem' in read) {
    say(read.problem);
    return undefined;
  }
  for (const warning of read.warnings) say(warning);
  const place = command === null ? wanted : placeFor(command, wanted);
  const problem = place
    ? refusal(read.names, place)
    : `${String(command)} does nothing in ${wanted}; ${allowedIn(wanted)}`;
  if (place && problem === undefined) return { context: place, keys: read.names.join(' '), command };
  if (problem !== undefined && !isForeign) say(problem);
  return undefined;
}

function readContext(text: string): KeyContext | undefined {
  const name = text.trim().toLowerCase();
  return keyContexts.find((context) => context === name) ?? claudeContexts[name];
}

function readCommand(text: string): KeyCommand | undefined {
  if (/^\/[\w-]+( .*)?$/.test(text)) return text as `/${string}`;
  if (text.startsWith('command:')) return `/${text.slice('command:'.length)}`;
  return isAction(text) ? text : claudeActions[text];
}

/** Of the screen and the prompt each looks after its own, so the file need not say which one it is. */
function placeFor(command: KeyCommand, wanted: KeyContext): KeyContext | undefined {
  const homes = contextsOf(command);
  if (homes.includes(wanted)) return wanted;
  if (wanted === 'always' && homes.includes('screen')) return wanted;
  return chordContexts.includes(wanted) ? homes.find((home) => chordContexts.includes(home)) : undefined;
}

function readKeys(
  text: string,
  leader: string,
): { names: string[]; warnings: string[] } | { problem: string } {
  const names: string[] = [];
  const warnings: string[] = [];
  for (const part of text.trim().split(/\s+/)) {
    if (/^<?leader>?$/i.test(part)) {
      names.push(leader);
      continue;
    }
    const key = readKey(part);
    if ('problem' in key) return { problem: `${quoted(text)}: ${key.problem}` };
    names.push(key.name);
    if (key.warning) warnings.push(key.warning);
  }
  return { names, warnings };
}

/** Why these keys cannot be bound there. */
function refusal(names: readonly string[], context: KeyContext): string | undefined {
  const [first = ''] = names;
  if (first === 'ctrl+c') return 'ctrl+c stays as it is: it is the way out';
  if (typesText(first))
    return `${first} types text, so it can only follow another key, e.g. "leader ${first}"`;
  if (names.length > 1 && !chordContexts.includes(context))
    return `keys one after the other work in ${chordContexts.join(', ')} only`;
  if (names.length > 1 && (first === 'escape' || names.slice(1).includes('escape')))
    return 'escape ends a chord, so it cannot be part of one';
  return undefined;
}

function put(
  tables: Tables,
  origins: Map<string, string>,
  { context, keys, command, origin }: Read & { origin: string },
): void {
  // What is asked before would take the key away from it.
  for (const other of shadows(context)) {
    if (!Object.hasOwn(tables[other], keys) || command === null) continue;
    tables[other] = without(tables[other], keys);
    origins.delete(`${other} ${keys}`);
  }
  const rest = without(tables[context], keys);
  tables[context] = command === null ? rest : { [keys]: command, ...rest };
  if (command === null) origins.delete(`${context} ${keys}`);
  else origins.set(`${context} ${keys}`, origin);
}

function shadows(context: KeyContext): readonly KeyContext[] {
  if (context === 'prompt') return ['always', 'screen', 'reading'];
  return context === 'always' ? [] : ['always'];
}

function without(table: Record<string, KeyCommand>, keys: string): Record<string, KeyCommand> {
  return Object.fromEntries(Object.entries(table).filter(([key]) => key !== keys));
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function meant(text: string, names: readonly string[]): string {
  const near = nearestName(text, names);
  return near ? `; did you mean ${quoted(near)}?` : '';
}

function allowedIn(context: KeyContext): string {
  const names = actionsIn(context);
  return `in ${context} a key can do: ${names.join(', ')}${context === 'screen' ? ', or "/command"' : ''}`;
}
