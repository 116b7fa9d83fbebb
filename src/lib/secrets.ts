/** What a secret looks to be; each kind has its own pattern. */
export type SecretKind =
  | 'provider-key'
  | 'cloud-key'
  | 'token'
  | 'jwt'
  | 'pem'
  | 'url-password'
  | 'assignment';

export type FoundSecret = { kind: SecretKind; start: number; end: number };

type Shape = { kind: SecretKind; pattern: RegExp };

/** Not in the middle of a word; `\n` and the like before it stand in JSON for a character that ends one. */
const edge = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4}))`;

function shape(kind: SecretKind, source: string, flags = ''): Shape {
  return { kind, pattern: new RegExp(source, `gd${flags}`) };
}

/** A digit at a letter or a capital in a word: names of things, as `sk-spinner-with-dots`, have neither. */
const mixed = '(?=[A-Za-z0-9_-]*(?:[0-9][A-Za-z]|[A-Za-z][0-9]|[a-z][A-Z]))';

/** A shape with a group `secret` means that group, else all of what it finds. */
const shapes: readonly Shape[] = [
  // The whole block, also one that was cut off before its end; line ends may be written as \n.
  shape(
    'pem',
    String.raw`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?=(?:(?!-----)[\s\S]){0,300}?[A-Za-z0-9+/=]{24})(?:[\s\S]{1,8000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?:[A-Za-z0-9+/=\s]|\\[nr]){1,8000})`,
  ),
  // OpenAI, Anthropic, OpenRouter, DeepSeek, Moonshot and others who took the form over.
  shape('provider-key', `${edge}sk-${mixed}[A-Za-z0-9_-]{16,}`),
  shape('provider-key', `${edge}AIza[A-Za-z0-9_-]{35}`),
  shape(
    'provider-key',
    `${edge}(?:gsk_|xai-|pplx-|r8_|csk-|nvapi-|fw_|hf_)${mixed}(?=[A-Za-z0-9_-]*[A-Za-z0-9]{12})[A-Za-z0-9_-]{20,}`,
  ),
  shape('cloud-key', `${edge}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`),
  shape(
    'cloud-key',
    String.raw`aws_?secret_?(?:access_?)?key["'\\]*\s*[:=]\s*["'\\]*(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])`,
    'i',
  ),
  shape('cloud-key', `AccountKey=(?<secret>[A-Za-z0-9+/]{40,}={0,2})`),
  shape('cloud-key', `${edge}GOCSPX-[A-Za-z0-9_-]{20,}`),
  shape('cloud-key', `${edge}ya29\\.[A-Za-z0-9_-]{20,}`),
  shape('cloud-key', `${edge}do[opr]_v1_[a-f0-9]{40,}`),
  shape('token', `${edge}(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})`),
  shape('token', `${edge}glpat-[A-Za-z0-9_-]{20,}`),
  shape('token', `${edge}xox[abeoprs]-[A-Za-z0-9-]{10,}`),
  shape('token', `${edge}xapp-[0-9]-[A-Za-z0-9-]{20,}`),
  shape('token', `hooks\\.slack\\.com/services/(?<secret>[A-Za-z0-9/_-]{20,})`),
  shape('token', `${edge}(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}`),
  shape('token', `${edge}whsec_[A-Za-z0-9+/=]{20,}`),
  shape('token', `${edge}npm_[A-Za-z0-9]{36}`),
  shape('token', `${edge}pypi-[A-Za-z0-9_-]{40,}`),
  shape('token', `${edge}SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}`),
  shape('token', `${edge}[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`),
  shape('token', `${edge}(?:dckr_pat_|lin_api_|shpat_|sntrys_|dp\\.pt\\.)[A-Za-z0-9_=-]{20,}`),
  shape('jwt', `${edge}eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}`),
  shape(
    'url-password',
    String.raw`\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@"'<>\\]{0,200}:(?<secret>[^\s/@"'<>\\]{3,500})@`,
    'i',
  ),
  shape(
    'url-password',
    String.raw`[?&](?:key|api_?key|access_?token|token|sig|signature|auth|password|client_secret)=(?<secret>[^\s&#"'<>\\]{8,})`,
    'i',
  ),
  shape(
    'token',
    String.raw`\b(?:(?:[Bb]earer|BEARER)[ \t]+(?=\S*(?:[0-9]|[a-z][A-Z]))(?<secret>[A-Za-z0-9._~+/-]{16,}=*)|(?:[Bb]asic|BASIC)[ \t]+(?=[A-Za-z0-9+/]*[0-9=])(?<basic>[A-Za-z0-9+/]{16,}=*))`,
  ),
  // NAME=value, "name": "value": only values that are long and mixed enough to be no word or expression.
  shape(
    'assignment',
    String.raw`(?:api_?key|access_?key|secret(?:_?key)?|(?:auth|access|refresh)_?token|_token|client_?secret|private_?key|passw(?:or)?d|passphrase)["'\\]*\s*(?:=|:|=>)[ \t]*(?<quote>["'\x60\\]*)(?<secret>(?=[^\s"'\x60,;]*[0-9])(?=[^\s"'\x60,;]*[A-Za-z])[A-Za-z0-9+/=_.~!@#%^*-]{12,})`,
    'i',
  ),
];

