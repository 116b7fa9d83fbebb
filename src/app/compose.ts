import { homedir } from 'node:os';
import path from 'node:path';
import { type Consults, createConsults } from '#agents/consult/consults.ts';
import { createPeerService } from '#agents/consult/peer-service.ts';
import type { Languages } from '#bridges/lsp/languages.ts';
import { RunSpending } from '#engine/context/run-spending.ts';
import { type OpenThreadOptions, openThread } from '#engine/open-thread.ts';
import type { ThreadSource } from '#engine/thread/start-thread.ts';
import type { HookRuns } from '#hooks/hook-runs.ts';
import { childEnvironment } from '#lib/child-env.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { createIdSource } from '#lib/ids.ts';
import { isInside, llmcodeHome, realPathOf } from '#lib/paths.ts';
import { createScratchFolder } from '#lib/scratch-folder.ts';
import { type InstructionFile, loadInstructions } from '#memory/instructions.ts';
import type { Sandbox } from '#permissions/sandbox/sandbox.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef } from '#protocol/tool.ts';
import type { ModelCatalogue } from '#providers/directory.ts';
import { createTools } from '#tools/index.ts';
import { ThreadShells } from '#tools/shell/shell-desk.ts';
import { ShellRegistry } from '#tools/shell/shell-registry.ts';
import type { SessionFlags } from './cli/flags.ts';
import { existingFolder } from './cwd.ts';
import { createDemoProvider } from './demo/demo-provider.ts';
import type { Pace } from './demo/model.ts';
import { checkFullAccess } from './full-access.ts';
import type { Host } from './host.ts';
import { createInstructionFinder } from './instruction-finder.ts';
import { createLiveParts, type LiveParts, type LiveSources } from './live-parts.ts';
import { obeyNetworkVariables } from './network.ts';
import { packageVersion } from './package-files.ts';
import { isDisallowed } from './rule-sources.ts';
import { createSessionLanguages } from './session-languages.ts';
import { createSessionMemory, type SessionMemory } from './session-memory.ts';
import { createSessionNews, type SessionNews } from './session-news.ts';
import { type LoadedSettings, loadSettings } from './settings/load-settings.ts';
import { openReplayed } from './vcr/open-replayed.ts';
import { openVcr, type Vcr } from './vcr/vcr.ts';

export type ComposeOptions = {
  host: Host;
  cwd: string;
  flags: SessionFlags;
  demoPace: Pace;
  clock?: Clock;
  /** Of a session that goes on; otherwise flags and environment say whether one is recorded or replayed. */
  vcr?: Vcr;
  /** Of a session that goes on. */
  spending?: RunSpending;
};

export type OpenOptions = {
  origin: ThreadSource;
  /** A new thread that takes the place of one that was cleared away. */
  afterClear?: boolean;
  model: ModelRef | null;
  /** True: `model` replaces the one that a resumed thread had. */
  isModelAsked: boolean;
  /** null: as the settings say, or as a resumed thread had it. */
  mode: PermissionMode | null;
  canAsk: boolean;
  /** More for the system prompt. */
  instructions?: readonly string[];
};

