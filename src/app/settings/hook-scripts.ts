import path from 'node:path';
import { parse } from 'jsonc-parser';
import { isInside } from '#lib/paths.ts';
import { isRecord } from './settings-object.ts';

const maxScripts = 100;

/** Files of the project that its settings name in commands, e.g. `.claude/hooks/check.sh`: paths within `project`. */
export function hookScripts(settings: readonly string[], project: string): string[] {
  const commands = settings.flatMap((text) => {
    const value: unknown = parsed(text);
    return isRecord(value) ? commandTexts(value['hooks'], 0) : [];
  });
  const files = commands.flatMap((command) => pathsIn(command, project));
  return [...new Set(files)].sort().slice(0, maxScripts);
}

function parsed(text: string): unknown {
  try {
    return parse(text, [], { allowTrailingComma: true });
  } catch {
    return undefined; // Such a file takes no effect either.
  }
}

function commandTexts(value: unknown, depth: number): string[] {
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((each) => commandTexts(each, depth + 1));
  if (!isRecord(value)) return [];
  const { command, args } = value;
  return [
    ...(typeof command === 'string' ? [command] : []),
    ...(Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []),
    ...Object.values(value).flatMap((each) => commandTexts(each, depth + 1)),
  ];
}

/** Every word that could be the path of a file in the project. */
function pathsIn(command: string, project: string): string[] {
  return command
    .replaceAll(/\$\{?(CLAUDE|LLMCODE)_PROJECT_DIR\}?/g, project)
    .replaceAll(/["'\\]/g, '')
    .split(/[\s;&|()<>=`]+/)
    .filter((word) => word !== '' && !word.startsWith('-'))
    .map((word) => path.resolve(project, word))
    .filter((file) => file !== project && isInside(file, project))
    .map((file) => path.relative(project, file));
}