/**
 * Everything in a text that looks like a secret, in order and without overlaps. Made to be wrong on the careful
 * side; it knows forms, not meanings, so a secret without a form of its own (a short password in a sentence) passes.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { kind, pattern } of shapes) {
    for (const match of text.matchAll(pattern)) {
      const groups = match.indices?.groups;
      const [start, end] = groups?.['secret'] ?? groups?.['basic'] ?? match.indices?.[0] ?? [0, 0];
      if (text.startsWith(markBegin, start) || isNoValue(text, { kind, start, end, match })) continue;
      found.push({ kind, start, end });
    }
  }
  return withoutOverlaps(found);
}

/** What stands where a secret could, and is none: a place to fill in, a name in code, a call, the path of a file. */
function isNoValue(
  text: string,
  { kind, start, end, match }: FoundSecret & { match: RegExpExecArray },
): boolean {
  if (kind !== 'assignment' && kind !== 'url-password') return false;
  const value = text.slice(start, end);
  if (
    /^(?:[$({:]|%[sdv({]|your|my[-_]|example|placeholder|change[-_]?(?:me|it)|x{4}|\*{3}|\.{3})/i.test(value)
  )
    return true;
  if (kind === 'url-password') return /^(?:pass(?:word|wd)?|secret|pwd)$/i.test(value);
  if (match.groups?.['quote']) return false;
  const isCode = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || '([?'.includes(text[end] ?? ' ');
  return isCode || /^(?:~|\.{1,2})?\/(?:[a-z0-9_.-]+\/)+[\w.-]+$/.test(value);
}

const markBegin = '[secret:';

/** What stands in place of a secret. No shape fits it, so that a text can be scrubbed again. */
export function secretMark(kind: SecretKind | 'key'): string {
  return `${markBegin}${kind}]`;
}

/** The text with each secret replaced by a mark that names its kind. */
export function scrubSecrets(text: string): string {
  return withMarks(text, ({ kind }) => secretMark(kind));
}

/** As `scrubSecrets`, and each line stays a line: a secret that goes over several of them gets a mark on each. */
export function scrubSecretLines(text: string): string {
  return withMarks(text, ({ kind, start, end }) => {
    const lines = text.slice(start, end).split('\n');
    return lines.map(() => secretMark(kind)).join('\n');
  });
}

/** How many marks of secrets stand in a text. */
export function countSecretMarks(text: string): number {
  return text.includes(markBegin) ? (text.match(/\[secret:[a-z]+(?:-[a-z]+)?\]/g)?.length ?? 0) : 0;
}

function withMarks(text: string, markFor: (secret: FoundSecret) => string): string {
  let scrubbed = '';
  let from = 0;
  for (const secret of findSecrets(text)) {
    scrubbed += text.slice(from, secret.start) + markFor(secret);
    from = secret.end;
  }
  return from === 0 ? text : scrubbed + text.slice(from);
}

/** `NAME=value`, `"name": "value"`, `password value`: the value whatever its form, in a file that is there for secrets. */
const namedValue =
  /^(\s*(?:export\s+|-\s+)?["']?[\w.-]*(?:key|token|secret|pass|pwd|credential|auth|private|dsn|salt)[\w.-]*["']?(?:\s*[=:]\s*|[ \t]+))(["']?)([^\s"'][^\r\n]*?)(\2[,;]?\s*)$/gim;

/** As `scrubSecretLines`, for the text of a file whose name says that it holds secrets. */
export function scrubSecretFile(text: string): string {
  return scrubSecretLines(text).replaceAll(namedValue, (line, name, quote, value, rest) =>
    value.startsWith(markBegin) ? line : `${name}${quote}${secretMark('assignment')}${rest}`,
  );
}

/** Of secrets that overlap the longest counts, stretched over the others. */
function withoutOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const secret of found.toSorted((one, two) => one.start - two.start || two.end - one.end)) {
    const last = kept.at(-1);
    if (!last || secret.start >= last.end) kept.push({ ...secret });
    else last.end = Math.max(last.end, secret.end);
  }
  return kept;
}
