import { appendFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errnoOf } from '#lib/errors.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { projectKey } from '#lib/project-key.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import { scrubSecrets } from '#lib/secrets.ts';
import { type JsonValue, jsonValueSchema } from '#protocol/json.ts';
import { decisionReasonSchema, permissionModeSchema, type Resource } from '#protocol/permission.ts';
import type { DecisionEnd, PermissionCall } from '#protocol/permission-gate.ts';

/** Past this the file becomes the older one of two, so that a project's log never takes more than twice as much. */
const maxBytes = 2_000_000;
const maxText = 2_000;
const maxReasons = 5;

const resourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: z.string(), access: z.enum(['read', 'write']) }),
  z.object({ kind: z.literal('command'), command: z.string(), cwd: z.string() }),
  z.object({ kind: z.literal('host'), host: z.string() }),
  z.object({ kind: z.literal('peer'), peer: z.string() }),
]);

const entrySchema = z.object({
  /** ISO 8601. */
  time: z.string(),
  thread: z.string(),
  tool: z.string(),
  /** The call in one line. */
  what: z.string(),
  mode: permissionModeSchema,
  effect: z.enum(['none', 'read', 'write', 'exec', 'net']),
  /** Long texts are cut and secrets blanked out: enough to decide it again. */
  input: jsonValueSchema,
  resources: z.array(resourceSchema),
  decision: z.enum(['allow', 'ask', 'deny']),
  outcome: z.enum(['allowed', 'refused', 'edited', 'aborted']),
  by: z.enum(['rules', 'hook', 'person', 'nobody', 'interrupt']),
  answer: z.enum(['once', 'always', 'edit', 'reject']).optional(),
  reasons: z.array(decisionReasonSchema),
});
export type DecisionEntry = z.infer<typeof entrySchema>;

/** With the person, not in the project. */
export function decisionsFile(home: string, cwd: string): string {
  return path.join(home, 'projects', projectKey(cwd), 'decisions.jsonl');
}

/** Adds one line to the log. Throws the system's error when it cannot be written. */
export function addDecision(
  file: string,
  call: PermissionCall,
  { end, thread, time }: { end: DecisionEnd; thread: string; time: number },
): void {
  const { tool, effect, mode } = call;
  const { decision, outcome, by, answer, reasons } = end;
  const entry: DecisionEntry = {
    time: new Date(time).toISOString(),
    thread,
    tool,
    what: whatOf(call),
    mode,
    effect,
    input: shortened(call.input),
    resources: call.resources.map(clean),
    decision,
    outcome,
    by,
    ...(answer === undefined ? {} : { answer }),
    reasons: reasons.slice(0, maxReasons).map((reason) => ({ ...reason, text: scrubSecrets(reason.text) })),
  };
  makeFolder(path.dirname(file));
  if (sizeOf(file) > maxBytes) renameSync(file, olderFile(file));
  appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

/** The newest decisions, oldest first. A line that cannot be read is passed over; no file is no decisions. */
export function readDecisions(file: string, { limit }: { limit: number }): DecisionEntry[] {
  const lines = [olderFile(file), file].flatMap((each) => readText(each).split('\n'));
  const entries: DecisionEntry[] = [];
  for (let at = lines.length - 1; at >= 0 && entries.length < limit; at -= 1) {
    const entry = readEntry(lines[at] ?? '');
    if (entry) entries.push(entry);
  }
  return entries.reverse();
}

function readEntry(line: string): DecisionEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // A crash may have cut the line.
  }
}

function readText(file: string): string {
  try {
    return readRegularTextSync(file, { maxBytes: 2 * maxBytes });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return '';
    throw error;
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

const olderFile = (file: string) => file.replace(/\.jsonl$/, '.1.jsonl');

function whatOf({ resources, input }: PermissionCall): string {
  const command = resources.find((resource) => resource.kind === 'command');
  const named = resources.find((resource) => resource.kind !== 'command');
  const text = command?.command ?? (named && nameOf(named)) ?? JSON.stringify(shortened(input));
  const line = scrubSecrets(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function nameOf(resource: Exclude<Resource, { kind: 'command' }>): string {
  switch (resource.kind) {
    case 'path':
      return resource.path;
    case 'host':
      return resource.host;
    case 'peer':
      return resource.peer;
  }
}

function clean(resource: Resource): Resource {
  return resource.kind === 'command' ? { ...resource, command: scrubSecrets(resource.command) } : resource;
}

function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const text = scrubSecrets(value.slice(0, maxText));
    return value.length > maxText ? `${text}…` : text;
  }
  if (Array.isArray(value)) return value.slice(0, 20).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shortened(field)]));
}
