import { z } from 'zod';
import { firingClaudeNames, firingNames, standingOfClaudeName, standingOfPattern } from './event-names.ts';
import { fillCommand } from './fill-command.ts';
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

/** Claude Code's form. Keys that have no effect here are let through and named when a session starts. */
const nestedHook = z.looseObject({
  type: z.literal('command', { error: 'only hooks of type "command" run here' }),
  command: z.string().min(1),
  args: z.array(z.string()).optional().describe('given, command is a program; else a shell command'),
  timeout: z.number().positive().max(maxTimeout).default(600).describe('seconds'),
  on_error: onError.optional(),
});

const matcher = z
  .string()
  .default('')
  .superRefine((text, ctx) => {
    const problem = matcherProblem(text);
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
  });

const nestedHooks = z
  .record(z.string(), z.array(z.looseObject({ matcher, hooks: z.array(nestedHook) })))
  .superRefine((events, ctx) => {
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
