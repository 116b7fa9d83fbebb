import { z } from 'zod';
import { parsePermissionMode, permissionModeNames } from '#protocol/permission-mode.ts';

const modeSchema = z.string().transform((text, ctx) => {
  const mode = parsePermissionMode(text);
  if (mode) return mode;
  ctx.addIssue({ code: 'custom', message: `expected one of ${permissionModeNames.join(', ')}` });
  return z.NEVER;
});

const ruleList = z.array(z.string()).default([]);

/** The slice of the config that this room reads. */
export const permissionSettings = z.object({
  /** Older spelling of `permissions.mode`. */
  permission_mode: modeSchema.optional(),
  permissions: z
    .object({
      /** The mode that a thread starts in. */
      mode: modeSchema.optional(),
      /** Rules such as `Bash(npm test)`. In a project's own files only `ask` and `deny` count. */
      allow: ruleList,
      ask: ruleList,
      deny: ruleList,
      /** Folders outside the workspace that count as workspace. */
      additional_directories: ruleList,
      /** Folders outside the workspace that may be read without asking. */
      readable_directories: ruleList,
    })
    .prefault({}),
});
export type PermissionSettings = z.infer<typeof permissionSettings>;
