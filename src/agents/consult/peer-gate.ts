import path from 'node:path';
import { isInside, realPathOf } from '#lib/paths.ts';
import { scrubSecrets } from '#lib/secrets.ts';
import type { HookEvent, HookRunner } from '#protocol/hook.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { decideRead } from './collect.ts';

/** Looking is all that a peer may do. */
const peerTools = ['read_file', 'list_directory', 'glob_search', 'grep_search'];

/**
 * Decisions for a peer: reading in the workspace and nothing else, whatever rules or modes say for the person's own
 * model. The folder of llmcode, where all conversations lie, is closed to it but for what its own calls stored.
 */
export function peerGate(
  gate: PermissionGate,
  { home, roots }: { home: string; roots: readonly string[] },
): PermissionGate {
  const closed = realPathOf(home);
  // A sample workspace may lie in the folder of llmcode.
  const open = roots.map(realPathOf).filter((root) => isInside(root, closed));
  const isClosed = (file: string) => {
    const names = [path.resolve(file), realPathOf(file)];
    return names.some((name) => isInside(name, closed) && !open.some((folder) => isInside(name, folder)));
  };
  const refusal = (text: string) => ({
    decision: 'deny' as const,
    reasons: [{ check: 'peer-reads-only', text }],
  });
  return {
    decide(call) {
      if (call.effect !== 'read') return refusal('a peer only reads');
      for (const resource of call.resources) {
        if (resource.kind !== 'path') return refusal('a peer only reads files');
        if (isClosed(resource.path)) return refusal(`${resource.path} is not for a peer`);
      }
      const decided = gate.decide({ ...call, mode: 'read_only' });
      return decided.decision === 'ask' ? { ...decided, decision: 'deny' } : decided;
    },
    allow: (rule, scope) => gate.allow(rule, scope),
    allowReading(folder) {
      open.push(realPathOf(folder));
      gate.allowReading(folder);
    },
    note: (call, end) => gate.note?.(call, end),
  };
}

/** The tools of a peer. What they find leaves the machine: secrets are blanked out, files of secrets passed over. */
export function toolsForPeer(tools: readonly ToolDef[], gate: PermissionGate): ToolDef[] {
  return tools
    .filter(({ name }) => peerTools.includes(name))
    .map((tool) => ({
      ...tool,
      async run(input, ctx) {
        const result = await tool.run(input, ctx);
        const mayRead = (name: string) => decideRead(path.resolve(ctx.cwd, name), gate).decision === 'allow';
        return withTexts(result, (text) =>
          scrubSecrets(tool.name === 'grep_search' ? withoutClosedFiles(text, mayRead) : text),
        );
      },
    }));
}

function withTexts(result: ToolResult, change: (text: string) => string): ToolResult {
  return {
    ...result,
    forModel: result.forModel.map((each) =>
      each.kind === 'text' ? { ...each, text: change(each.text) } : each,
    ),
  };
}

/** Hits stand in blocks below the name of their file; a bare list has a name on each line. */
function withoutClosedFiles(text: string, mayRead: (name: string) => boolean): string {
  const blocks = text.split('\n\n').filter((block) => {
    const [head = '', ...lines] = block.split('\n');
    const hasHits = lines.some((line) => /^\d+[:-]/.test(line));
    return !hasHits || mayRead(head);
  });
  const kept = blocks.join('\n\n');
  return kept === '' ? 'Nothing that a peer may read matches.' : kept;
}

const heard: readonly HookEvent['event'][] = ['tool-before', 'tool-denied', 'http'];

/** Hooks may refuse a peer's calls and watch them; nothing of what they would tell a model goes to a peer. */
export function hooksForPeer(hooks: HookRunner): HookRunner {
  return {
    async fire(event, options) {
      if (!heard.includes(event.event)) return { decision: 'continue', notices: [] };
      const { context: _context, ...outcome } = await hooks.fire(event, options);
      return outcome;
    },
  };
}
