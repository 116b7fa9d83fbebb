import { cleanText } from '#lib/terminal-text.ts';
import type { Host } from '../host.ts';
import { examine, type Finding } from './examine.ts';

const marks = { ok: '✓', info: '·', warning: '!', error: '✗' };

export function findingLine({ level, check, text }: Finding): string {
  return `${marks[level]} ${check}: ${text}`;
}

/** All findings as Markdown, as they are. */
export async function doctorText(host: Host, cwd: string): Promise<string> {
  const lines: string[] = [];
  for await (const finding of examine(host, cwd)) lines.push(cleanText(findingLine(finding)));
  const fence = '`'.repeat(4);
  return `${fence}text\n${lines.join('\n').replaceAll(fence, "''''")}\n${fence}`;
}