/** Everything that a session in one folder is made of, one of each. */
export type Composition = {
  readonly home: string;
  readonly cwd: string;
  /** Real paths of the workspace; the first is `cwd`. */
  readonly roots: readonly string[];
  readonly settings: LoadedSettings;
  /** As the settings have it. */
  readonly mode: PermissionMode;
  readonly catalogue: ModelCatalogue;
  readonly tools: readonly ToolDef[];
  /** What language servers know; none runs before it is asked. */
  readonly languages: Languages;
  readonly childEnv: Readonly<Record<string, string>>;
  /** Those of `tools` that a thread gets. */
  toolsFor(thread: { canAsk: boolean; mode: PermissionMode | null }): ToolDef[];
  /** Where commands of the model run. */
  readonly sandbox: Sandbox;
  /** Questions to other models, from this folder. */
  readonly consults: Consults;
  /** null: nothing is remembered. */
  readonly memory: SessionMemory | null;
  /** What the model has to be told of. */
  readonly news: SessionNews;
  /** In the newest thread the tools that stand ready go by the task. */
  readonly isByTask: boolean;
  /** What the model was given to read at the start. */
  readonly instructionFiles: readonly InstructionFile[];
  readonly vcr: Vcr;
  readonly spending: RunSpending;
  /** What the person should know at the start. */
  readonly notices: readonly string[];
  /** Decisions are written down with the id. */
  createGate(threadId?: () => string): PermissionGate;
  createHooks(threadId: () => string): HookRunner;
  /** Rules and what they do. */
  readonly rules: Pick<LiveParts, 'sessionRules' | 'ruleSources' | 'gateWith' | 'ground'>;
  /** For what happens beside a thread; they are told of the one that was opened last. */
  readonly hooks: HookRunner;
  /** What hooks have done since the start. */
  readonly hookRuns: HookRuns;
  openThread(options: OpenOptions): Promise<EngineHandle>;
  /**
   * Reads the settings again. Models, rules and hooks of open threads go by them from then on; names the top-level
   * keys that changed. Throws, and changes nothing, when the files are not valid.
   */
  reload(): Promise<string[]>;
};

