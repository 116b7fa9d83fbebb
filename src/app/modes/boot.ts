// Nothing is loaded here but what the very first frame is drawn with.
import { llmcodeHome } from '#lib/paths.ts';
import { type BootScreen, openBootScreen } from '#ui/boot/boot-screen.ts';
import { loadScreenInSteps } from '#ui/boot/load-screen.ts';
import { firstTheme } from '#ui/frame/theme-choice.ts';
import { folderLabel, workingFolder } from '../cwd.ts';
import type { Host } from '../host.ts';
import { packageVersion } from '../package-files.ts';
import { peekSettings } from '../settings/peek-settings.ts';
import { createThemeFiles } from '../theme-files.ts';

export { loadScreenInSteps };

/** The first frame of a session that nothing was asked of. undefined: the screen comes as a whole, or says why not. */
export function openBoot(host: Host): BootScreen | undefined {
  const { env, stdin, stdout } = host;
  // Windows consoles need other bytes.
  if (process.platform === 'win32' || !env['TERM'] || env['TERM'] === 'dumb') return undefined;
  try {
    const home = llmcodeHome(env);
    const cwdLabel = folderLabel(workingFolder(host, undefined));
    const { theme: themeId, mode, editorMode } = peekSettings({ home, env, flags: {} });
    const { load } = createThemeFiles(home);
    const theme = firstTheme({ themeId, loadText: load, env });
    const isVim = editorMode === 'vim';
    return openBootScreen({ theme, version: packageVersion(), cwdLabel, mode, isVim }, { stdin, stdout });
  } catch {
    return undefined; // Whatever it is, the session meets it too and reports it.
  }
}
