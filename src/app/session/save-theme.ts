import { remember } from '../settings/choices.ts';
import { readConfigFile } from '../settings/config-file.ts';
import { configPaths } from '../settings/config-paths.ts';
import { writeSetting } from '../settings/write-setting.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** Remembers a theme: in the person's own config file where that names one, else beside it. */
export async function saveTheme(session: InteractiveSession, id: string): Promise<void> {
  await write(session, { setting: 'theme', choice: 'theme', value: id });
}

/** Remembers how the prompt is edited, in the same places. */
export async function saveEditorMode(session: InteractiveSession, mode: 'emacs' | 'vim'): Promise<void> {
  await write(session, { setting: 'editor_mode', choice: 'editorMode', value: mode });
}

/** Remembers who gets the mouse, in the same places. */
export async function saveMouse(session: InteractiveSession, mouse: 'on' | 'off'): Promise<void> {
  await write(session, { setting: 'mouse', choice: 'mouse', value: mouse });
}

async function write(
  session: InteractiveSession,
  { setting, choice, value }: { setting: string; choice: 'theme' | 'editorMode' | 'mouse'; value: string },
): Promise<void> {
  const { home, cwd } = session;
  const file = configPaths(home, cwd).user;
  const config = await readConfigFile(file);
  if (config && Object.hasOwn(config.value, setting))
    await writeSetting(file, [setting], value, { isPrivate: true });
  else await remember(home, choice, value);
  await (await session.composition()).reload();
}
