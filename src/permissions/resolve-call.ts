import path from 'node:path';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import type { CallPart, ResolvedCall } from './parts.ts';
import { globTargets } from './paths/glob-targets.ts';
import { isSecret } from './paths/names.ts';
import { pathFact } from './paths/path-fact.ts';
import { judgePath, type PathScope, type PathUse } from './paths/path-policy.ts';
import { analyseCommand } from './shell/analyse.ts';
import type { CommandPart, ShellAnalysis, ShellPathUse } from './shell/analysis.ts';
import type { Refusal } from './shell/argv.ts';

/**
 * Looks up everything that a decision needs: real paths, link counts, what a command would do. The only place in
 * this room that reads the disk for a decision.
 */
export function resolveCall(call: PermissionCall, scope: PathScope): ResolvedCall {
  const tool = ownToolName(call.tool);
  const parts: CallPart[] = [];
  const commands: string[] = [];
  const denials: Refusal[] = [];
  for (const resource of call.resources) {
    switch (resource.kind) {
      case 'path':
        parts.push(pathPart(resource.path, { access: resource.access, by: 'named' }, scope));
        break;
      case 'host':
        parts.push({ kind: 'host', host: resource.host.toLowerCase().replace(/\.$/, '') });
        break;
      case 'command': {
        const { command, cwd } = resource;
        commands.push(command.trim());
        if (tool !== 'bash') {
          const subject = command;
          parts.push({ kind: 'flag', check: 'unsupported-shell', subject, outer: undefined, leaves: true });
          break;
        }
        const analysis = analyseCommand(command, { ...scope, cwd });
        denials.push(...analysis.denials);
        parts.push(pathPart(cwd, { access: 'read', by: 'command' }, scope));
        addAnalysis(analysis, undefined, { parts, scope });
        break;
      }
    }
  }
  if (!isTold(call)) parts.push({ kind: 'effect', effect: call.effect });
  return { tool, input: call.input, mode: call.mode, commands, parts, denials };
}

/** True when the resources show all that the effect of the tool can be. */
function isTold({ effect, resources }: PermissionCall): boolean {
  switch (effect) {
    case 'none':
      return false;
    case 'read':
      return resources.length > 0;
    case 'write':
      return resources.some((resource) => resource.kind === 'path' && resource.access === 'write');
    case 'exec':
      return resources.some((resource) => resource.kind === 'command');
    case 'net':
      return resources.some((resource) => resource.kind === 'host');
  }
}

type Target = { parts: CallPart[]; scope: PathScope };

function addAnalysis(analysis: ShellAnalysis, outer: CommandPart | undefined, target: Target): void {
  const { parts, scope } = target;
  for (const command of analysis.parts) {
    parts.push({ kind: 'command', command, outer });
    for (const use of command.paths) parts.push(...shellPaths(use, outer ?? command, scope));
    if (command.nested) addAnalysis(command.nested, outer ?? command, target);
  }
  for (const { check, source } of analysis.flags) {
    const leaves = analysis.leaves.some((other) => other.check === check && other.source === source);
    parts.push({ kind: 'flag', check, subject: source, outer, leaves });
  }
  for (const use of analysis.paths) parts.push(...shellPaths(use, outer, scope));
}

function pathPart(file: string, use: PathUse, scope: PathScope, owner?: CommandPart): CallPart {
  const fact = pathFact(file);
  return { kind: 'path', fact, use, verdict: judgePath(fact, use, scope), owner };
}

/** A word of a command under every folder that it may be relative to. */
function shellPaths(found: ShellPathUse, owner: CommandPart | undefined, scope: PathScope): CallPart[] {
  const { word, dirs, use } = found;
  if (word.kind === 'dynamic') return [];
  const text = word.kind === 'literal' ? word.value : word.pattern;
  return dirs.flatMap((dir) => {
    // Not cleaned: the system resolves links before it goes up.
    const file = path.isAbsolute(text) ? text : `${dir}/${text}`;
    if (word.kind === 'literal') return [pathPart(file, use, scope, owner)];
    const { targets, aimsAtSecret } = globTargets(file, isSecret);
    const hits = targets.map((target) => pathPart(target, use, scope, owner));
    if (!aimsAtSecret) return hits;
    const fact = pathFact(targets[0] ?? path.dirname(file));
    const check = use.access === 'read' ? 'secret-read' : 'secret-write';
    return [...hits, { kind: 'path', fact, use, verdict: { level: 'guarded', check }, owner }];
  });
}
