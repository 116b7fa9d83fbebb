import { homedir } from 'node:os';
import type { HookSource } from '#hooks/settings.ts';
import { type Environment, realPathOf } from '#lib/paths.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { choicesFile, readChoices } from './choices.ts';
import { claudeHookSources } from './claude-hooks.ts';
import { readConfigFile } from './config-file.ts';
import { configPaths } from './config-paths.ts';
import { environmentLayers } from './environment-layer.ts';
import { expandReferences } from './expand.ts';
import { flagLayers } from './flag-layers.ts';
import { inFull } from './full-forms.ts';
import { hookSources } from './hook-layers.ts';
import type { Layer } from './layer.ts';
import { modeOf, restrictProject } from './project-layer.ts';
import { projectRoot } from './project-root.ts';
import { type SettingsValues, settingsSchema } from './schema.ts';
import { mergeSettings, type SettingsObject } from './settings-object.ts';
import { type ProjectTrust, projectTrust } from './trust.ts';
import { parseSettings } from './validate.ts';

export type LoadedSettings = {
  values: SettingsValues;
  /** The mode that a new thread starts in. */
  mode: PermissionMode;
  /** The hooks of every file that has some. */
  hooks: readonly HookSource[];
  /** Weakest first. */
  layers: readonly Layer[];
  project: string;
  trust: ProjectTrust;
  /** What the person should know, e.g. what an untrusted project asked for. */
  notices: string[];
  /** `LLMCODE_*` variables that name no setting. */
  unusedVariables: string[];
};

export type SettingsSources = {
  home: string;
  cwd: string;
  env: Environment;
  flags: SessionFlags;
  /** The settings of a recorded session: they count in place of all others but for those of the screen. */
  instead?: Layer | undefined;
};

/** Reads every layer. Throws `config-invalid` that names file, line, key and the nearest valid key. */
export async function loadSettings({
  home,
  cwd,
  env,
  flags,
  instead,
}: SettingsSources): Promise<LoadedSettings> {
  const project = projectRoot(cwd);
  const paths = configPaths(home, project);
  const choices = readChoices(home);
  const trust = await projectTrust(project, choices);
  const notices: string[] = [];
  const read: Layer[] = [];

  const { theme, editorMode, mouse } = choices;
  if (theme !== undefined || editorMode !== undefined || mouse !== undefined) {
    const value = {
      ...(theme === undefined ? {} : { theme }),
      ...(editorMode === undefined ? {} : { editor_mode: editorMode }),
      ...(mouse === undefined ? {} : { mouse }),
    };
    read.push({ origin: choicesFile(home), kind: 'remembered', value, shown: value });
  }
  const isTrusted = trust.state === 'trusted';
  const user = await readLayer('user', paths.user, env, notices);
  if (user) read.push(user);
  // In the home folder the project's file would be the user's own one.
  if (realPathOf(paths.project) !== realPathOf(paths.user)) {
    for (const kind of ['project', 'local'] as const) {
      const layer = await readProjectLayer(kind, paths[kind], { env, isTrusted, notices, below: read });
      if (layer) read.push(layer);
    }
  }
  const claude = await claudeHookSources({ userHome: homedir(), project, isTrusted });
  notices.push(...claude.notices);
  const environment = environmentLayers(env, Object.keys(settingsSchema.shape));
  read.push(...environment.layers, ...flagLayers(flags));

  const layers = instead ? [...read.map(screenPart), instead] : read.map(inFull);
  const values = parseSettings(settingsSchema, mergeLayers(layers), layers);
  const mode = values.permissions.mode ?? values.permission_mode ?? 'prompt';
  return {
    values,
    mode,
    hooks: [...(instead ? [] : claude.sources), ...hookSources(layers)],
    layers,
    project,
    trust,
    notices,
    unusedVariables: environment.unused,
  };
}

function screenPart(layer: Layer): Layer {
  const { theme, editor_mode, mouse } = layer.value;
  const value = {
    ...(theme === undefined ? {} : { theme }),
    ...(editor_mode === undefined ? {} : { editor_mode }),
    ...(mouse === undefined ? {} : { mouse }),
  };
  return { ...layer, value, shown: value };
}

export function mergeLayers(layers: readonly Layer[]): SettingsObject {
  return layers.reduce<SettingsObject>((merged, layer) => mergeSettings(merged, layer.value), {});
}

async function readLayer(
  kind: Layer['kind'],
  path: string,
  env: Environment,
  notices: string[],
): Promise<Layer | undefined> {
  const file = await readConfigFile(path);
  if (!file) return undefined;
  const { value, missing } = await expandReferences(file, env);
  notices.push(...missing);
  return { origin: path, kind, value, shown: file.value, file };
}

async function readProjectLayer(
  kind: 'project' | 'local',
  path: string,
  options: { env: Environment; isTrusted: boolean; notices: string[]; below: readonly Layer[] },
): Promise<Layer | undefined> {
  const file = await readConfigFile(path);
  if (!file) return undefined;
  const { isTrusted, notices } = options;
  const modeBelow = modeOf(mergeLayers(options.below));
  const { value: shown, ignored } = restrictProject(file.value, { isTrusted, modeBelow });
  if (ignored.length > 0) notices.push(ignoredNotice(path, ignored, isTrusted));
  // Only what counts is filled in: `{file:…}` of an untrusted project must not read anything.
  const { value, missing } = await expandReferences({ ...file, value: shown }, options.env);
  notices.push(...missing);
  return { origin: path, kind, value, shown, file };
}

function ignoredNotice(path: string, ignored: readonly string[], isTrusted: boolean): string {
  const keys = ignored.join(', ');
  return isTrusted
    ? `${path}: ${keys} is without effect: a project may only deny, ask, and make the mode stricter`
    : `${path} is not trusted, so ${keys} is without effect; /trust or \`llmcode config trust\` changes that`;
}
