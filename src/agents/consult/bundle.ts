import { textEstimate } from '#engine/context/token-estimate.ts';
import { findSecrets, type SecretKind, scrubSecrets } from '#lib/secrets.ts';

/** Something chosen to go with a question, as it would be sent. */
export type Attachment = {
  kind: 'file' | 'diff' | 'output';
  /** A path relative to the working folder, or what the output is of. */
  name: string;
  text: string;
  /** By its name the file holds secrets, whatever stands in it. */
  isSecret: boolean;
  /** It lies outside the workspace. */
  isOutside: boolean;
};

/** Named with `@` in the question, and not attached; a peer may still look into a folder of the workspace. */
export type Unattached = { name: string; why: 'missing' | 'folder' };

export type SecretFinding = {
  kind: SecretKind | 'secrets-file';
  /** `question`, or the name of the attachment. */
  where: string;
  /** From 1; 0 = all of it. */
  line: number;
};

/** All that a peer gets to see of a round: nothing of the conversation comes along. */
export type Bundle = {
  question: string;
  attachments: readonly Attachment[];
  unattached: readonly Unattached[];
  secrets: readonly SecretFinding[];
  /** Exactly what is sent, and the same with secrets blanked out and files of secrets left out. */
  text: string;
  blankedText: string;
  bytes: number;
  /** An estimate. */
  tokens: number;
};

export function composeBundle(
  question: string,
  attachments: readonly Attachment[],
  unattached: readonly Unattached[] = [],
): Bundle {
  const text = [question, ...attachments.map(block)].join('\n\n');
  return {
    question,
    attachments,
    unattached,
    secrets: [
      ...secretsIn('question', question),
      ...attachments.flatMap((attachment) =>
        attachment.isSecret
          ? [{ kind: 'secrets-file' as const, where: attachment.name, line: 0 }]
          : secretsIn(attachment.name, attachment.text),
      ),
    ],
    text,
    blankedText: [
      scrubSecrets(question),
      ...attachments
        .filter(({ isSecret }) => !isSecret)
        .map((each) => block({ ...each, text: scrubSecrets(each.text) })),
    ].join('\n\n'),
    bytes: Buffer.byteLength(text),
    tokens: textEstimate(text),
  };
}

function secretsIn(where: string, text: string): SecretFinding[] {
  return findSecrets(text).map(({ kind, start }) => ({
    kind,
    where,
    line: text.slice(0, start).split('\n').length,
  }));
}

const tags = { file: 'attached-file', diff: 'attached-diff', output: 'attached-output' } as const;

function block({ kind, name, text }: Attachment): string {
  const tag = tags[kind];
  const end = text.endsWith('\n') ? '' : '\n';
  return `<${tag} name=${JSON.stringify(name)}>\n${text}${end}</${tag}>`;
}
