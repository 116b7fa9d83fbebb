import { remember } from '../settings/choices.ts';
import { readConfigFile } from '../settings/config-file.ts';
import { configPaths } from '../settings/config-paths.ts';
import { writeSetting } from '../settings/write-setting.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** Remembers a theme: in the person's own config file where that names one, else beside it. */
export async function saveTheme(session: InteractiveSession, id: string): Promise<void> {
  await write(session, id);
  await (await session.composition()).reload();
}

async function write({ home, cwd }: InteractiveSession, id: string): Promise<void> {
  const file = configPaths(home, cwd).user;
  const config = await readConfigFile(file);
  if (config && Object.hasOwn(config.value, 'theme')) {
    await writeSetting(file, ['theme'], id, { isPrivate: true });
    return;
  }
  await remember(home, 'theme', id);
}
