import type { PermissionDecision } from '#protocol/permission.ts';
import type { CommandGrant } from '#protocol/sandbox.ts';
import type { CallPart, ResolvedCall } from '../parts.ts';
import { isSecret } from '../paths/names.ts';
import type { CommandPart } from '../shell/analysis.ts';
import { wordList } from '../word-list.ts';

type PartOfCommand = Extract<CallPart, { kind: 'command' }>;

/** What a sandbox leaves a command once the decision has let it run; undefined when the call runs none. */
export function commandGrant(
  call: ResolvedCall,
  { decision, reasons }: PermissionDecision,
): CommandGrant | undefined {
  if (call.commands.length === 0) return undefined;
  const wasAllowed = reasons.some(({ check }) => check === 'rule-allow' || allowedByMode.has(check));
  const isGranted = decision === 'ask' || wasAllowed;
  const wasNamed =
    decision === 'ask' || call.mode === 'full_access' || reasons.some(({ check }) => check === 'rule-allow');
  const granted = { isGranted, needsOutside: wasNamed && needsOutside(call) };
  return isGranted ? { ...granted, ...namedIn(call) } : granted;
}

/** What was judged with the command, so that who allowed it allowed that too. */
function namedIn({ parts }: ResolvedCall): Pick<CommandGrant, 'files' | 'hosts'> {
  const files = parts.flatMap((part) => {
    if (part.kind !== 'path') return [];
    const isGuarded = part.use.access === 'write' && part.verdict.level === 'guarded';
    return isGuarded || isSecret(part.fact.real) ? [part.fact.real] : [];
  });
  const hosts = parts.flatMap((part) => (part.kind === 'host' ? [part.host] : []));
  return { ...(files.length > 0 ? { files } : {}), ...(hosts.length > 0 ? { hosts } : {}) };
}

const allowedByMode = new Set(wordList('mode-allow-exec mode-allow-net mode-allow-write'));

/** They work with keys, agents and sockets of the person, which a sandbox hides. */
const outsidePrograms = new Set(
  wordList(`
    ssh scp sftp rsync mosh docker docker-compose podman nerdctl kubectl helm gh glab hub aws az gcloud gsutil
    terraform tofu pulumi
  `),
);
const outsideGit = new Set(wordList('push fetch pull clone ls-remote submodule remote lfs'));

/** True when what does more than read are such programs alone, each written out. */
function needsOutside({ parts }: ResolvedCall): boolean {
  if (parts.some((part) => part.kind === 'flag')) return false;
  const acting = parts.filter(
    (part): part is PartOfCommand => part.kind === 'command' && part.command.refusals.length > 0,
  );
  const words = acting.map(({ command, outer }) => (outer || command.nested ? [] : literalWords(command)));
  const isFit = words.every(([name = '']) => name === 'git' || outsidePrograms.has(name));
  return (
    isFit &&
    words.some(
      ([name = '', sub = '']) => outsidePrograms.has(name) || (name === 'git' && outsideGit.has(sub)),
    )
  );
}

/** Of a command without a wrapper. */
function literalWords({ layers, nested }: CommandPart): string[] {
  const [words = []] = layers;
  if (layers.length !== 1 || nested) return [];
  return words.map((word) => (word.kind === 'literal' ? word.value : ''));
}

const reachingOut = new Set(wordList('network network-upload packages privilege'));

/** True for a command that a sandbox without network would only make fail. */
export function reachesOut({ parts }: ResolvedCall): boolean {
  return parts.some(
    (part) =>
      part.kind === 'host' ||
      (part.kind === 'command' && part.command.refusals.some(({ check }) => reachingOut.has(check))),
  );
}
