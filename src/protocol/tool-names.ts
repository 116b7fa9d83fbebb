// Free of zod, like every file here that the first paint needs.

/**
 * Our tools and the names that other agents, their hooks and their rules use for the same thing. One table for
 * the door of the engine, permission rules, hook matchers and the Claude-shaped stream.
 */
const aliases: Readonly<Record<string, readonly string[]>> = {
  read_file: ['Read'],
  write_file: ['Write'],
  append_file: [],
  edit_file: ['Edit'],
  multi_edit: ['MultiEdit'],
  apply_patch: [],
  list_directory: ['LS'],
  glob_search: ['Glob'],
  grep_search: ['Grep'],
  bash: ['Bash'],
  bash_output: ['BashOutput', 'TaskOutput'],
  bash_kill: ['KillShell', 'KillBash', 'TaskStop'],
  notebook_read: ['NotebookRead'],
  notebook_edit: ['NotebookEdit'],
  web_fetch: ['WebFetch'],
  web_search: ['WebSearch'],
  todo_write: ['TodoWrite'],
  ask_user: ['AskUserQuestion'],
  agent: ['Agent', 'Task'],
  tool_search: ['ToolSearch'],
  recall: [],
};

/** Words in the names of tools that say little of what they do. */
export const vagueToolWords: readonly string[] = ['file', 'files', 'tool', 'user'];

const ownNames = new Map<string, string>(
  Object.entries(aliases).flatMap(([own, others]) => others.map((other) => [other, own] as const)),
);

/** Our name of a tool that may be called by another agent's name; any other name is returned as it is. */
export function ownToolName(name: string): string {
  return ownNames.get(name) ?? name;
}

/** The name that Claude's hooks and streams know a tool of ours by; our own where it has none. */
export function claudeToolName(name: string): string {
  return (Object.hasOwn(aliases, name) ? aliases[name]?.[0] : undefined) ?? name;
}

/** Every name that means the same tool as `name`, ours first. */
export function toolNamesOf(name: string): readonly string[] {
  const own = ownToolName(name);
  return [own, ...(Object.hasOwn(aliases, own) ? (aliases[own] ?? []) : [])];
}

/** Claude's parameter names, by our tool and parameter, where they differ. */
const parameterNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read_file: { path: 'file_path' },
  write_file: { path: 'file_path' },
  append_file: { path: 'file_path' },
  edit_file: { path: 'file_path' },
  multi_edit: { path: 'file_path' },
  notebook_read: { path: 'notebook_path' },
  notebook_edit: { path: 'notebook_path' },
};

/** Claude's name of a parameter of a tool of ours. */
export function claudeParameterName(tool: string, parameter: string): string {
  return renamesOf(tool)[parameter] ?? parameter;
}

/** Our name of a parameter that Claude's hooks may have written. */
export function ownParameterName(tool: string, parameter: string): string {
  const own = Object.entries(renamesOf(tool)).find(([, claude]) => claude === parameter);
  return own?.[0] ?? parameter;
}

function renamesOf(tool: string): Readonly<Record<string, string>> {
  return (Object.hasOwn(parameterNames, tool) ? parameterNames[tool] : undefined) ?? {};
}
