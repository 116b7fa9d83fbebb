import path from 'node:path';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import type { CallPart, ResolvedCall } from './parts.ts';
import { globTargets } from './paths/glob-targets.ts';
import { createTwinSearch } from './paths/guarded-twins.ts';
import { isSecret } from './paths/names.ts';
import { type PathFact, pathFact } from './paths/path-fact.ts';
import { judgePath, type PathScope, type PathUse, secretCheck } from './paths/path-policy.ts';
import { repositoryProgram } from './paths/repository-programs.ts';
import { type ProgramSearch, programSearch } from './paths/shadowing-program.ts';
import { type ScanBudget, scanBudget, scanTree } from './paths/tree-scan.ts';
import { isForeignProgram } from './server-command.ts';
import { analyseCommand } from './shell/analyse.ts';
import type { CommandPart, ShellAnalysis, ShellPathUse } from './shell/analysis.ts';
import type { Refusal } from './shell/argv.ts';
import { staysInScratch } from './stays-in-scratch.ts';

/**
 * Looks up everything that a decision needs: real paths, link counts, what a command would do. The only place in
 * this room that reads the disk for a decision.
 */
export function resolveCall(call: PermissionCall, scope: PathScope): ResolvedCall {
  const tool = ownToolName(call.tool);
  const parts: CallPart[] = [];
  const commands: string[] = [];
  const denials: Refusal[] = [];
  const remarks: Refusal[] = [];
  const twinOf = createTwinSearch(scope);
  const look = (file: string) => pathFact(file, twinOf);
  for (const resource of call.resources) {
    switch (resource.kind) {
      case 'path':
        parts.push(pathPart(look(resource.path), { access: resource.access, by: 'named' }, scope));
        break;
      case 'host':
        parts.push({ kind: 'host', host: resource.host.toLowerCase().replace(/\.$/, '') });
        break;
      case 'peer':
        parts.push({ kind: 'peer', peer: resource.peer });
        break;
      case 'command': {
        const { command, cwd, searchPath } = resource;
        commands.push(command.trim());
        // Our git tools are judged as the commands that they are.
        if (tool !== 'bash' && !tool.startsWith('git_')) {
          const isServer = tool.startsWith('lsp_');
          const check = isServer ? 'language-server' : 'unsupported-shell';
          const leaves = !(isServer && isForeignProgram(command, { ...scope, cwd }));
          parts.push({ kind: 'flag', check, subject: command, outer: undefined, leaves });
          break;
        }
        const analysis = analyseCommand(command, { ...scope, cwd });
        denials.push(...analysis.denials);
        remarks.push(...analysis.remarks);
        parts.push(pathPart(look(cwd), { access: 'read', by: 'command' }, scope));
        // Our git tools start git itself, with nothing that the repository names.
        const search = tool === 'bash' ? programSearch(searchPath, scope) : undefined;
        addAnalysis(analysis, undefined, { parts, scope, budget: scanBudget(), search, look });
        break;
      }
    }
  }
  if (!isTold(call)) parts.push({ kind: 'effect', effect: call.effect });
  return { tool, input: call.input, mode: call.mode, commands, parts, denials, remarks };
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
      return resources.some(({ kind }) => kind === 'host' || kind === 'peer');
  }
}

/** Of more paths than this in one command only the names are judged, and it counts as not understood. */
const maxPaths = 500;

/** `search`: of what the shell runs. */
type Target = {
  parts: CallPart[];
  scope: PathScope;
  budget: ScanBudget;
  search: ProgramSearch | undefined;
  look(file: string): PathFact;
};

function addAnalysis(analysis: ShellAnalysis, outer: CommandPart | undefined, target: Target): void {
  const { parts, scope, budget } = target;
  const uses = [...analysis.paths, ...analysis.parts.flatMap(({ paths }) => paths)];
  const count = uses.reduce((sum, { dirs }) => sum + dirs.length, 0);
  if (count > maxPaths) {
    parts.push({ kind: 'flag', check: 'too-long', subject: `${count} paths`, outer, leaves: true });
  }
  const look = count > maxPaths ? namedFact : target.look;
  for (const analysed of analysis.parts) {
    const command = target.search ? withFoundPrograms(analysed, target.search) : analysed;
    const touched = command.paths.flatMap((use) =>
      shellPaths(use, outer ?? command, { scope, budget, look }),
    );
    parts.push(
      { kind: 'command', command, outer, isInScratch: staysInScratch(command, touched) },
      ...touched,
    );
    if (command.nested) addAnalysis(command.nested, outer ?? command, target);
  }
  for (const { check, source } of analysis.flags) {
    const leaves = analysis.leaves.some((other) => other.check === check && other.source === source);
    parts.push({ kind: 'flag', check, subject: source, outer, leaves });
  }
  for (const use of analysis.paths) parts.push(...shellPaths(use, outer, { scope, budget, look }));
}

