import { existsSync } from 'node:fs';
import path from 'node:path';
import globalPrompt from '../turn/prompt.md';

export type SystemPromptParts = {
  /** Who the model is, where it is not the agent that works for the person. */
  role?: string | undefined;
  cwd: string;
  roots: readonly string[];
  /** Where temporary files need no permission. */
  scratch?: string | undefined;
  /** The project's own instruction files, in the order in which they count. */
  instructions: readonly string[];
  platform: NodeJS.Platform;
  /** False: nobody is there to answer. */
  canAsk: boolean;
  /** When the thread was opened, milliseconds since 1970. */
  openedAt: number;
};

/**
 * The blocks of the system prompt, most stable first: the same for everybody, for this project, for this session.
 * Made once for an open thread and then left alone: what changes in it would throw away the provider's prefix cache.
 */
export function systemPrompt(parts: SystemPromptParts): string[] {
  const blocks = [parts.role ?? globalPrompt, projectBlock(parts), sessionBlock(parts)];
  return blocks.map((block) => block.trim()).filter((block) => block !== '');
}

function projectBlock({ cwd, roots, instructions, platform }: SystemPromptParts): string {
  const others = roots.filter((root) => root !== cwd);
  const lines = [
    '# This project',
    `Working folder: ${cwd}${existsSync(path.join(cwd, '.git')) ? ' (a git repository)' : ''}. Paths may be relative to it.`,
    ...(others.length > 0 ? [`Workspace folders: ${others.join(', ')}`] : []),
    `System: ${platform}`,
  ];
  return [lines.join('\n'), ...instructions.map((block) => block.trim())].join('\n\n');
}

/** The day only: a clock would make every request a new one. */
function sessionBlock({ openedAt, canAsk, role, scratch }: SystemPromptParts): string {
  const day = new Date(openedAt);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  const unattended = role === undefined ? `${nobody}, ${alone}` : `${nobody}.`;
  const temporary =
    scratch === undefined
      ? ''
      : `\n\nTemporary files go into ${scratch} ($TMPDIR in bash), not elsewhere in /tmp: writing there needs no permission. It is deleted when the session ends.`;
  return `${canAsk ? '' : `${unattended}\n\n`}Today is ${date.join('-')}.${temporary}`;
}

const nobody = 'Nobody is there to answer in this run';
const alone =
  'and what would need permission is refused: decide yourself, finish what can be done, and say what you assumed.';
