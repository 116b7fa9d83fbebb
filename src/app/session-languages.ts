import { createLanguages, type Languages } from '#bridges/lsp/languages.ts';
import { createWriteFollower } from '#bridges/lsp/write-follower.ts';
import type { Clock } from '#lib/clock.ts';
import type { WriteFollower } from '#protocol/languages.ts';
import { ShellRegistry } from '#tools/shell/shell-registry.ts';
import type { LoadedSettings } from './settings/load-settings.ts';

/** The language servers of a session, and what follows a write; both go by the settings as they are then. */
export function createSessionLanguages(options: {
  home: string;
  roots: readonly string[];
  childEnv: Readonly<Record<string, string>>;
  settings(): LoadedSettings;
  clock: Clock;
  /** What a tool gives back must be all that the model gets: it is recorded, or comes from a recording. */
  isRecorded(): boolean;
}): { languages: Languages; writes: WriteFollower } {
  const { home, roots, childEnv: env, settings, clock } = options;
  const languages = createLanguages({
    roots,
    env,
    settings: () => settings().values,
    isTrusted: () => settings().trust.state === 'trusted',
    book: new ShellRegistry(home),
    clock,
  });
  const follower = createWriteFollower({ languages, formatters: () => settings().values.formatters, env });
  const writes: WriteFollower = {
    afterWrite: async (files, call) =>
      options.isRecorded() ? { notes: [], fileStates: [] } : follower.afterWrite(files, call),
  };
  return { languages, writes };
}