/** A command that only reads, unless what lies in the workspace runs in place of the program that is known. */
function withFoundPrograms(command: CommandPart, search: ProgramSearch): CommandPart {
  const found: Refusal[] = [];
  for (const [first] of command.layers) {
    if (first?.kind !== 'literal') continue;
    const file = search(first.value);
    if (file !== undefined) found.push({ check: 'shadowed-program', source: file });
  }
  for (const folder of new Set(command.repositories)) {
    const source = repositoryProgram(folder);
    if (source !== undefined) found.push({ check: 'repository-program', source });
  }
  return found.length === 0 ? command : { ...command, refusals: [...command.refusals, ...found] };
}

function pathPart(fact: PathFact, use: PathUse, scope: PathScope): CallPart {
  return { kind: 'path', fact, use, verdict: judgePath(fact, use, scope), owner: undefined };
}

function namedFact(file: string): PathFact {
  const given = path.resolve(file);
  return { given, real: given, kind: 'missing', hasOtherNames: false };
}

type Lookup = { scope: PathScope; budget: ScanBudget; look(file: string): PathFact };

/** A word of a command under every folder that it may be relative to. */
function shellPaths(
  { word, dirs, use }: ShellPathUse,
  owner: CommandPart | undefined,
  lookup: Lookup,
): CallPart[] {
  const { scope, look } = lookup;
  if (word.kind === 'dynamic') return [];
  if (word.kind === 'glob' && word.tree && use.access === 'read' && use.by === 'command') {
    return dirs.flatMap((dir) => treeParts(word, { dir, use, owner, lookup }));
  }
  const text = word.kind === 'literal' ? word.value : word.pattern;
  const part = (file: string): CallPart => {
    const fact = look(file);
    return { kind: 'path', fact, use, verdict: judgePath(fact, use, scope), owner };
  };
  return dirs.flatMap((dir) => {
    // Not cleaned: the system resolves links before it goes up.
    const file = path.isAbsolute(text) ? text : `${dir}/${text}`;
    if (word.kind === 'literal') return [part(file)];
    const { targets, aimsAtSecret } = globTargets(file, isSecret);
    if (!aimsAtSecret) return targets.map(part);
    const fact = look(targets[0] ?? path.dirname(file));
    const check = secretCheck(use);
    return [...targets.map(part), { kind: 'path', fact, use, verdict: { level: 'guarded', check }, owner }];
  });
}

type TreeWord = Extract<ShellPathUse['word'], { kind: 'glob' }>;

/** Files anywhere below a folder: the folder, the links among them, and those that hold secrets. */
function treeParts(
  { head, tree, source }: TreeWord,
  about: { dir: string; use: PathUse; owner: CommandPart | undefined; lookup: Lookup },
): CallPart[] {
  const { dir, use, owner } = about;
  const { scope, budget, look } = about.lookup;
  const start = path.resolve(dir, head);
  const part = (file: string): CallPart => {
    const fact = look(file);
    return { kind: 'path', fact, use, verdict: judgePath(fact, use, scope), owner };
  };
  if (!tree) return [part(start)];
  const scan = scanTree(start, tree, { budget, isSecret });
  const secrets = scan.secrets.slice(0, 20).map((file): CallPart => {
    const verdict = { level: 'guarded' as const, check: secretCheck(use) };
    return { kind: 'path', fact: look(file), use, verdict, owner };
  });
  const links = tree.isOpened ? scan.links.map(part) : [];
  const isMissed = !scan.isComplete && !(tree.isHidden && !tree.isSplit);
  const isUnclear = tree.isOpened && (isMissed || (tree.isSplit && scan.hasOddNames));
  const unclear: CallPart = {
    kind: 'flag',
    check: 'recursive-ops',
    subject: head === '' ? source : head,
    outer: owner,
    leaves: false,
  };
  return [part(start), ...secrets, ...links, ...(isUnclear ? [unclear] : [])];
}
