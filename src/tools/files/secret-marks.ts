import { countSecretMarks, scrubSecretFile, scrubSecretLines } from '#lib/secrets.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { toolError } from '../result/tool-error.ts';
import type { ChangeTarget } from './change-target.ts';

const explanation =
  'marks that begin with [secret: stand for secrets that are not shown, and are not in the file.';
const advice =
  'Change only text beside them: the secret stays as it is when its line is left out or matched in part.';

/** A change that would put a mark where the file has a secret; undefined when it does not. */
export function markRefusal(
  { shown, real, current }: ChangeTarget,
  after: string,
  { services }: ToolContext,
): ToolResult | undefined {
  const put = countSecretMarks(after);
  if (put === 0 || current?.decoded.kind !== 'text') return undefined;
  const before = current.decoded.text;
  const own = countSecretMarks(before);
  if (put <= own) return undefined;
  const hide = services.isSecretFile(real) ? scrubSecretFile : scrubSecretLines;
  if (countSecretMarks(hide(before)) <= own) return undefined;
  return toolError(
    'secret_mark',
    `${shown} was not changed: the new text holds a mark in place of a secret, and ${explanation} ${advice}`,
  );
}

/** What to say of a text that was not found, when it holds marks; empty when it holds none. */
export function markAdvice(wanted: string): string {
  return countSecretMarks(wanted) === 0 ? '' : ` Its ${explanation} ${advice}`;
}