/** Makes the parts of a session in `cwd`. Throws an `LlmcodeError` when the settings are not valid. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { host, flags } = options;
  const home = llmcodeHome(host.env);
  const cwd = realPathOf(options.cwd);
  const vcr = options.vcr ?? (await openVcr({ flags, env: host.env, cwd: host.cwd, clock: options.clock }));
  const { clock } = vcr;
  const networkNotices = obeyNetworkVariables(host.env);
  const first = await loadSettings({ home, cwd, env: host.env, flags, instead: vcr.settingsLayer });
  const roots = workspaceRoots(cwd, { host, flags, settings: first });
  const childEnv = childEnvironment(host.env);
  let settingsNow = () => first;
  const { languages, writes } = createSessionLanguages({
    ...{ home, roots: roots.folders, childEnv, clock: systemClock },
    settings: () => settingsNow(),
    isRecorded: () => vcr.isOn,
  });
  // Which tools there were a recording says, not this machine.
  const asked = vcr.replayed ? { ...languages, isUseful: () => true, wouldStartAny: () => [] } : languages;
  const tools = vcr.tools(
    createTools({
      ...{ settings: first.values, env: host.env, languages: asked },
      hasMemory: first.values.memory.enabled,
    }).filter((tool) => !isDisallowed(flags, tool)),
  );
  const spending = options.spending ?? new RunSpending();
  const sources: LiveSources = {
    home,
    cwd,
    roots: roots.folders,
    env: host.env,
    flags,
    tools,
    languages: asked,
    clock,
    extraProviders: [createDemoProvider({ clock, pace: options.demoPace })],
    vcr,
    spending,
  };
  const { mode } = first;
  if (mode === 'full_access') await checkFullAccess(home, { isConfirmed: flags.iKnow === true });
  const live = createLiveParts(sources, first);
  settingsNow = () => live.settings;
  const readInstructions = () => loadInstructions({ cwd, home, userHome: homedir() });
  let instructions = await readInstructions();
  let isFirstThread = true;
  let isByTask = false;
  const news = createSessionNews();
  const memory =
    first.values.memory.enabled && !vcr.replayed
      ? createSessionMemory({ home, project: first.project, clock })
      : null;
  const persist = flags.session !== false;
  let openId = '';
  const hooks = live.createHooks(() => openId);
  const consults = createConsults({
    home,
    cwd,
    roots: roots.folders,
    persist,
    directory: live.catalogue,
    tools,
    createGate: () => live.createGate(() => 'consult'),
    createHooks: (threadId) => live.createHooks(threadId),
    childEnv,
    sandbox: live.sandbox,
    clock,
    spending,
    settings: () => live.settings.values,
    timeoutSeconds: () => live.settings.values.consult.timeout,
    version: packageVersion(),
  });

  return {
    home,
    cwd,
    roots: roots.folders,
    get settings() {
      return live.settings;
    },
    mode,
    catalogue: live.catalogue,
    tools,
    languages,
    toolsFor: (thread) => live.toolsFor(thread),
    childEnv,
    sandbox: live.sandbox,
    consults,
    memory,
    news,
    get isByTask() {
      return isByTask;
    },
    get instructionFiles() {
      return instructions.files;
    },
    vcr,
    spending,
    notices: [
      ...networkNotices,
      ...first.notices,
      ...roots.notices,
      ...live.ruleNotices(),
      ...instructions.notices,
    ],
    createGate: (threadId = () => '') => live.createGate(threadId),
    createHooks: (threadId) => live.createHooks(threadId),
    rules: live,
    hooks,
    hookRuns: live.hookRuns,
    reload: () => live.reload(hooks),
    openThread: async (open) => {
      const { origin } = open;
      // A later thread begins with what is true now, and needs no news of how it came to that.
      if (!isFirstThread) instructions = await readInstructions();
      isFirstThread = false;
      news.take();
      isByTask = live.settings.values.hida.enabled;
      const opened = Promise.withResolvers<void>();
      let threadId = '';
      const threadHooks = live.createHooks(() => threadId);
      const scratch = createScratchFolder();
      const threadOptions: OpenThreadOptions = {
        home,
        cwd,
        roots: roots.folders,
        origin,
        afterClear: open.afterClear === true,
        persist,
        model: open.model,
        modelOverride: open.isModelAsked,
        // A thread that goes on keeps its mode unless the command line names one.
        mode: open.mode ?? (origin.kind === 'new' || flags.permissionMode !== undefined ? live.mode : null),
        directory: live.catalogue,
        tools: live.toolsFor(open),
        gate: vcr.gate(live.createGate(() => threadId, scratch.folder)),
        // A session-start hook is told the id of the thread, which is known once it is open.
        hooks: vcr.hooks({
          fire: async (event, options) => {
            await opened.promise;
            return threadHooks.fire(event, options);
          },
        }),
        instructions: [
          ...instructions.blocks,
          ...((await memory?.block({ byTask: isByTask })) ?? []),
          ...(flags.appendSystemPrompt === undefined ? [] : [flags.appendSystemPrompt]),
          ...(open.instructions ?? []),
        ],
        instructionFiles: instructions.files.map(({ path: file }) => ({
          file,
          scope: roots.folders.some((root) => isInside(file, root)) ? 'project' : 'user',
        })),
        childEnv,
        scratch: scratch.folder,
        sandbox: live.sandbox,
        clock,
        settings: live.settings.values,
        canAsk: open.canAsk,
        spending,
        openShells: () =>
          new ThreadShells({
            ...{ cwd, roots: roots.folders, clock: systemClock, newId: createIdSource() },
            registry: new ShellRegistry(home),
            scratch,
          }),
        services: {
          ...{ consult: createPeerService(consults), writes },
          instructions: createInstructionFinder({ cwd, home, userHome: homedir() }, instructions.files),
          ...(memory ? { memory: memory.forThread(() => threadId) } : {}),
        },
        news: () => news.take(),
        ...(memory && isByTask ? { remembered: memory.forRequests() } : {}),
        version: packageVersion(),
      };
      const handle = vcr.replayed
        ? await openReplayed(threadOptions, vcr.replayed, vcr)
        : await openThread(threadOptions);
      threadId = handle.threadId;
      openId = threadId;
      opened.resolve();
      return vcr.follow(handle, threadOptions);
    },
  };
}

/** The working folder, then what `--add-dir` and the settings add; a configured folder that is gone is left out. */
function workspaceRoots(
  cwd: string,
  { host, flags, settings }: { host: Host; flags: SessionFlags; settings: LoadedSettings },
): { folders: string[]; notices: string[] } {
  const notices: string[] = [];
  const added = (flags.addDir ?? []).map((folder) => existingFolder(path.resolve(host.cwd, folder)));
  const configured = settings.values.permissions.additional_directories.flatMap((folder) => {
    try {
      return [existingFolder(path.resolve(cwd, folder.replace(/^~(?=\/|$)/, homedir())))];
    } catch (error) {
      notices.push(`permissions.additional_directories: ${errorText(error)}`);
      return [];
    }
  });
  return { folders: [...new Set([cwd, ...added, ...configured])], notices };
}
