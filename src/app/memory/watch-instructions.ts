import { homedir } from 'node:os';
import { log } from '#lib/log.ts';
import { displayPath } from '#lib/paths.ts';
import { instructionPlaces } from '#memory/instruction-places.ts';
import { loadInstructions } from '#memory/instructions.ts';
import type { Composition } from '../compose.ts';
import { watchFiles } from '../settings/watch-settings.ts';

/**
 * Follows the instruction files of a session: what they say now goes to the model with the next message, and the
 * person is told. Returns how to stop.
 */
export function watchInstructions(
  { home, cwd, instructionFiles, news }: Pick<Composition, 'home' | 'cwd' | 'instructionFiles' | 'news'>,
  onChange: (text: string) => void,
): () => Promise<void> {
  const options = { cwd, home, userHome: homedir() };
  const told = new Map(instructionFiles.map(({ path, text }) => [path, text]));
  const look = async () => {
    const { files } = await loadInstructions(options);
    const now = new Map(files.map(({ path, text }) => [path, text]));
    const changed: string[] = [];
    for (const path of new Set([...told.keys(), ...now.keys()])) {
      const text = now.get(path) ?? '';
      if ((told.get(path) ?? '') === text) continue;
      told.set(path, text);
      const name = displayPath(path, cwd);
      changed.push(name);
      news.tell(
        text === ''
          ? `The instructions in ${name} were removed; they no longer count.`
          : `The instructions in ${name} changed. In place of what was there before, now:\n\n${text}`,
      );
    }
    if (changed.length > 0)
      onChange(`${changed.join(', ')} changed; the model is told with the next message.`);
  };
  // A file that comes and goes is looked at once for all; what is read counts, not the order of the events.
  let looking = Promise.resolve();
  return watchFiles(
    instructionPlaces(options).map(({ path }) => path),
    () => {
      looking = looking.then(look).catch((error: unknown) => log('instructions were not read again:', error));
    },
  );
}
