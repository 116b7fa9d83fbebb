import type { ToolResult } from '#protocol/message.ts';
import type { BackgroundShell, ShellService } from '#protocol/shells.ts';
import { toolError } from '../result/tool-error.ts';
import { oneLine } from '../result/words.ts';

/** How a background command stands, for the model. */
export function stateText({
  id,
  command,
  state,
  exitCode,
  signal,
  startedAt,
  endedAt,
}: BackgroundShell): string {
  const name = `${id} (${oneLine(command).slice(0, 120)})`;
  const seconds = Math.round(((endedAt ?? Date.now()) - startedAt) / 1_000);
  switch (state) {
    case 'running':
      return `${name} is running, for ${seconds} s now.`;
    case 'exited':
      return `${name} ended after ${seconds} s: ${signal ?? `exit code ${exitCode}`}.`;
    case 'killed':
      return `${name} was ended after ${seconds} s.`;
    case 'lost':
      return `${name} ended with an earlier llmcode.`;
  }
}

export function noSuchShell(id: string, shells: ShellService | undefined): ToolResult {
  const known = (shells?.list() ?? []).map((shell) => shell.id).join(', ');
  return toolError(
    'no_such_shell',
    `There is no background command ${id}. ${known === '' ? 'None runs.' : `There are: ${known}.`}`,
  );
}
