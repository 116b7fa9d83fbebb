import { consultError } from './consult-error.ts';

const pattern = /^[A-Za-z0-9_-]{1,64}$/;
/** Words that a command line reads as something else. */
const reserved = new Set(['all', 'reply', 'list', 'show', 'stop', 'send', 'open']);

/** Throws `invalid_request` for a name that a thread cannot have. */
export function checkThreadName(name: string): void {
  if (!pattern.test(name))
    throw consultError(
      'invalid_request',
      `"${name}" cannot be the name of a thread: only letters, digits, _ and -, at most 64.`,
    );
  if (reserved.has(name.toLowerCase()))
    throw consultError('invalid_request', `"${name}" is a word of the command; choose another name.`);
}

/** `<provider>-MMDD-HHMMSS`, with a number behind it where that is taken. */
export function automaticName(
  provider: string,
  { now, taken }: { now: number; taken: ReadonlySet<string> },
): string {
  const time = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = two(time.getMonth() + 1) + two(time.getDate());
  const clock = two(time.getHours()) + two(time.getMinutes()) + two(time.getSeconds());
  const stem = `${provider.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 40)}-${day}-${clock}`;
  let name = stem;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${stem}-${number}`;
  return name;
}
