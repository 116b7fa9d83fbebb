import type { JsonValue } from '#protocol/json.ts';
import type { ToolSchema } from '#protocol/tool.ts';
import { toolNamesOf } from '#protocol/tool-names.ts';
import { asArray, asObject, asText, type JsonObject, parseJson } from '../wire/json.ts';

/** Words that formats put before the name of a tool. */
const prefix = /^(functions?|tools?|default_api)[./]/;

/** The tools that a model was offered: finds them by the names that models give them, and types what they write. */
export class OfferedTools {
  readonly #names = new Map<string, string>();
  readonly #parameters = new Map<string, JsonObject>();

  constructor(tools: readonly ToolSchema[]) {
    for (const { name, parameters } of tools) {
      this.#names.set(name, name);
      this.#parameters.set(name, asObject(asObject(parameters as JsonObject)?.['properties']) ?? {});
    }
    for (const { name } of tools) {
      for (const other of toolNamesOf(name)) {
        const key = other.toLowerCase();
        if (!this.#names.has(key)) this.#names.set(key, name);
      }
    }
  }

  /** The offered tool that is meant; undefined when none is. */
  find(name: string): string | undefined {
    const plain = name.trim().replace(prefix, '');
    return this.#names.get(plain) ?? this.#names.get(plain.toLowerCase());
  }

  has(tool: string, parameter: string): boolean {
    return Object.hasOwn(this.#parameters.get(tool) ?? {}, parameter);
  }

  /** A value that the format gives as plain text, in the type that the tool wants. */
  typed(tool: string, parameter: string, text: string): JsonValue {
    const schema = asObject(this.#parameters.get(tool)?.[parameter]);
    const types = schema ? typesOf(schema) : [];
    if (types.length === 0) return text;
    const value = parseJson(text.trim());
    if (value === null && types.includes('null')) return null;
    if (types.includes('string') || value === undefined) return text;
    return types.includes(typeName(value)) ? value : text;
  }
}

/** Names of the JSON types that a schema takes; [] when it does not say. */
function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  const own = [type ?? []].flat().flatMap((name) => asText(name) ?? []);
  const listed = asArray(schema['enum']) ?? ('const' in schema ? [schema['const'] ?? null] : []);
  const choices = [...(asArray(schema['anyOf']) ?? []), ...(asArray(schema['oneOf']) ?? [])];
  const all = [
    ...own,
    ...(own.length === 0 ? listed.map(typeName) : []),
    ...choices.flatMap((choice) => typesOf(asObject(choice) ?? {})),
  ];
  return all.flatMap((name) => (name === 'integer' ? ['number'] : [name]));
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
