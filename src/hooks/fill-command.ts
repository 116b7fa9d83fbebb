import type { JsonValue } from '#protocol/json.ts';

type FilledCommand = { command: string; variables: Record<string, string> } | { problem: string };

/** A variable may hold 128 KiB. */
const maxValueBytes = 100_000;

/** Fields that stand for nothing where an event has no such field, instead of staying in the command as text. */
const usualFields = new Set([
  'command',
  'content',
  'cwd',
  'event',
  'file_path',
  'new_string',
  'old_string',
  'output',
  'path',
  'pattern',
  'prompt',
  'query',
  'reason',
  'session_id',
  'source',
  'status',
  'tool',
  'tool_name',
  'url',
]);

/**
 * Puts fields in the place of `{name}`. A value never becomes text of the command: the shell gets it in a variable
 * of its own and sees only a quoted reference, so that no value can run or split, whatever it holds. Where even
 * that would not help, because the text is code for another interpreter, the command is refused.
 */
export function fillCommand(command: string, fields: Readonly<Record<string, JsonValue>>): FilledCommand {
  const variables: Record<string, string> = {};
  let filled = '';
  let at = 0;
  for (const place of placesOf(command)) {
    const isKnown = usualFields.has(place.name) || Object.hasOwn(fields, place.name);
    if (!isKnown || place.context === 'comment') continue;
    const shown = `{${place.name}}`;
    const problem = problemOf(place, shown);
    if (problem !== undefined) return { problem };
    const value = valueText(place.name, fields[place.name]);
    if (Buffer.byteLength(value) > maxValueBytes)
      return { problem: `the value of ${shown} is too long for a command; read it from standard input` };
    const variable = `LLMCODE_FIELD_${place.name}`;
    variables[variable] = value;
    filled += command.slice(at, place.start) + reference(variable, place.context);
    at = place.start + shown.length;
  }
  return { command: filled + command.slice(at), variables };
}

type Context = 'plain' | 'single' | 'double' | 'comment' | 'opaque';
type Place = { name: string; start: number; context: Context; isCode: boolean };

function problemOf({ context, isCode }: Place, shown: string): string | undefined {
  if (isCode)
    return `${shown} stands in code for another shell, where its value could run; read it from standard input there`;
  if (context === 'opaque')
    return `${shown} stands in backticks, $'…' or behind a here-document; place it in the command itself`;
  return undefined;
}

function reference(variable: string, context: Context): string {
  if (context === 'double') return `\${${variable}}`;
  return context === 'single' ? `'"\${${variable}}"'` : `"\${${variable}}"`;
}

function valueText(name: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('\0', '');
  // A file called `-rf` must not become an option.
  return isPath(name) && text.startsWith('-') ? `./${text}` : text;
}

function isPath(name: string): boolean {
  return name === 'path' || name.endsWith('_path');
}

/** Words after which arguments are code again. */
const evaluators = /(^|[\s;&|(/])(eval|ssh)(?=\s)/;
const codeOption = /(^|\s)(-[A-Za-z]*[ceE]|--eval|--command|--execute|--expression)[\s=]*$/;
/** Whatever follows here is code, a field alone too. */
const interpreter = /(^|[\s;&|(/])(\w*sh|python[\d.]*|node|perl|ruby)\s+(-\S+\s+)*-\w*[ceE]\s*["']?$/;
const placeholder = /\{([A-Za-z_]\w*)\}/y;

/** Every `{name}` with the kind of quotes around it. `${name}` is the shell's own. */
function* placesOf(command: string): Generator<Place> {
  const isEvaluated = evaluators.test(command);
  // Innermost last; `(` stands for a substitution or subshell inside of which quoting begins anew.
  const nest: { kind: 'single' | 'double' | '(' | '`' | 'ansi'; isCode: boolean }[] = [];
  let hasHereDocument = false;
  let isComment = false;
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    const top = nest.at(-1)?.kind;
    const isPlain = top === undefined || top === '(' || top === '`';

    placeholder.lastIndex = at;
    const name = command.charAt(at - 1) === '$' ? undefined : placeholder.exec(command)?.[1];
    if (name !== undefined) {
      const isOpaque = hasHereDocument || nest.some(({ kind }) => kind === '`' || kind === 'ansi');
      const inner: Context = top === 'single' || top === 'double' ? top : 'plain';
      const context = isComment ? 'comment' : isOpaque ? 'opaque' : inner;
      const isCode =
        isEvaluated || nest.some((each) => each.isCode) || interpreter.test(command.slice(0, at));
      yield { name, start: at, context, isCode };
      at = placeholder.lastIndex - 1;
      continue;
    }

    if (isComment) {
      if (character === '\n') isComment = false;
      continue;
    }
    if (top === 'single') {
      if (character === "'") nest.pop();
      continue;
    }
    if (character === '\\') {
      at += 1;
      continue;
    }
    if (top === 'ansi') {
      if (character === "'") nest.pop();
      continue;
    }
    const before = command.slice(0, at);
    if (character === '`') {
      if (nest.some(({ kind }) => kind === '`')) nest.splice(nest.findLastIndex(({ kind }) => kind === '`'));
      else nest.push({ kind: '`', isCode: false });
    } else if (character === '"') {
      if (top === 'double') nest.pop();
      else nest.push({ kind: 'double', isCode: isCodeAt(command, at) });
    } else if (command.startsWith('$(', at)) {
      nest.push({ kind: '(', isCode: false });
      at += 1;
    } else if (isPlain) {
      if (character === "'")
        nest.push({ kind: before.endsWith('$') ? 'ansi' : 'single', isCode: isCodeAt(command, at) });
      else if (character === '(') nest.push({ kind: '(', isCode: false });
      else if (character === ')' && top === '(') nest.pop();
      else if (character === '#' && /(^|[\s;&|(])$/.test(before)) isComment = true;
      else if (command.startsWith('<<', at)) {
        if (command.charAt(at + 2) === '<') at += 2;
        else hasHereDocument = true;
      }
    }
  }
}

/** True when the quotes that open here hold a text for an option such as `-c`, and more than one field alone. */
function isCodeAt(command: string, at: number): boolean {
  return codeOption.test(command.slice(0, at)) && !/^.\{\w+\}["']/.test(command.slice(at));
}
