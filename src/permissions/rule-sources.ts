import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { z } from 'zod';
import { errnoOf, errorText } from '#lib/errors.ts';
import { grantsFile, readGrants } from './grants.ts';
import { listLines } from './rules/list-lines.ts';
import type { RuleSource } from './rules/rule.ts';
import { type RuleEntry, readEntries } from './rules/written-rule.ts';

/** One config file of ours with the rules in it, as `app` read it. */
export type ConfigRules = {
  file: string;
  origin: 'user' | 'project' | 'local' | 'flag';
  permissions: { allow?: readonly RuleEntry[]; ask?: readonly RuleEntry[]; deny?: readonly RuleEntry[] };
};

type RuleSourceOptions = {
  cwd: string;
  home: string;
  userHome: string;
  configs: readonly ConfigRules[];
};

/**
 * Collects every file that holds permission rules: our config, what was allowed always for this project, and
 * Claude's settings of the person and of the project. Never throws: what cannot be read is a notice.
 */
export function loadRuleSources(options: RuleSourceOptions): { sources: RuleSource[]; notices: string[] } {
  const { cwd, home, userHome, configs } = options;
  const notices: string[] = [];
  const sources: RuleSource[] = configs.map(({ file, origin, permissions }) => ({
    file,
    origin,
    allow: permissions.allow ?? [],
    ask: permissions.ask ?? [],
    deny: permissions.deny ?? [],
  }));
  const saved = grantsFile(home, cwd);
  const { rules, problem } = readGrants(saved);
  if (problem !== undefined) notices.push(problem);
  sources.push({ file: saved, origin: 'user', ...rules });
  const add = (file: string, origin: 'claude-user' | 'claude-project') => {
    const found = readClaudeSettings(file);
    if (found === undefined) return;
    if (typeof found === 'string') notices.push(found);
    else sources.push({ file, origin, ...found });
  };
  add(path.join(userHome, '.claude', 'settings.json'), 'claude-user');
  for (const folder of new Set([repositoryRoot(cwd), cwd])) {
    // With the home folder as workspace its settings would count twice.
    if (folder === userHome) continue;
    add(path.join(folder, '.claude', 'settings.json'), 'claude-project');
    add(path.join(folder, '.claude', 'settings.local.json'), 'claude-project');
  }
  return { sources, notices };
}

/** Foreign files are read as far as they make sense: one bad entry costs that entry. */
const claudeSchema = z.looseObject({
  permissions: z
    .looseObject({ allow: z.unknown().optional(), ask: z.unknown().optional(), deny: z.unknown().optional() })
    .optional()
    .catch(undefined),
});

type RuleLists = Record<'allow' | 'ask' | 'deny', RuleEntry[]>;

const maxBytes = 1_000_000;

function readClaudeSettings(file: string): RuleLists | string | undefined {
  let text: string;
  try {
    // A project's file may be a link to a pipe, which never ends, or to a device, which has no end.
    const stats = statSync(file);
    if (!stats.isFile()) return `The permission rules in ${file} are not used: it is no regular file.`;
    if (stats.size > maxBytes) return `The permission rules in ${file} are not used: the file is too large.`;
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    return `The permission rules in ${file} are not used: ${errorText(error)}`;
  }
  const errors: ParseError[] = [];
  text = text.replace(/^\ufeff/, '');
  let tree: ReturnType<typeof parseTree>;
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser calls itself for each level: brackets without an end would end the stack.
    return `The permission rules in ${file} are not used: ${errorText(error)}`;
  }
  if (errors[0]) {
    const line = text.slice(0, errors[0].offset).split('\n').length;
    return `The permission rules in ${file} are not used: line ${line} is no valid JSON.`;
  }
  const parsed = claudeSchema.safeParse(tree && getNodeValue(tree));
  if (!parsed.success) return `The permission rules in ${file} are not used: expected an object.`;
  const lists = parsed.data.permissions ?? {};
  const list = (action: 'allow' | 'ask' | 'deny') =>
    readEntries(lists[action], listLines(text, tree, ['permissions', action]));
  return { allow: list('allow'), ask: list('ask'), deny: list('deny') };
}

function repositoryRoot(cwd: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (path.dirname(folder) === folder) return cwd;
  }
}
