import path from 'node:path';
import { displayPath } from '#lib/paths.ts';
import { type FileProblem, problemText, readRegularFile } from '#lib/regular-file.ts';
import { decodeText } from '#lib/text-file.ts';
import type { PermissionDecision } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { Attachment, Unattached } from './bundle.ts';
import { consultError } from './consult-error.ts';
import { mentionSpellings, mentionsIn } from './mentions.ts';

const maxFileBytes = 1_000_000;

/** What the person chose to go with a question. */
export type Chosen = {
  question: string;
  /** False: the question came from a pipe, and an `@` in it is just a sign. */
  hasMentions: boolean;
  /** Named outright; one that cannot be read is an error. */
  files: readonly string[];
  /** Changes of the working folder, as git shows them. */
  diff?: string | undefined;
  output?: { name: string; text: string } | undefined;
};

type Place = { cwd: string; gate: PermissionGate };

/** `unattached`: what the question names with `@` and does not bring along. */
export type Collected = { attachments: Attachment[]; unattached: Unattached[] };

/** Reads what was chosen, through the path policy. Rejects with an `LlmcodeError` for what cannot be sent. */
export async function collectAttachments(chosen: Chosen, place: Place): Promise<Collected> {
  const files = new Map<string, Attachment>();
  for (const name of chosen.files) {
    const read = await readAttachment(name, place);
    if (!('isSecret' in read)) throw consultError('invalid_request', `${name} ${problemText(read)}.`);
    files.set(read.name, read);
  }
  const unattached: Unattached[] = [];
  for (const mention of chosen.hasMentions ? mentionsIn(chosen.question) : []) {
    let left: Unattached | undefined;
    for (const name of mentionSpellings(mention)) {
      const read = await readAttachment(name, place);
      if ('isSecret' in read) {
        files.set(read.name, read);
        left = undefined;
        break;
      }
      // A folder may be looked into by the peer; what is not there may be no path at all.
      if (read.kind !== 'missing' && read.kind !== 'folder')
        throw consultError('invalid_request', `@${name} ${problemText(read)}.`);
      if (left?.why !== 'folder') left = { name, why: read.kind };
    }
    if (left) unattached.push(left);
  }
  const attachments = [...files.values(), ...diffs(chosen.diff, place), ...outputs(chosen.output)];
  return { attachments, unattached };
}

async function readAttachment(name: string, { cwd, gate }: Place): Promise<Attachment | FileProblem> {
  const file = path.resolve(cwd, name);
  const content = await readRegularFile(file, { maxBytes: maxFileBytes });
  // A path that is not there tells nothing; the policy is asked for those that are.
  if ('kind' in content && (content.kind === 'missing' || content.kind === 'folder')) return content;
  const decided = decideRead(file, gate);
  const shown = displayPath(file, cwd);
  if (decided.decision === 'deny')
    throw consultError(
      'permission_denied',
      `${shown} may not be read: ${decided.reasons.map(({ text }) => text).join('; ')}.`,
    );
  if ('kind' in content) return content;
  const decoded = decodeText(content.bytes);
  if (decoded.kind === 'binary' || decoded.kind === 'foreign')
    throw consultError('invalid_request', `${shown} is no text; only text can be attached.`);
  return {
    kind: 'file',
    name: shown,
    text: decoded.text,
    isSecret: holdsSecrets(decided),
    isOutside: decided.reasons.some(({ check }) => check === 'outside-read'),
  };
}

export function decideRead(file: string, gate: PermissionGate): PermissionDecision {
  return gate.decide({
    tool: 'read_file',
    effect: 'read',
    input: { path: file },
    resources: [{ kind: 'path', path: file, access: 'read' }],
    mode: 'prompt',
  });
}

function holdsSecrets({ reasons }: PermissionDecision): boolean {
  return reasons.some(({ check }) => check === 'secret-read');
}

/** One attachment for all ordinary files, and one for each file of secrets, so that it can be left out. */
function diffs(diff: string | undefined, { cwd, gate }: Place): Attachment[] {
  if (diff === undefined || diff.trim() === '') return [];
  const sections = diff.split(/^(?=diff --git )/m);
  const names = sections.map((section) => /^diff --git a\/.* b\/(.*)$/m.exec(section)?.[1]);
  const isSecret = names.map(
    (name) => name !== undefined && holdsSecrets(decideRead(path.resolve(cwd, name), gate)),
  );
  const plain = sections.filter((_, index) => !isSecret[index]).join('');
  const attachment = (name: string, text: string, secret: boolean): Attachment => ({
    kind: 'diff',
    name,
    text,
    isSecret: secret,
    isOutside: false,
  });
  return [
    ...(plain.trim() === '' ? [] : [attachment('changes of the working folder', plain, false)]),
    ...sections.flatMap((section, index) =>
      isSecret[index] ? [attachment(`changes of ${names[index]}`, section, true)] : [],
    ),
  ];
}

function outputs(output: Chosen['output']): Attachment[] {
  return output ? [{ kind: 'output', ...output, isSecret: false, isOutside: false }] : [];
}
