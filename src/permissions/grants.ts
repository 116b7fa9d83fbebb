import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import lockfile from 'proper-lockfile';
import { z } from 'zod';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { errnoOf, errorText, LlmcodeError } from '#lib/errors.ts';
import { projectKey } from '#lib/project-key.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';

const grantsSchema = z.looseObject({
  schema_version: z.literal(1),
  allow: z.array(z.string()).default([]),
  ask: z.array(z.string()).default([]),
  deny: z.array(z.string()).default([]),
});
type Grants = z.infer<typeof grantsSchema>;

const maxBytes = 4_194_304;

/** What the person allowed always for a project lies with the person, not in the project. */
export function grantsFile(home: string, cwd: string): string {
  return path.join(home, 'projects', projectKey(cwd), 'permissions.json');
}

/** The saved rules; `problem` when the file is there but cannot be used. */
export function readGrants(file: string): { grants: Grants; problem?: string } {
  const none: Grants = { schema_version: 1, allow: [], ask: [], deny: [] };
  try {
    return { grants: grantsSchema.parse(JSON.parse(readRegularTextSync(file, { maxBytes }))) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { grants: none };
    return { grants: none, problem: `${file} is not used: ${errorText(error)}. Mend or remove the file.` };
  }
}

/** Adds one allow rule. Rejects with `LlmcodeError` `rule-not-saved` and leaves the file as it was. */
export async function saveGrant(file: string, rule: string): Promise<void> {
  const folder = path.dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const release = await lockfile.lock(folder, {
      retries: { retries: 20, minTimeout: 20, maxTimeout: 200 },
    });
    try {
      const { grants, problem } = readGrants(file);
      if (problem !== undefined) throw new Error(problem);
      if (grants.allow.includes(rule)) return;
      const next: Grants = { ...grants, allow: [...grants.allow, rule] };
      await writePrivateFile(file, `${JSON.stringify(next, null, 2)}\n`);
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
