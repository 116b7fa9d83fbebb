import { z } from 'zod';
import { type JsonValue, jsonValueSchema } from '#protocol/json.ts';

/** A call in short: the command, the path, the address, or the whole input of the tool. */
export type RuleExample = string | { [key: string]: JsonValue };

const exampleSchema = z.union([z.string(), z.record(z.string(), jsonValueSchema)]);

/** A rule as a file has it: its text, or with examples of what it is to match and what not. */
export const ruleEntrySchema = z.union([
  z.string(),
  z.strictObject({
    rule: z.string(),
    match: z.array(exampleSchema).optional(),
    not_match: z.array(exampleSchema).optional(),
  }),
]);

type FileEntry = z.infer<typeof ruleEntrySchema>;
/** `line`: where it stands in its file, from 1. */
export type WrittenRule = Exclude<FileEntry, string> & { line?: number | undefined };
export type RuleEntry = string | WrittenRule;

export function ruleText(entry: RuleEntry): string {
  return typeof entry === 'string' ? entry : entry.rule;
}

/** The entries of a list that are rules, each with its line. What is no rule is passed over. */
export function readEntries(list: unknown, lines: readonly number[]): RuleEntry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index): RuleEntry[] => {
    const parsed = ruleEntrySchema.safeParse(value);
    if (!parsed.success) return [];
    const line = lines[index];
    if (line === undefined) return [parsed.data];
    return [typeof parsed.data === 'string' ? { rule: parsed.data, line } : { ...parsed.data, line }];
  });
}
