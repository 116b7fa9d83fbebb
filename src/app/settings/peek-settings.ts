// Read before the first paint, so without a schema: what is wrong in the files is said once they are read in full.
import { parse } from 'jsonc-parser';
import type { Environment } from '#lib/paths.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import type { EditorMode, MouseUse } from '#protocol/command.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { parsePermissionMode } from '#protocol/permission-mode.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { readChoices } from './choices.ts';
import { configPaths } from './config-paths.ts';
import { valueAt } from './settings-object.ts';

/** As `config-file.ts` has it, which is too heavy here. */
const maxBytes = 4_194_304;

/** Theme and mode for the first frame, from the user's own file; the rest may correct it a moment later. */
export function peekSettings(options: { home: string; env: Environment; flags: SessionFlags }): {
  theme: string;
  mode: PermissionMode;
  editorMode: EditorMode;
  mouse: MouseUse;
} {
  const { home, env, flags } = options;
  const config = readLoosely(configPaths(home, home).user);
  const theme = env['LLMCODE_THEME'] || valueAt(config, ['theme']) || readChoices(home).theme;
  const editorMode =
    env['LLMCODE_EDITOR_MODE'] || valueAt(config, ['editor_mode']) || readChoices(home).editorMode;
  const mouse = env['LLMCODE_MOUSE'] || valueAt(config, ['mouse']) || readChoices(home).mouse;
  const modes = [
    flags.permissionMode,
    env['LLMCODE_PERMISSION_MODE'] || env['LLMCODE_PERMISSIONS__MODE'],
    valueAt(config, ['permissions', 'mode']),
  ];
  const mode = modes.find((each) => typeof each === 'string' && each !== '');
  return {
    theme: typeof theme === 'string' ? theme : 'auto',
    mode: (typeof mode === 'string' ? parsePermissionMode(mode) : undefined) ?? 'prompt',
    editorMode: editorMode === 'vim' ? 'vim' : 'emacs',
    mouse: mouse === 'off' ? 'off' : 'on',
  };
}

function readLoosely(file: string): unknown {
  try {
    return parse(readRegularTextSync(file, { maxBytes }), [], { allowTrailingComma: true });
  } catch {
    return undefined; // No config yet, or none that can be read.
  }
}
