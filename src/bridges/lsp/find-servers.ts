import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '#lib/find-program.ts';
import { knownServers, languageOf, type ServerSpec } from './known-servers.ts';
import type { LspSettings } from './settings.ts';

export type FoundServer = ServerSpec & { file: string };

export type SearchPlaces = {
  roots: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Of the folder; only then programs that lie in it count. */
  isTrusted: boolean;
};

/** Those of the settings first: they take the place of a known one of the same name. */
export function serverSpecs({ lsp }: LspSettings): ServerSpec[] {
  const named = Object.entries(lsp.servers);
  const configured = named.flatMap(([name, given]) => {
    const known = knownServers.find((server) => server.name === name);
    if (given.disabled) return [];
    return [
      {
        name,
        command: given.command ?? known?.command ?? name,
        args: given.args ?? known?.args ?? [],
        languages: given.languages ?? known?.languages ?? [name],
        extensions: (given.extensions ?? []).map((ending) =>
          ending.startsWith('.') ? ending : `.${ending}`,
        ),
        install: known?.install ?? `lsp.servers.${name}.command in the settings must name it`,
        initialization: merged(known?.initialization, given.initialization_options),
      },
    ];
  });
  const names = named.map(([name]) => name);
  return [...configured, ...knownServers.filter(({ name }) => !names.includes(name))];
}

/** What the person gives comes on top, also inside of an object. */
function merged(known: Options = {}, given: Options = {}): Options {
  const keys = [...new Set([...Object.keys(known), ...Object.keys(given)])];
  return Object.fromEntries(
    keys.map((key) => {
      const [below, above] = [known[key], given[key]];
      if (isObject(below) && isObject(above)) return [key, { ...below, ...above }];
      return [key, above ?? below];
    }),
  );
}

type Options = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those that are installed. A PATH entry inside of the workspace never counts. */
export function installedServers(specs: readonly ServerSpec[], places: SearchPlaces): FoundServer[] {
  return specs.flatMap((spec) => {
    const file = programOf(spec.command, places);
    return file === undefined ? [] : [{ ...spec, file }];
  });
}

function programOf(command: string, { roots, env, isTrusted }: SearchPlaces): string | undefined {
  if (path.isAbsolute(command)) return existsSync(command) ? command : undefined;
  if (command.includes('/')) return undefined; // It would depend on the working folder.
  const local = isTrusted ? roots.map((root) => path.join(root, 'node_modules/.bin', command)) : [];
  return [...local, findProgram(command, env, roots)].find((file) => existsSync(file));
}

/** Not more of a workspace is looked at than says which languages it is written in. */
const maxEntries = 600;
const maxDepth = 4;
const skipped = /^(\.|node_modules$|vendor$|target$|dist$|build$)/;

/** The languages of the files that lie near the top of the workspace. */
export function workspaceLanguages(roots: readonly string[], specs: readonly ServerSpec[]): Set<string> {
  const languages = new Set<string>();
  const queue = roots.map((folder) => ({ folder, depth: 0 }));
  let seen = 0;
  for (const { folder, depth } of queue) {
    for (const entry of entriesOf(folder)) {
      seen += 1;
      if (seen > maxEntries) return languages;
      const language = entry.isFile() ? languageOf(path.extname(entry.name), specs) : undefined;
      if (language !== undefined) languages.add(language);
      if (entry.isDirectory() && depth < maxDepth && !skipped.test(entry.name))
        queue.push({ folder: path.join(folder, entry.name), depth: depth + 1 });
    }
  }
  return languages;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // It may not be read, or it is gone.
  }
}
