import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { isDeeper } from '#lib/json-depth.ts';
import { problemText, readRegularFile } from '#lib/regular-file.ts';
import { isRecord, type SettingsObject } from './settings-object.ts';

/** A config file as it was read; `value` is what it says, before `{env:…}` and `{file:…}` are filled in. */
export type ConfigFile = { path: string; text: string; tree: Node; value: SettingsObject };

/** More than this is no config. A project's file may be a link to anything, also to a device without an end. */
export const maxConfigBytes = 4_194_304;
const maxDepth = 100;

/** null when there is no such file. Throws `config-invalid` with file, line and column when it is no JSON object. */
export async function readConfigFile(file: string): Promise<ConfigFile | null> {
  const text = await readConfigText(file);
  return text === null ? null : parseConfig(file, text);
}

/** null when there is no such file. Throws `config-unreadable` when it is no file that a config can be. */
export async function readConfigText(file: string): Promise<string | null> {
  const read = await readRegularFile(file, { maxBytes: maxConfigBytes });
  if (!('kind' in read)) return read.bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (read.kind === 'missing') return null;
  throw new LlmcodeError('config-unreadable', `${file} ${problemText(read)}`, { exitCode: 2 });
}

export function parseConfig(file: string, text: string): ConfigFile | null {
  if (text.trim() === '') return null;
  const errors: ParseError[] = [];
  const tree = treeOf(file, text, errors);
  const [error] = errors;
  if (error) throw configError(file, text, error.offset, `is no valid JSON here (${wordsOf(error)})`);
  if (!tree) return null;
  const value: unknown = getNodeValue(tree);
  if (isDeeper(value, maxDepth)) throw configError(file, text, tree.offset, 'is nested too deep');
  if (!isRecord(value)) throw configError(file, text, tree.offset, 'must hold an object: { … }');
  return { path: file, text, tree, value };
}

/** The parser calls itself for each level, so brackets without an end would end the stack. */
function treeOf(file: string, text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    throw new LlmcodeError('config-invalid', `${file} cannot be parsed: ${errorText(error)}`, {
      cause: error,
      exitCode: 2,
    });
  }
}

/** Line of a key or value, from 1; the nearest one that exists when the path leads nowhere. */
export function lineOf(file: ConfigFile, keys: JSONPath): number {
  for (let length = keys.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(file.tree, keys.slice(0, length));
    if (node)
      return position(file.text, node.parent?.type === 'property' ? node.parent.offset : node.offset).line;
  }
  return 1;
}

function configError(file: string, text: string, offset: number, what: string): LlmcodeError {
  const { line, column } = position(text, offset);
  return new LlmcodeError('config-invalid', `${file}:${line}:${column} ${what}`, { exitCode: 2 });
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `CommaExpected` -> `comma expected`. */
function wordsOf(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
