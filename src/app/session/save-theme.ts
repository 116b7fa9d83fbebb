import { configPaths, readConfigFile } from '../settings/config-file.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** Remembers a theme: in the person's own config file where that names one, else beside it. */
export async function saveTheme({ home, cwd }: InteractiveSession, id: string): Promise<void> {
  const file = configPaths(home, cwd).user;
  const config = await readConfigFile(file);
  if (config && Object.hasOwn(config.value, 'theme')) {
    const { writeSetting } = await import('../settings/write-setting.ts');
    await writeSetting(file, ['theme'], id, { isPrivate: true });
    return;
  }
  const { remember } = await import('../settings/choices.ts');
  await remember(home, 'theme', id);
}
