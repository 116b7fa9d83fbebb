import { LlmcodeError } from '#lib/errors.ts';
import type { ErrorTarget } from './advice.ts';

type NetworkFailure = { message: string; advice: string; retryable: boolean };

/** What went wrong below HTTP, said so that a person can act on it. */
export function networkFailure(error: unknown, target: ErrorTarget): NetworkFailure {
  const mismatch = mismatchIn(error);
  if (mismatch !== undefined)
    return {
      message: mismatch,
      advice: 'A replay answers what was asked when it was recorded, and nothing else.',
      retryable: false,
    };
  const code = codeIn(error);
  const host = hostOf(target.baseUrl);
  const check = `Check base_url of provider "${target.provider}" (${target.baseUrl}) and the network connection.`;
  if (code === 'ECONNREFUSED') {
    const start = target.startCommand ? `Start it with \`${target.startCommand}\`` : 'Start the server';
    return {
      message: `Nothing listens at ${host}: the connection was refused.`,
      advice: target.isLocal ? `${start}, or choose another model with /model.` : check,
      // A server on this machine will not start by itself.
      retryable: !target.isLocal,
    };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { message: `The host ${host} was not found (DNS).`, advice: check, retryable: true };
  }
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code)) {
    return {
      message: `The secure connection to ${host} failed (${code}).`,
      advice: 'Set NODE_EXTRA_CA_CERTS to the certificate of your proxy or server.',
      retryable: false,
    };
  }
  if (code === 'ERR_INVALID_URL' || code === 'ERR_UNKNOWN_PROTOCOL') {
    return { message: `${target.baseUrl} is no usable URL.`, advice: check, retryable: false };
  }
  const detail = code === '' ? '' : ` (${code})`;
  return { message: `The connection to ${host} failed${detail}.`, advice: check, retryable: true };
}

/** The system code anywhere in a chain of causes; fetch wraps it once or twice. */
function codeIn(error: unknown): string {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause, errors } = current as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && code !== '') return code;
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return '';
}

/** A replayed session asked for something that its recording does not hold. */
function mismatchIn(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth += 1) {
    if (LlmcodeError.isInstance(current) && current.code === 'replay-mismatch') return current.message;
    current = 'cause' in current ? current.cause : undefined;
  }
  return undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
