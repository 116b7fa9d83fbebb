import { createInterface } from 'node:readline';
import { z } from 'zod';
import { findTool, readInput } from '#engine/turn/tool-input.ts';
import { jsonText } from '#lib/json-text.ts';
import { nearestName } from '#lib/nearest.ts';
import { jsonValueSchema } from '#protocol/json.ts';
import type { PermissionDecision, PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import { parsePermissionMode, permissionModeNames } from '#protocol/permission-mode.ts';
import type { Composition } from '../../compose.ts';
import type { Host } from '../../host.ts';
import { say } from '../../say.ts';
import { usageError } from '../usage-error.ts';
import { openComposition } from './open-composition.ts';
import { registerRuleCommands } from './permission-rules.ts';
import type { Subcommand } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string; mode?: string };

export const permissionsSubcommand: Subcommand = {
  name: 'permissions',
  register(program, context) {
    const { host, act } = context;
    const permissions = program
      .command('permissions')
      .description('list, explain, change and try out permission rules');
    registerRuleCommands(permissions, context, readMode);
    permissions
      .command('check')
      .description('reads JSON lines {"id","tool","input"} and prints {"id","decision","reasons"} for each')
      .option('--mode <mode>', 'as if in this mode')
      .option('--json', 'add schema_version to each line')
      .option('--cwd <folder>', 'as if started there')
      .action(act((options: Options) => check(host, options)));
  },
};

const callSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  tool: z.string(),
  input: jsonValueSchema.default({}),
});
type CheckedCall = z.infer<typeof callSchema>;

async function check(host: Host, options: Options): Promise<number> {
  const composition = await openComposition(host, options);
  const mode = options.mode === undefined ? composition.mode : readMode(options.mode);
  await composition.sandbox.program();
  const gate = composition.createGate();
  const version = options.json ? { schema_version: 1 } : {};
  let number = 0;
  if (host.stdin.isTTY)
    say(host.stderr, 'One call a line, e.g. {"tool":"bash","input":{"command":"ls"}}; Ctrl+D ends.');
  for await (const line of createInterface({ input: host.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const call = readLine(line, number);
    const { decision, reasons } = await decide(composition, { gate, mode, call });
    host.stdout.write(`${jsonText({ ...version, id: call.id, decision, reasons })}\n`);
  }
  return 0;
}

/** The same steps that the engine takes with a call before it runs it. */
async function decide(
  { tools, cwd, roots }: Composition,
  { gate, mode, call }: { gate: PermissionGate; mode: PermissionMode; call: CheckedCall },
): Promise<PermissionDecision> {
  const tool = findTool(tools, call.tool);
  // A tool of a server that is not connected can still be named in rules; what it does is not known.
  if (!tool) return gate.decide({ tool: call.tool, effect: 'exec', input: call.input, resources: [], mode });
  const ready = readInput(tool, call.input);
  if (typeof ready === 'string')
    return { decision: 'deny', reasons: [{ check: 'invalid-input', text: ready }] };
  const resources = tool.touches(ready.input, { cwd, roots });
  return gate.decide({ tool: tool.name, effect: tool.effect, input: ready.input, resources, mode });
}

function readLine(line: string, number: number): CheckedCall {
  try {
    return callSchema.parse(JSON.parse(line));
  } catch {
    throw usageError(
      `line ${number} of standard input is no call; each line is {"id": …, "tool": "bash", "input": {…}}`,
    );
  }
}

function readMode(text: string): PermissionMode {
  const mode = parsePermissionMode(text);
  if (mode) return mode;
  const near = nearestName(text, permissionModeNames);
  throw usageError(`there is no mode '${text}'${near ? `; did you mean '${near}'?` : ''}`);
}
