import path from 'node:path';
import { parseTree } from 'jsonc-parser';
import { z } from 'zod';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { errnoOf, errorText, LlmcodeError } from '#lib/errors.ts';
import { lockFolder } from '#lib/lock-folder.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { projectKey } from '#lib/project-key.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import { listLines } from './rules/list-lines.ts';
import type { RuleAction } from './rules/rule.ts';
import { type RuleEntry, readEntries, ruleEntrySchema, ruleText } from './rules/written-rule.ts';

const ruleList = z.array(ruleEntrySchema).default([]);
const grantsSchema = z.looseObject({
  schema_version: z.literal(1),
  allow: ruleList,
  ask: ruleList,
  deny: ruleList,
});
type Grants = z.infer<typeof grantsSchema>;

const maxBytes = 4_194_304;

/** What the person allowed always for a project lies with the person, not in the project. */
export function grantsFile(home: string, cwd: string): string {
  return path.join(home, 'projects', projectKey(cwd), 'permissions.json');
}

/** The saved rules; `problem` when the file is there but cannot be used. */
export function readGrants(file: string): { rules: Record<RuleAction, RuleEntry[]>; problem?: string } {
  const { grants, text = '', problem } = readFile(file);
  const tree = parseTree(text);
  const list = (action: RuleAction) => readEntries(grants[action], listLines(text, tree, [action]));
  const rules = { allow: list('allow'), ask: list('ask'), deny: list('deny') };
  return problem === undefined ? { rules } : { rules, problem };
}

function readFile(file: string): { grants: Grants; text?: string; problem?: string } {
  const none: Grants = { schema_version: 1, allow: [], ask: [], deny: [] };
  try {
    const text = readRegularTextSync(file, { maxBytes });
    return { grants: grantsSchema.parse(JSON.parse(text)), text };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { grants: none };
    return { grants: none, problem: `${file} is not used: ${errorText(error)}. Mend or remove the file.` };
  }
}

/** Adds one rule. Rejects with `LlmcodeError` `rule-not-saved` and leaves the file as it was. */
export async function saveGrant(file: string, rule: string, action: RuleAction = 'allow'): Promise<void> {
  await changeGrants(file, rule, (grants) =>
    grants[action].some((entry) => ruleText(entry) === rule)
      ? grants
      : { ...grants, [action]: [...grants[action], rule] },
  );
}

/** Takes a rule out. Rejects as `saveGrant` does. */
export async function removeGrant(file: string, rule: string, action: RuleAction): Promise<void> {
  await changeGrants(file, rule, (grants) => ({
    ...grants,
    [action]: grants[action].filter((entry) => ruleText(entry) !== rule),
  }));
}

async function changeGrants(file: string, rule: string, change: (grants: Grants) => Grants): Promise<void> {
  const folder = path.dirname(file);
  try {
    makeFolder(folder);
    const release = await lockFolder(folder, { staleMs: 10_000, retries: 20, waitMs: 20 });
    try {
      const { grants, problem } = readFile(file);
      if (problem !== undefined) throw new Error(problem);
      const next = change(grants);
      if (next !== grants) await writePrivateFile(file, `${JSON.stringify(next, null, 2)}\n`);
    } finally {
      await release();
    }
  } catch (error) {
    throw new LlmcodeError(
      'rule-not-saved',
      `The rule ${rule} could not be saved in ${file}: ${errorText(error)}`,
      {
        cause: error,
      },
    );
  }
}
