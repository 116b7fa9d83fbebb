import { homedir } from 'node:os';
import path from 'node:path';
import { LlmcodeError } from '#lib/errors.ts';
import type { Environment } from '#lib/paths.ts';
import { problemText, readRegularFile } from '#lib/regular-file.ts';
import { type ConfigFile, lineOf, maxConfigBytes } from './config-file.ts';
import { isRecord, type SettingsObject } from './settings-object.ts';

const reference = /\{(env|file):([^{}]*)\}/g;

/**
 * Fills in `{env:NAME}` and `{file:PATH}` in every string. A variable that is not set becomes empty and is named
 * in `missing`: one unused provider must not keep the program from starting. A file that cannot be read throws.
 */
export async function expandReferences(
  file: ConfigFile,
  env: Environment,
): Promise<{ value: SettingsObject; missing: string[] }> {
  const missing: string[] = [];
  const value = await expand(file.value, []);
  return { value: isRecord(value) ? value : {}, missing };

  async function expand(inner: unknown, at: readonly (string | number)[]): Promise<unknown> {
    if (typeof inner === 'string') return expandText(inner, at);
    if (Array.isArray(inner)) return Promise.all(inner.map((each, index) => expand(each, [...at, index])));
    if (!isRecord(inner)) return inner;
    const entries = Object.entries(inner).map(async ([key, each]) => [key, await expand(each, [...at, key])]);
    return Object.fromEntries(await Promise.all(entries));
  }

  async function expandText(text: string, at: readonly (string | number)[]): Promise<string> {
    let result = '';
    let end = 0;
    for (const match of text.matchAll(reference)) {
      const [whole, kind, name = ''] = match;
      const place = `${file.path}:${lineOf(file, [...at])}`;
      if (name.trim() === '')
        throw new LlmcodeError('config-invalid', `${place} ${whole} names nothing`, { exitCode: 2 });
      result += text.slice(end, match.index);
      result += kind === 'env' ? envValue(name, place) : await fileContent(name, place);
      end = match.index + whole.length;
    }
    return result + text.slice(end);
  }

  function envValue(name: string, place: string): string {
    const value = env[name];
    if (value === undefined) missing.push(`${place} {env:${name}}: the variable is not set`);
    return value ?? '';
  }

  async function fileContent(name: string, place: string): Promise<string> {
    const from = name.startsWith('~/') ? path.join(homedir(), name.slice(2)) : name;
    const read = await readRegularFile(path.resolve(path.dirname(file.path), from), {
      maxBytes: maxConfigBytes,
    });
    if (!('kind' in read)) return read.bytes.toString('utf8').replace(/\r?\n$/, '');
    throw new LlmcodeError(
      'config-invalid',
      `${place} {file:${name}} cannot be read: it ${problemText(read)}`,
      {
        exitCode: 2,
      },
    );
  }
}
