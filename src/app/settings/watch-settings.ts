import { homedir } from 'node:os';
import path from 'node:path';
import { watch } from 'chokidar';
import { type Clock, systemClock } from '#lib/clock.ts';
import { log } from '#lib/log.ts';
import type { Composition } from '../compose.ts';
import { claudeSettingsFiles } from './claude-hooks.ts';
import { configPaths } from './config-paths.ts';

/** Editors write a file in several steps; they are one change. */
const settleMs = 150;

/**
 * Follows the config files of a session and tells what changed once they are valid again. Wakes up only when the
 * system reports a change, and does not keep the process alive. Returns how to stop.
 */
export function watchSettings(
  composition: Composition,
  options: { onChange(changed: string[]): void; onError(error: unknown): void; clock?: Clock },
): () => Promise<void> {
  const { clock = systemClock, onChange, onError } = options;
  const { project } = composition.settings;
  const files = [
    ...Object.values(configPaths(composition.home, project)),
    ...claudeSettingsFiles(homedir(), project).map(({ file }) => file),
  ];
  const watcher = watch(files, { persistent: false, ignoreInitial: true, usePolling: false });
  let cancel = (): void => undefined;
  const check = () => {
    cancel();
    cancel = clock.after(settleMs, () => {
      composition.reload().then(
        (changed) => {
          if (changed.length > 0) onChange(changed);
        },
        (error: unknown) => onError(error),
      );
    });
  };
  watcher.on('all', check);
  // What changed after the settings were read and before this was watching.
  watcher.on('ready', check);
  watcher.on('error', (error) => log('settings are not watched:', error));
  return async () => {
    cancel();
    await watcher.close();
  };
}

/** Tells that one of the files was made, changed or removed. Returns how to stop. */
export function watchFiles(
  files: readonly string[],
  onChange: () => void,
  clock: Clock = systemClock,
): () => Promise<void> {
  const watcher = watch([...files], { persistent: false, ignoreInitial: true, usePolling: false });
  let cancel = (): void => undefined;
  const tell = () => {
    cancel();
    cancel = clock.after(settleMs, onChange);
  };
  watcher.on('all', tell);
  // What changed after the files were read and before this was watching.
  watcher.on('ready', tell);
  watcher.on('error', (error) => log('files are not watched:', error));
  return async () => {
    cancel();
    await watcher.close();
  };
}

/** Tells the id of each theme whose file was made, changed or removed in one of the folders. Returns how to stop. */
export function watchThemes(
  folders: readonly string[],
  onChange: (id: string) => void,
  clock: Clock = systemClock,
): () => Promise<void> {
  const watcher = watch([...folders], {
    persistent: false,
    ignoreInitial: true,
    usePolling: false,
    depth: 0,
  });
  const cancels = new Map<string, () => void>();
  watcher.on('all', (_event, file) => {
    const { name, ext } = path.parse(file);
    if (ext !== '.json') return;
    cancels.get(name)?.();
    cancels.set(
      name,
      clock.after(settleMs, () => onChange(name)),
    );
  });
  watcher.on('error', (error) => log('themes are not watched:', error));
  return async () => {
    for (const cancel of cancels.values()) cancel();
    await watcher.close();
  };
}
