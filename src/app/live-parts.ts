import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { RunSpending } from '#engine/context/run-spending.ts';
import { HookRuns } from '#hooks/hook-runs.ts';
import { createHookRunner } from '#hooks/run-hooks.ts';
import { childEnvironment } from '#lib/child-env.ts';
import type { Clock } from '#lib/clock.ts';
import { LlmcodeError } from '#lib/errors.ts';
import type { Environment } from '#lib/paths.ts';
import { addDecision, decisionsFile } from '#permissions/decision-log.ts';
import { createPermissionGate, type RuleSource } from '#permissions/gate.ts';
import type { GroundOptions } from '#permissions/ground.ts';
import { problemNotices } from '#permissions/rules/problem-notices.ts';
import { createSandbox, type Sandbox } from '#permissions/sandbox/sandbox.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { LanguageService } from '#protocol/languages.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { createModelDirectory, type ExtraProvider, type ModelCatalogue } from '#providers/directory.ts';
import type { SessionFlags } from './cli/flags.ts';
import { createHookJudge } from './hook-judge.ts';
import { isUnderRule } from './is-under-rule.ts';
import { LiveGate } from './live-gate.ts';
import { collectRules } from './rule-sources.ts';
import { createSessionRules, type SessionRules } from './session-rules.ts';
import { type LoadedSettings, loadSettings } from './settings/load-settings.ts';
import { toolsForThread } from './tools-for-thread.ts';
import type { Vcr } from './vcr/vcr.ts';

export type LiveSources = {
  home: string;
  cwd: string;
  roots: readonly string[];
  env: Environment;
  flags: SessionFlags;
  tools: readonly ToolDef[];
  languages: Pick<LanguageService, 'wouldStartAny'>;
  clock: Clock;
  extraProviders: readonly ExtraProvider[];
  vcr: Vcr;
  spending: RunSpending;
};

/** The parts that follow the settings while threads are open. */
export type LiveParts = {
  readonly settings: LoadedSettings;
  readonly mode: PermissionMode;
  readonly catalogue: ModelCatalogue;
  readonly sandbox: Sandbox;
  /** What hooks have done since the start. */
  readonly hookRuns: HookRuns;
  /** `mode`: of the thread; null as the settings have it. */
  toolsFor(thread: { canAsk: boolean; mode: PermissionMode | null }): ToolDef[];
  /** Decisions are written down with the id. `scratch`: the thread's folder for temporary files. */
  createGate(threadId: () => string, scratch?: string): PermissionGate;
  createHooks(threadId: () => string): HookRunner;
  /** What the person allowed, forbade or wants to be asked for until the session ends. */
  readonly sessionRules: SessionRules;
  /** Every rule in force, by the place that it stands in. */
  ruleSources(): RuleSource[];
  /** Decides by these rules and no others. */
  gateWith(rules: readonly RuleSource[]): PermissionGate;
  /** What decisions depend on but rules. */
  ground(): GroundOptions;
  /** What is wrong with rules: they cannot be read, or may not count. */
  ruleNotices(): string[];
  /** `hooks` may keep the settings as they are: it rejects then. */
  reload(hooks: HookRunner): Promise<string[]>;
};

export function createLiveParts(sources: LiveSources, first: LoadedSettings): LiveParts {
  let settings = first;
  let catalogue = makeCatalogue();
  const sandbox = createSandbox({
    ...sources,
    userHome: homedir(),
    settings: () => settings.values.sandbox,
    privateHosts: () => settings.values.web_fetch.private_hosts,
  });
  const gates = new Set<LiveGate>();
  const sessionRules = createSessionRules(() => {
    for (const gate of gates) gate.renew();
  });
  const runners = new Set<{ renew(): void }>();
  const hookRuns = new HookRuns();
  const judge = createHookJudge({ ...sources, catalogue: () => catalogue });

  return {
    get settings() {
      return settings;
    },
    get mode() {
      return settings.mode;
    },
    hookRuns,
    sandbox,
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
    toolsFor({ canAsk, mode }) {
      const { tools, languages, cwd, home, flags } = sources;
      const { sources: rules } = collectRules(settings, { flags, cwd, home });
      const mayStart = (tool: ToolDef, commands: readonly string[]) => {
        const gate = makeGate(undefined);
        const about = { tool: tool.name, effect: tool.effect, input: {}, mode: mode ?? settings.mode };
        const resources = (command: string) => [{ kind: 'command' as const, command, cwd }];
        return commands.some(
          (command) => gate.decide({ ...about, resources: resources(command) }).decision === 'allow',
        );
      };
      return toolsForThread(tools, { canAsk, rules, hooks: settings.hooks, languages, mayStart });
    },
    createGate(threadId, scratch) {
      const gate = new LiveGate(
        () => makeGate(scratch),
        sessionRules,
        (call, end) => {
          const { home, cwd, clock, flags } = sources;
          if (flags.session === false) return;
          addDecision(decisionsFile(home, cwd), call, { end, thread: threadId(), time: clock.now() });
        },
      );
      gates.add(gate);
      return gate;
    },
    sessionRules,
    ruleSources,
    gateWith: (rules) => makeGateWith(rules),
    ground,
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
      const { cwd, home, flags } = sources;
      const { sources: rules, notices } = collectRules(settings, { flags, cwd, home });
      const { problems } = createPermissionGate({ ...ground(), sources: rules });
      return [...notices, ...problemNotices(problems)];
    },
    async reload(hooks) {
      const next = await loadSettings({ ...sources, instead: sources.vcr.settingsLayer });
      const changed = changedKeys(settings, next);
      if (changed.length > 0) await askHooks(hooks, changed);
      settings = next;
      if (changed.length === 0) return changed;
      catalogue = makeCatalogue();
      for (const gate of gates) gate.renew();
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

  function ruleSources(): RuleSource[] {
    const { cwd, home, flags } = sources;
    return [...collectRules(settings, { flags, cwd, home }).sources, sessionRules.source()];
  }

  function makeGate(scratch: string | undefined): PermissionGate {
    return makeGateWith(ruleSources(), { scratch, holdsUnasked: () => sandbox.holdsUnasked() });
  }

  function makeGateWith(
    rules: readonly RuleSource[],
    more?: { scratch: string | undefined; holdsUnasked(): boolean },
  ): PermissionGate {
    return createPermissionGate({ ...ground(), sources: rules, ...more });
  }

  function ground(): GroundOptions {
    const { cwd, roots, home } = sources;
    const searchPath = childEnvironment(sources.env)['PATH'];
    return { settings: settings.values, cwd, roots, home, userHome: homedir(), searchPath };
  }

  function makeHooks(threadId: () => string): HookRunner {
    const { cwd, env, clock } = sources;
    return createHookRunner({
      sources: settings.hooks,
      ...{ cwd, threadId, env, clock, judge, network: fetch, runs: hookRuns },
      isUnderRule: (rule, call) => isUnderRule({ rule, call, ...sources }, makeGateWith),
    });
  }
}

/** A hook may keep settings that changed from taking effect. */
async function askHooks(hooks: HookRunner, keys: readonly string[]): Promise<void> {
  const { decision, reason } = await hooks.fire(
    { event: 'config-change', keys },
    { signal: new AbortController().signal },
  );
  if (decision !== 'deny' && decision !== 'halt') return;
  throw new LlmcodeError(
    'config-refused',
    `A hook refused the changed settings (${keys.join(', ')}); the old ones stay: ${reason ?? 'no reason given'}`,
  );
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
