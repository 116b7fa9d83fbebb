import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { createHookRunner } from '#hooks/run-hooks.ts';
import type { Clock } from '#lib/clock.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import { createPermissionGate } from '#permissions/gate.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import { createModelDirectory, type ExtraProvider, type ModelCatalogue } from '#providers/directory.ts';
import type { SessionFlags } from './cli/flags.ts';
import { joinHookRunners } from './join-hook-runners.ts';
import { collectRules } from './rule-sources.ts';
import { type LoadedSettings, loadSettings } from './settings/load-settings.ts';
import type { Vcr } from './vcr/vcr.ts';

export type LiveSources = {
  home: string;
  cwd: string;
  roots: readonly string[];
  env: Environment;
  flags: SessionFlags;
  clock: Clock;
  extraProviders: readonly ExtraProvider[];
  vcr: Vcr;
};

/** The parts that follow the settings while threads are open. */
export type LiveParts = {
  readonly settings: LoadedSettings;
  readonly mode: PermissionMode;
  readonly catalogue: ModelCatalogue;
  createGate(): PermissionGate;
  createHooks(threadId: () => string): HookRunner;
  /** What is wrong with rules: they cannot be read, or may not count. */
  ruleNotices(): string[];
  reload(): Promise<string[]>;
};

export function createLiveParts(sources: LiveSources, first: LoadedSettings): LiveParts {
  let settings = first;
  let catalogue = makeCatalogue();
  const gates = new Set<LiveGate>();
  const runners = new Set<{ renew(): void }>();

  return {
    get settings() {
      return settings;
    },
    get mode() {
      return settings.mode;
    },
    catalogue: {
      open: (ref) => catalogue.open(ref),
      choices: (signal, onSilent) => catalogue.choices(signal, onSilent),
      resolve: (text, signal) => catalogue.resolve(text, signal),
      info: (ref) => catalogue.info(ref),
      refresh: (signal) => catalogue.refresh(signal),
      test: (ref, options) => catalogue.test(ref, options),
      dates: () => catalogue.dates(),
      card: (ref) => catalogue.card(ref),
      route: (purpose) => catalogue.route(purpose),
      fallback: () => catalogue.fallback(),
    },
    createGate() {
      const gate = new LiveGate(makeGate);
      gates.add(gate);
      return gate;
    },
    createHooks(threadId) {
      let runner = makeHooks(threadId);
      runners.add({
        renew: () => {
          runner = makeHooks(threadId);
        },
      });
      return { fire: (event, options) => runner.fire(event, options) };
    },
    ruleNotices() {
      const { cwd, roots, home, flags } = sources;
      const { sources: rules, notices } = collectRules(settings, { flags, cwd, home });
      const userHome = homedir();
      const { problems } = createPermissionGate({
        settings: settings.values,
        sources: rules,
        cwd,
        roots,
        home,
        userHome,
      });
      return [
        ...notices,
        ...problems.map(({ file, rule, text }) => `${file}: the rule ${rule} does not count: ${text}`),
      ];
    },
    async reload() {
      const before = settings;
      settings = await loadSettings({ ...sources, instead: sources.vcr.settingsLayer });
      const changed = changedKeys(before, settings);
      if (changed.length === 0) return changed;
      catalogue = makeCatalogue();
      for (const gate of gates) await gate.renew();
      for (const runner of runners) runner.renew();
      return changed;
    },
  };

  function makeCatalogue(): ModelCatalogue {
    const { home, clock, extraProviders, vcr } = sources;
    const { providerEnv: env, transport } = vcr;
    const { values } = settings;
    vcr.uses(values);
    return createModelDirectory({ settings: values, env, home, clock, transport, extra: extraProviders });
  }

  function makeGate(): PermissionGate {
    const { cwd, roots, home, flags } = sources;
    return createPermissionGate({
      settings: settings.values,
      sources: collectRules(settings, { flags, cwd, home }).sources,
      cwd,
      roots,
      home,
      userHome: homedir(),
    });
  }

  function makeHooks(threadId: () => string): HookRunner {
    const { cwd, env, clock } = sources;
    return joinHookRunners(
      settings.hooks.map((form) => createHookRunner({ settings: form, cwd, threadId, env, clock })),
    );
  }
}

/** A gate whose rules can be read anew; what was allowed for the session stays allowed. */
class LiveGate implements PermissionGate {
  readonly #make: () => PermissionGate;
  readonly #sessionRules: string[] = [];
  readonly #readable: string[] = [];
  #gate: PermissionGate;

  constructor(make: () => PermissionGate) {
    this.#make = make;
    this.#gate = make();
  }

  decide(call: Parameters<PermissionGate['decide']>[0]): ReturnType<PermissionGate['decide']> {
    return this.#gate.decide(call);
  }

  async allow(rule: string, scope: 'session' | 'project'): Promise<void> {
    await this.#gate.allow(rule, scope);
    // Also when it was saved: a project's own file may not grant anything, so the file alone would not do.
    this.#sessionRules.push(rule);
  }

  allowReading(folder: string): void {
    this.#gate.allowReading(folder);
    this.#readable.push(folder);
  }

  async renew(): Promise<void> {
    const gate = this.#make();
    for (const folder of this.#readable) gate.allowReading(folder);
    for (const rule of this.#sessionRules)
      await gate.allow(rule, 'session').catch((error: unknown) => log('a session rule was lost:', error));
    this.#gate = gate;
  }
}

function changedKeys(before: LoadedSettings, after: LoadedSettings): string[] {
  const keys = new Set([...Object.keys(before.values), ...Object.keys(after.values)]);
  const changed = [...keys].filter(
    (key) => !isDeepStrictEqual(settingOf(before, key), settingOf(after, key)),
  );
  // Rules and hooks of several files add up, which the merged values do not show.
  if (!changed.includes('hooks') && !isDeepStrictEqual(before.hooks, after.hooks)) changed.push('hooks');
  const rules = (loaded: LoadedSettings) => loaded.layers.map((layer) => layer.value['permissions']);
  if (!changed.includes('permissions') && !isDeepStrictEqual(rules(before), rules(after)))
    changed.push('permissions');
  return changed;
}

function settingOf(loaded: LoadedSettings, key: string): unknown {
  return (loaded.values as Record<string, unknown>)[key];
}
