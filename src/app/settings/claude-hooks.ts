import path from 'node:path';
import { type HookSource, readForeignHooks } from '#hooks/settings.ts';
import { errorText } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import { readConfigFile } from './config-file.ts';

/** Settings of Claude Code's that may hold hooks, weakest first. */
export function claudeSettingsFiles(
  userHome: string,
  project: string,
): { file: string; owner: 'user' | 'project' }[] {
  const user = path.join(userHome, '.claude', 'settings.json');
  const ours = ['settings.json', 'settings.local.json'].map((name) => path.join(project, '.claude', name));
  return [
    { file: user, owner: 'user' },
    // In the home folder the project's file would be the person's own one.
    ...ours
      .filter((file) => realPathOf(file) !== realPathOf(user))
      .map((file) => ({ file, owner: 'project' as const })),
  ];
}

/**
 * The hooks in Claude Code's settings of the person and, when it is trusted, of the project. `disableAllHooks` of a
 * project turns off its own, never those of the person. Never throws: what cannot be read is a notice.
 */
export async function claudeHookSources(options: {
  userHome: string;
  project: string;
  isTrusted: boolean;
}): Promise<{ sources: HookSource[]; notices: string[] }> {
  const sources: HookSource[] = [];
  const notices: string[] = [];
  let isOff = false;
  for (const { file, owner } of claudeSettingsFiles(options.userHome, options.project)) {
    const value = await readValue(file, notices);
    if (!value) continue;
    const disables = value['disableAllHooks'] === true;
    if (disables && owner === 'user') isOff = true;
    if (value['hooks'] === undefined || disables || isOff) continue;
    if (owner === 'project' && !options.isTrusted) {
      notices.push(
        `${file} is not trusted, so its hooks do not run; /trust or \`llmcode config trust\` changes that`,
      );
      continue;
    }
    const { hooks, problems } = readForeignHooks(value['hooks']);
    notices.push(...problems.map((text) => `${file}: ${text}; it is left out`));
    if (Object.keys(hooks).length > 0) sources.push({ file, hooks });
  }
  return { sources, notices };
}

async function readValue(file: string, notices: string[]): Promise<Record<string, unknown> | undefined> {
  try {
    return (await readConfigFile(file))?.value;
  } catch (error) {
    notices.push(`The hooks in ${file} are not used: ${errorText(error)}`);
    return undefined;
  }
}
