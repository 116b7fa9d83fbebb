import { z } from 'zod';
import { jsonValueSchema } from './json.ts';
import { permissionModes } from './permission-mode.ts';
import type { CommandGrant } from './sandbox.ts';
import { toolViewSchema } from './tool-view.ts';

export const permissionModeSchema = z.enum(permissionModes);
export type PermissionMode = (typeof permissionModes)[number];

/** What a tool does at most; plan and read_only refuse by this, not by tool name. */
export type ToolEffect = 'none' | 'read' | 'write' | 'exec' | 'net';

/** One thing that a call touches. Paths are absolute. */
export type Resource =
  | { kind: 'path'; path: string; access: 'read' | 'write' }
  /** `searchPath`: the PATH it runs with, where that is not the one at the start. */
  | { kind: 'command'; command: string; cwd: string; searchPath?: string }
  | { kind: 'host'; host: string }
  /** What is sent to another model or agent; `peer` as the call names it. */
  | { kind: 'peer'; peer: string };

/** `check` is a stable id, e.g. `mode-prompt-write`; `source` is the file of the rule or hook that decided. */
export const decisionReasonSchema = z.object({
  check: z.string(),
  text: z.string(),
  rule: z.string().optional(),
  source: z.string().optional(),
  /** The line of the rule in its file, from 1. */
  line: z.number().optional(),
  /** What the hook that decided runs, in one short line. */
  hook: z.string().optional(),
  /** Said for the person beside the reasons; it decided nothing. */
  isRemark: z.boolean().optional(),
});
export type DecisionReason = z.infer<typeof decisionReasonSchema>;

export type PermissionDecision = {
  decision: 'allow' | 'ask' | 'deny';
  /** Never empty; the first one decided. */
  reasons: DecisionReason[];
  /** With `ask`: the smallest rule that would have allowed this call, if there is a sensible one. */
  suggestedRule?: string;
  /** Of a command: what a sandbox leaves it, once it is allowed. */
  grant?: CommandGrant;
  /** Where each path that the call opens led when it was decided; it must still lead there when it is opened. */
  paths?: readonly { path: string; real: string }[];
};

const ruleExamplesSchema = z.object({ covers: z.array(z.string()), leaves: z.array(z.string()) });
export type RuleExamples = z.infer<typeof ruleExamplesSchema>;

export const permissionRequestSchema = z.object({
  id: z.string(),
  callId: z.string(),
  tool: z.string(),
  title: z.string(),
  input: jsonValueSchema,
  cwd: z.string(),
  /** The whole command, when the call runs one. */
  command: z.string().optional(),
  /** What would be written, computed in memory. */
  view: toolViewSchema.optional(),
  reasons: z.array(decisionReasonSchema),
  suggestedRule: z.string().optional(),
  /** Calls that the suggested rule would let run, and near ones that it would not. */
  ruleExamples: ruleExamplesSchema.optional(),
});
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;

export const permissionAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  /** Adds the allow rule and decides everything that waits anew. */
  z.object({ kind: z.literal('always'), rule: z.string(), scope: z.enum(['session', 'project']) }),
  /** Runs the call with another input; it is decided again first. */
  z.object({ kind: z.literal('edit'), input: jsonValueSchema }),
  /** With feedback the turn goes on and the model reads it; without, the turn goes on with a plain refusal. */
  z.object({ kind: z.literal('reject'), feedback: z.string().optional() }),
]);
export type PermissionAnswer = z.infer<typeof permissionAnswerSchema>;
