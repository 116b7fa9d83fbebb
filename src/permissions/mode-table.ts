import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { PermissionMode, ToolEffect } from '#protocol/permission.ts';
import { type CheckId, reason } from './checks.ts';
import type { CallPart } from './parts.ts';
import type { PathFact } from './paths/path-fact.ts';
import type { PathUse, PathVerdict } from './paths/path-policy.ts';
import type { Refusal } from './shell/argv.ts';

export type PartDecision = {
  decision: 'allow' | 'ask' | 'deny';
  reasons: ReturnType<typeof reason>[];
};

/** What the mode says of one part when no rule does. `cwd`: the working folder, under each of its names. */
export function modeDecision(part: CallPart, mode: PermissionMode, cwd: readonly string[]): PartDecision {
  switch (part.kind) {
    case 'path':
      // What a command does with its arguments in the workspace is judged with the command.
      if (part.owner && part.verdict.level === 'edit') return allow('mode-allow-read');
      return pathDecision(nameOf(part.fact, cwd), part.use, part.verdict, mode);
    case 'command': {
      const { refusals, leaves } = part.command;
      if (refusals.length === 0) return allow('read-only-command');
      // What was not analysed may hold what no mode allows.
      const unread = refusals.filter(({ check }) => check === 'too-long');
      if (mode === 'full_access' && unread.length > 0) return ask(unread);
      if (part.isInScratch && changesAnything(mode)) return allow('scratch');
      return beyondReading(mode, { refusals, leaves });
    }
    case 'flag': {
      const refusal: Refusal = { check: part.check, source: part.subject };
      if (mode === 'full_access' && part.check === 'too-long') return ask([refusal]);
      return beyondReading(mode, { refusals: [refusal], leaves: part.leaves ? [refusal] : [] });
    }
    case 'host':
      return netDecision(part.host, mode);
    case 'peer': {
      // Not even a general yes covers it: the person is to see what leaves the machine.
      const refusal: Refusal = { check: 'other-provider', source: part.peer };
      return mode === 'plan' || mode === 'read_only'
        ? beyondReading(mode, { refusals: [refusal] })
        : ask([refusal]);
    }
    case 'effect':
      return effectDecision(part.effect, mode);
  }
}

function nameOf({ given, twin }: PathFact, cwd: readonly string[]): string {
  const name = nameIn(cwd, given);
  return twin === undefined ? name : `${name} (the same file as ${nameIn(cwd, twin)})`;
}

/** As short as the person would write it. */
function nameIn(folders: readonly string[], file: string): string {
  const folder = folders.find((each) => isInside(file, each));
  return folder === undefined ? file : path.relative(folder, file) || '.';
}

function effectDecision(effect: ToolEffect, mode: PermissionMode): PartDecision {
  switch (effect) {
    case 'none':
      return allow('harmless');
    case 'read':
      return allow('mode-allow-read');
    case 'write':
      return changeDecision(mode);
    case 'exec':
      return beyondReading(mode, { refusals: [{ check: 'mode-prompt-exec', source: '' }] });
    case 'net':
      return netDecision('', mode);
  }
}

function netDecision(host: string, mode: PermissionMode): PartDecision {
  return beyondReading(mode, {
    refusals: [{ check: 'mode-prompt-net', source: host }],
    allows: 'mode-allow-net',
  });
}

function pathDecision(file: string, use: PathUse, verdict: PathVerdict, mode: PermissionMode): PartDecision {
  const { level, check } = verdict;
  if (level === 'never') return { decision: 'deny', reasons: [reason(check, file)] };
  if (level === 'free' || (level === 'scratch' && changesAnything(mode))) return allow(check);
  if (level === 'edit') {
    if (use.by === 'mentioned') return allow('mode-allow-read');
    return use.by === 'named' ? changeDecision(mode, file) : redirectDecision(mode, file);
  }
  switch (mode) {
    case 'plan':
    case 'read_only':
      return { decision: 'deny', reasons: [reason(check, file), ...refusing(mode)] };
    case 'full_access':
      return allow(use.access === 'read' ? 'mode-allow-read' : 'mode-allow-write');
    default:
      return { decision: 'ask', reasons: [reason(check, file)] };
  }
}

/** A change by a file tool: the person sees it as a diff. */
function changeDecision(mode: PermissionMode, file?: string): PartDecision {
  switch (mode) {
    case 'plan':
    case 'read_only':
      return { decision: 'deny', reasons: refusing(mode) };
    case 'prompt':
      return { decision: 'ask', reasons: [reason('mode-prompt-write', file)] };
    default:
      return allow('mode-allow-write');
  }
}

/** A change by a command: nobody has seen what will be written. */
function redirectDecision(mode: PermissionMode, file: string): PartDecision {
  return beyondReading(mode, { refusals: [{ check: 'overwrite', source: file }] });
}

/** Commands and the network: the last column of the table. */
function beyondReading(
  mode: PermissionMode,
  {
    refusals,
    leaves = [],
    allows = 'mode-allow-exec',
  }: { refusals: readonly Refusal[]; leaves?: readonly Refusal[]; allows?: CheckId },
): PartDecision {
  switch (mode) {
    case 'plan':
    case 'read_only':
      return { decision: 'deny', reasons: [...refusing(mode), ...toReasons(refusals)] };
    case 'prompt':
    case 'workspace_write':
      return ask(refusals);
    case 'auto_accept':
      return leaves.length > 0 ? ask(leaves) : allow(allows);
    case 'full_access':
      return allow(allows);
  }
}

function changesAnything(mode: PermissionMode): boolean {
  return mode !== 'plan' && mode !== 'read_only';
}

function allow(check: CheckId): PartDecision {
  return { decision: 'allow', reasons: [reason(check)] };
}

function ask(refusals: readonly Refusal[]): PartDecision {
  return { decision: 'ask', reasons: toReasons(refusals) };
}

function refusing(mode: 'plan' | 'read_only') {
  return [reason(mode === 'plan' ? 'mode-plan' : 'mode-read-only')];
}

function toReasons(refusals: readonly Refusal[]) {
  return refusals.map(({ check, source }) => reason(check, source === '' ? undefined : source));
}
