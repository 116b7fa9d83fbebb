import { findSecrets } from '#lib/secrets.ts';

/** Characters of one entry: a fact, not a document. */
export const maxEntryChars = 1_000;

/** Why a text is not remembered; undefined when it may be. */
export function whyRefused(text: string): string | undefined {
  if (text === '') return 'there is no text';
  if (text.length > maxEntryChars)
    return `it has ${text.length} characters, ${maxEntryChars} at most; keep the fact, leave out the rest`;
  if (findSecrets(text).length > 0)
    return 'it holds what looks like a key, token or password; those are never remembered';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length >= 4 && share(lines, isPath) > 0.6)
    return 'it is a list of files, which the tools show as they are now';
  if (lines.length >= 2 && share(lines, isCommit) > 0.6)
    return 'it is a list of commits, which git log shows as they are now';
  if (lines.length >= 6 && share(lines, isCode) > 0.6)
    return 'it is source text, which is in the files; remember what is not written there';
  return undefined;
}

function share(lines: readonly string[], fits: (line: string) => boolean): number {
  return lines.filter(fits).length / lines.length;
}

const isPath = (line: string) => /^[\s*•├└│─-]*[\w.@-]*(?:\/[\w.@-]+)*\/?[\w@-]+\.\w{1,6}$/.test(line.trim());
const isCommit = (line: string) => /^[\s*•-]*(?:commit )?[0-9a-f]{7,40}\b/.test(line);
const isCode = (line: string) =>
  /[;{}]\s*$|^\s*(?:import|export|def|fn|func|class|return|if|for)\b.*[:{(]/.test(line);
