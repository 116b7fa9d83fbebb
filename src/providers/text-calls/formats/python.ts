import type { JsonValue } from '#protocol/json.ts';
import type { JsonObject } from '../../wire/json.ts';

export type PythonCall = { name: string; input: JsonObject };

const token =
  /\s*(?:([A-Za-z_][\w.-]*)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|([()[\]{},:=]))/y;
const maxDepth = 50;

/** Calls written as Python: `name(key=value)`, `name.call(…)`, or a list of them. undefined: it is nothing of that. */
export function parsePythonCalls(text: string): PythonCall[] | undefined {
  try {
    return new PythonParser(text).calls();
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

class NotPython extends Error {}

type Token = { kind: 'name' | 'number' | 'string' | 'mark' | 'end'; text: string };

class PythonParser {
  readonly #text: string;
  #at = 0;
  #next: Token;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#read();
  }

  calls(): PythonCall[] {
    const calls: PythonCall[] = [];
    const isList = this.#skip('[');
    do calls.push(this.#call());
    while (this.#skip(',') && this.#next.kind === 'name');
    if (isList) this.#need(']');
    if (this.#next.kind !== 'end') throw new NotPython();
    return calls;
  }

  #call(): PythonCall {
    const name = this.#take('name').replace(/\.call$/, '');
    const entries: [string, JsonValue][] = [];
    this.#need('(');
    while (!this.#skip(')')) {
      const key = this.#take('name');
      this.#need('=');
      entries.push([key, this.#value()]);
      if (!this.#skip(',') && this.#next.text !== ')') throw new NotPython();
    }
    return { name, input: Object.fromEntries(entries) };
  }

  #value(): JsonValue {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new NotPython();
    const value = this.#bareValue();
    this.#depth -= 1;
    return value;
  }

  #bareValue(): JsonValue {
    const { kind, text } = this.#next;
    if (kind === 'string') return unquoted(this.#take('string'));
    if (kind === 'number') return Number(this.#take('number'));
    if (kind === 'name') return constant(this.#take('name'));
    if (text === '[') return this.#list();
    if (text === '{') return this.#dictionary();
    throw new NotPython();
  }

  #list(): JsonValue[] {
    const values: JsonValue[] = [];
    this.#need('[');
    while (!this.#skip(']')) {
      values.push(this.#value());
      if (!this.#skip(',') && this.#next.text !== ']') throw new NotPython();
    }
    return values;
  }

  #dictionary(): JsonObject {
    const entries: [string, JsonValue][] = [];
    this.#need('{');
    while (!this.#skip('}')) {
      const key = unquoted(this.#take('string'));
      this.#need(':');
      entries.push([key, this.#value()]);
      if (!this.#skip(',') && this.#next.text !== '}') throw new NotPython();
    }
    return Object.fromEntries(entries);
  }

  #skip(mark: string): boolean {
    if (this.#next.kind !== 'mark' || this.#next.text !== mark) return false;
    this.#next = this.#read();
    return true;
  }

  #need(mark: string): void {
    if (!this.#skip(mark)) throw new NotPython();
  }

  #take(kind: Token['kind']): string {
    if (this.#next.kind !== kind) throw new NotPython();
    const { text } = this.#next;
    this.#next = this.#read();
    return text;
  }

  #read(): Token {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text);
    if (!found) {
      if (this.#text.slice(this.#at).trim() !== '') throw new NotPython();
      return { kind: 'end', text: '' };
    }
    this.#at = token.lastIndex;
    const [, name, number, string, mark] = found;
    if (name !== undefined) return { kind: 'name', text: name };
    if (number !== undefined) return { kind: 'number', text: number };
    return string === undefined ? { kind: 'mark', text: mark ?? '' } : { kind: 'string', text: string };
  }
}

const constants: Readonly<Record<string, JsonValue>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

function constant(name: string): JsonValue {
  const value = constants[name];
  if (value === undefined || !Object.hasOwn(constants, name)) throw new NotPython();
  return value;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\n': '' };

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_all, code: string) =>
      code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code),
    );
}
