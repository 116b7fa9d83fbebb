import { displayPath } from '#lib/paths.ts';
import type { WriteFollower } from '#protocol/languages.ts';
import type { FileState } from '#protocol/message.ts';
import { runFormatters } from './formatters.ts';
import type { Languages } from './languages.ts';

/** A patch may change hundreds of files; what follows is about the first few. */
const maxFiles = 8;

/** Formats what was written and says which errors are new. */
export function createWriteFollower({
  languages,
  formatters,
  env,
}: {
  languages: Pick<Languages, 'problemsAfterWrite'>;
  formatters(): Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
}): WriteFollower {
  return {
    afterWrite: async (all, { cwd, signal }) => {
      const files = all.slice(0, maxFiles);
      const notes: string[] = [];
      const fileStates: FileState[] = [];
      for (const file of files) {
        const { note, sha256 } = await runFormatters(file, { formatters: formatters(), cwd, env, signal });
        if (note !== undefined) notes.push(note);
        if (sha256 !== undefined) fileStates.push({ path: file, sha256 });
      }
      const found = await Promise.all(
        files.map(async (file) => ({ file, lines: await languages.problemsAfterWrite(file, { signal }) })),
      );
      for (const { file, lines } of found)
        if (lines.length > 0) notes.push(`New problems in ${displayPath(file, cwd)}:\n${lines.join('\n')}`);
      return { notes, fileStates };
    },
  };
}
