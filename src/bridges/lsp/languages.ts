import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { displayPath, isInside, realPathOf } from '#lib/paths.ts';
import type { CodeTarget, LanguageService } from '#protocol/languages.ts';
import { type FoundServer, installedServers, serverSpecs, workspaceLanguages } from './find-servers.ts';
import { languageOf, type ServerSpec } from './known-servers.ts';
import type { LanguageServer } from './language-server.ts';
import { lspError } from './lsp-error.ts';
import { newProblems } from './new-problems.ts';
import { ServerPool } from './server-pool.ts';
import type { LspSettings } from './settings.ts';
import type { ProcessBook } from './start-process.ts';

export type LanguagesOptions = {
  roots: readonly string[];
  /** For the servers; free of secrets. */
  env: Readonly<Record<string, string>>;
  /** As they are now. */
  settings(): LspSettings;
  /** The person trusts the folder with its configuration, as it is now. */
  isTrusted(): boolean;
  book?: ProcessBook;
  clock: Clock;
  /** Milliseconds. */
  timeouts?: { start: number; request: number; afterWrite: number };
};

export interface Languages extends LanguageService {
  /** Those for the languages of the workspace: found, or how they are installed. */
  overview(): { server: string; languages: string[]; file: string | undefined; install: string }[];
  /** New errors and warnings in a file that was just written, in lines for the model. Never rejects. */
  problemsAfterWrite(file: string, options: { signal: AbortSignal }): Promise<string[]>;
  close(): Promise<void>;
}

const defaultTimeouts = { start: 30_000, request: 20_000, afterWrite: 1_500 };
const firstProblemsMs = 15_000;
const quietMs = 700;
const afterWriteQuietMs = 350;
const maxTold = 20;

/** Which server answers for which file. Nothing runs before the first question. */
export function createLanguages(options: LanguagesOptions): Languages {
  const { roots, env, clock } = options;
  const timeouts = options.timeouts ?? defaultTimeouts;
  const settings = () => options.settings();
  const pool = new ServerPool({
    ...{ env, clock, book: options.book },
    idleMs: settings().lsp.idle_minutes * 60_000,
    timeouts,
  });
  const specs = () => (settings().lsp.enabled ? serverSpecs(settings()) : []);
  const installed = () => installedServers(specs(), { roots, env, isTrusted: options.isTrusted() });

  const lookUp = (file: string) => {
    const real = realPathOf(file);
    const root = roots.find((each) => isInside(real, each));
    const language = languageOf(path.extname(real), specs());
    const found = installed().find(({ languages }) => language !== undefined && languages.includes(language));
    return { real, root, language, found };
  };

  const serverFor = async (file: string, { signal }: { signal: AbortSignal }) => {
    const { real, root, language, found } = lookUp(file);
    const shown = displayPath(file, roots[0] ?? '/');
    if (!settings().lsp.enabled)
      throw lspError('lsp_off', 'Language servers are switched off in the settings (lsp.enabled).');
    if (root === undefined) throw lspError('lsp_no_server', `${shown} lies outside of the workspace.`);
    if (language === undefined)
      throw lspError('lsp_no_server', `No language server is known for ${path.extname(real) || shown}.`);
    if (!found) throw lspError('lsp_no_server', missingText(language, specs()));
    return { real, server: await pool.get(found, root, { signal }) };
  };

  const asking = async <Answer>(
    target: CodeTarget,
    signal: AbortSignal,
    ask: (server: LanguageServer, real: CodeTarget) => Promise<Answer>,
  ) => {
    const { server, real } = await serverFor(target.file, { signal });
    return ask(server, { ...target, file: real });
  };

  return {
    isUseful: () => {
      const found = installed();
      if (found.length === 0) return false;
      const spoken = workspaceLanguages(roots, specs());
      return found.some(({ languages }) => languages.some((language) => spoken.has(language)));
    },
    wouldStart: (file) => {
      if (options.isTrusted()) return undefined;
      const { root, found } = lookUp(file);
      if (!found || root === undefined || pool.isRunning(found, root)) return undefined;
      return commandOf(found);
    },
    wouldStartAny: () => {
      if (options.isTrusted()) return [];
      const spoken = workspaceLanguages(roots, specs());
      return installed()
        .filter(({ languages }) => languages.some((language) => spoken.has(language)))
        .filter((found) => !roots.some((root) => pool.isRunning(found, root)))
        .map(commandOf);
    },
    definition: (target, { signal }) =>
      asking(target, signal, (server, real) => server.definition(real, { signal })),
    references: (target, { signal }) =>
      asking(target, signal, (server, real) => server.references(real, { signal })),
    symbols: (file, { signal }) =>
      asking({ file }, signal, (server, real) => server.symbols(real.file, { signal })),
    findSymbols: (query, { file, signal }) =>
      asking({ file }, signal, (server, real) => server.findSymbols(query, { file: real.file, signal })),
    problems: (file, { signal }) =>
      asking({ file }, signal, (server, real) =>
        server.problems(real.file, { signal, timeoutMs: firstProblemsMs, quietMs }),
      ),
    overview: () => {
      const spoken = [...workspaceLanguages(roots, specs())];
      const found = installed();
      const groups = Map.groupBy(spoken, (language) => {
        const first = found.find(({ languages }) => languages.includes(language));
        return first ?? specs().find(({ languages }) => languages.includes(language));
      });
      return [...groups].flatMap(([spec, languages]) =>
        spec
          ? [
              {
                server: spec.name,
                languages,
                file: found.find(({ name }) => name === spec.name)?.file,
                install: spec.install,
              },
            ]
          : [],
      );
    },
    problemsAfterWrite: async (file, { signal }) => {
      try {
        const when = settings().lsp.diagnostics_after_write;
        const { real, root, found } = lookUp(file);
        if (when === 'off' || !found || root === undefined) return [];
        const running = pool.running(found, root);
        if (!running && !(when === 'start' && options.isTrusted())) return [];
        const server = running ?? (await pool.get(found, root, { signal }));
        const limits = { signal, timeoutMs: timeouts.afterWrite, quietMs: afterWriteQuietMs };
        const { problems, before } = await server.problems(real, limits);
        const fresh = newProblems(before ?? [], problems);
        const lines = fresh
          .slice(0, maxTold)
          .map(
            ({ line, column, severity, text, source }) =>
              `${line}:${column} ${severity}: ${text} (${source})`,
          );
        return fresh.length > maxTold ? [...lines, `… and ${fresh.length - maxTold} more`] : lines;
      } catch {
        return []; // The write is what was asked for; that a server has nothing to say of it changes nothing.
      }
    },
    close: () => pool.close(),
  };
}

function commandOf({ file, args }: FoundServer): string {
  return [file, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function missingText(language: string, specs: readonly ServerSpec[]): string {
  const fitting = specs.filter(({ languages }) => languages.includes(language));
  if (fitting.length === 0) return `No language server is known for ${language}.`;
  const ways = fitting.map(({ name, install }) => `${name} (${install})`).join(' or ');
  return `No language server for ${language} is installed. The person can install ${ways}. Use grep_search meanwhile.`;
}
