import { z } from 'zod';
import { firingClaudeNames, firingNames, standingOfClaudeName, standingOfPattern } from './event-names.ts';
import { fillCommand } from './fill-command.ts';
import { isAllowedUrl } from './hook-url.ts';
import { matcherProblem } from './matcher.ts';

const maxTimeout = 3_600;
const onError = z.enum(['warn', 'ignore', 'deny']);

const eventPattern = z
  .string()
  .min(1)
  .refine((pattern) => standingOfPattern(pattern) !== 'unknown', {
    error: () => `there is no such event; there are ${firingNames()}; or a pattern such as session.*`,
  });

const listedKeys = {
  event: eventPattern,
  tool_pattern: z.string().min(1).default('*').describe('names of tools with *, several apart by |'),
  command: z
    .string()
    .min(1)
    .superRefine((command, ctx) => {
      const filled = fillCommand(command, {});
      if ('problem' in filled) ctx.addIssue({ code: 'custom', message: filled.problem });
    })
    .describe('for bash; {path} and other fields of the input stand for their values'),
  timeout: z.number().positive().max(maxTimeout).default(10).describe('seconds'),
  on_error: onError.default('warn').describe('what a hook that breaks or hangs means'),
};

/** The list form. Not a strict object: beside the other form, whose keys are free, that would not be told. */
const listedHook = z.looseObject(listedKeys).superRefine((hook, ctx) => {
  for (const key of Object.keys(hook)) {
    if (Object.hasOwn(listedKeys, key)) continue;
    const message = `unknown key; known here: ${Object.keys(listedKeys).join(', ')}`;
    ctx.addIssue({ code: 'custom', path: [key], message });
  }
});

/** Of Claude Code's form, for each type. Keys that have no effect here are let through and named when a session starts. */
const nestedKeys = {
  timeout: z.number().positive().max(maxTimeout).optional().describe('seconds'),
  on_error: onError.optional(),
  if: z.string().min(1).optional().describe('a permission rule that the call must fall under'),
  async: z.boolean().optional(),
  once: z.boolean().optional(),
};

const nestedHook = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.literal('command'),
      command: z.string().min(1),
      args: z.array(z.string()).optional().describe('given, command is a program; else a shell command'),
      ...nestedKeys,
    }),
    z.looseObject({
      type: z.literal('http'),
      url: z.string().refine(isAllowedUrl, { error: 'only https, or http on this machine' }),
      headers: z.record(z.string(), z.string()).default({}),
      allowedEnvVars: z.array(z.string()).default([]).describe('variables that headers may name as $NAME'),
      ...nestedKeys,
    }),
    z.looseObject({
      type: z.literal('prompt'),
      prompt: z.string().min(1).describe('a yes or no question; $ARGUMENTS stands for what happens'),
      model: z.string().min(1).optional(),
      ...nestedKeys,
    }),
  ],
  { error: 'a hook is of type "command", "http" or "prompt"' },
);

const matcher = z
  .string()
  .default('')
  .superRefine((text, ctx) => {
    const problem = matcherProblem(text);
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
  });

const nestedGroup = z.looseObject({ matcher, hooks: z.array(nestedHook) });

const nestedHooks = z.record(z.string(), z.array(nestedGroup)).superRefine((events, ctx) => {
  for (const name of Object.keys(events)) {
    if (standingOfClaudeName(name) !== 'unknown') continue;
    ctx.addIssue({
      code: 'custom',
      path: [name],
      message: `there is no such event; there are ${firingClaudeNames()}`,
    });
  }
});

/** The slice of the config that this room reads: a list of hooks, or Claude Code's form by event and matcher. */
export const hookSettings = z.object({
  hooks: z.union([z.array(listedHook), nestedHooks]).default([]),
});
export type HookSettings = z.infer<typeof hookSettings>;
export type ListedHook = z.infer<typeof listedHook>;
export type NestedHooks = z.infer<typeof nestedHooks>;
export type NestedHook = z.infer<typeof nestedHook>;

/** The hooks of one file. */
export type HookSource = { file: string; hooks: HookSettings['hooks'] };

/**
 * The hooks in a settings file of Claude Code's. It was not written for us: what makes no sense here costs itself
 * alone, and is named.
 */
export function readForeignHooks(written: unknown): { hooks: NestedHooks; problems: string[] } {
  const hooks: NestedHooks = {};
  const problems: string[] = [];
  const events = z.record(z.string(), z.array(z.unknown())).safeParse(written);
  if (!events.success) return { hooks, problems: ['hooks: expected lists by event'] };
  for (const [name, groups] of Object.entries(events.data)) {
    if (standingOfClaudeName(name) === 'unknown') {
      problems.push(`hooks.${name}: there is no such event`);
      continue;
    }
    const read = groups.flatMap((group, index) => readGroup(group, `hooks.${name}[${index}]`, problems));
    if (read.length > 0) hooks[name] = read;
  }
  return { hooks, problems };
}

const looseGroup = z.looseObject({ matcher, hooks: z.array(z.unknown()) });

function readGroup(written: unknown, place: string, problems: string[]): NestedHooks[string] {
  const group = looseGroup.safeParse(written);
  if (!group.success) {
    problems.push(`${place}: ${issueText(group.error)}`);
    return [];
  }
  const hooks = group.data.hooks.flatMap((one, index) => {
    const hook = nestedHook.safeParse(one);
    if (hook.success) return hook.data;
    problems.push(`${place}.hooks[${index}]: ${issueText(hook.error)}`);
    return [];
  });
  return hooks.length > 0 ? [{ ...group.data, hooks }] : [];
}

function issueText({ issues: [issue] }: z.ZodError): string {
  return issue ? [issue.path.join('.'), issue.message].filter((text) => text !== '').join(': ') : 'invalid';
}
