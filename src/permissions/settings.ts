import { z } from 'zod';
import { parsePermissionMode, permissionModeNames } from '#protocol/permission-mode.ts';
import { ruleEntrySchema } from './rules/written-rule.ts';
import { hostPattern } from './sandbox/network/host-list.ts';

const modeSchema = z.string().transform((text, ctx) => {
  const mode = parsePermissionMode(text);
  if (mode) return mode;
  ctx.addIssue({ code: 'custom', message: `expected one of ${permissionModeNames.join(', ')}` });
  return z.NEVER;
});

const folderList = z.array(z.string()).default([]);
const ruleList = z.array(ruleEntrySchema).default([]);

const sandboxMode = z.enum(['off', 'auto', 'required']);
const sandboxParts = z.strictObject({
  mode: sandboxMode
    .default('auto')
    .describe('auto: the commands of the model run in a sandbox where one works; required: or not at all'),
  network: z
    .union([
      z.enum(['asked', 'off', 'on']),
      z.strictObject({
        allow: z.array(z.string().regex(hostPattern, 'expected name, *.name or name:port')),
      }),
    ])
    .optional()
    .describe(
      'asked: for commands that were allowed more than reading; that is the default but for required; {allow: [...]}: all commands reach these hosts and no others',
    ),
  writable: folderList.describe('folders outside the workspace that commands in the sandbox may change'),
  readable: folderList.describe('files with secrets, e.g. .env.test, that commands in the sandbox may read'),
  auto_allow: z
    .boolean()
    .default(false)
    .describe('commands that stay in the workspace run in a working sandbox without being asked for'),
});
export type SandboxSettings = z.infer<typeof sandboxParts>;

/** The slice of the config that this room reads. */
export const permissionSettings = z.object({
  /** Older spelling of `permissions.mode`. */
  permission_mode: modeSchema.optional(),
  permissions: z
    .object({
      /** The mode that a thread starts in. */
      mode: modeSchema.optional(),
      /**
       * Rules such as `Bash(npm test)`, or `{rule, match, not_match}` with examples that `permissions test` runs. In a
       * project's own files only `ask` and `deny` count.
       */
      allow: ruleList,
      ask: ruleList,
      deny: ruleList,
      /** Folders outside the workspace that count as workspace. */
      additional_directories: folderList,
      /** Folders outside the workspace that may be read without asking. */
      readable_directories: folderList,
    })
    .prefault({}),
  /**
   * A mode alone is short for all the parts. Off until the person wants it: inside, process ids are others than
   * outside, and nothing can go on when llmcode ends.
   */
  sandbox: z
    .union([sandboxMode, sandboxParts])
    .transform((given) => (typeof given === 'string' ? sandboxParts.parse({ mode: given }) : given))
    .prefault('off'),
});
export type PermissionSettings = z.infer<typeof permissionSettings>;
