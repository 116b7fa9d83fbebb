import type { ModelError } from '#protocol/model-error.ts';
import { adviceFor, type ErrorTarget } from './errors/advice.ts';
import { type ErrorBody, readErrorBody } from './errors/error-body.ts';
import { networkFailure } from './errors/network.ts';
import { retryAfterOf } from './errors/retry-after.ts';
import { classOfCode, classOfStatus, classOfWords, type ErrorClass } from './errors/wordings.ts';
import type { AnswerHeaders } from './transport.ts';

const maxMessage = 600;
const maxPageChars = 8_000;

/** How a model call failed, as it was seen. */
export type Failure =
  /** The server answered with something else than a stream. */
  | { kind: 'answer'; url: string; status: number; headers: AnswerHeaders; body: string }
  /** An error came inside the answer. */
  | { kind: 'stream'; url: string; status: number | undefined; body: string }
  /** No connection, or a broken one. `midStream`: the answer had begun. */
  | { kind: 'network'; url: string; cause: unknown; midStream: boolean }
  /** The stream ended in order but before the answer was whole. */
  | { kind: 'cut'; url: string; isUnreadable: boolean }
  | { kind: 'timeout'; url: string; seconds: number; midStream: boolean }
  /** The SDK could not make the request or read the answer. */
  | { kind: 'sdk'; url: string; message: string; midStream: boolean };

/** No vendor's key is shorter. */
const minKeyChars = 6;

const retryableClasses: readonly ErrorClass[] = ['rate-limit', 'overloaded', 'server', 'timeout', 'network'];

/** Every failure becomes exactly one `ModelError`; the key never appears in it. */
export function modelErrorOf(failure: Failure, target: ErrorTarget, now: number): ModelError {
  const error = describe(failure, target, now);
  const endpoint = endpointOf(failure.url || target.baseUrl);
  const { key = '' } = target;
  // What local servers take for a key (`x`, `none`, `EMPTY`) is a word, and no secret.
  const clean = (text: string) => (key.length < minKeyChars ? text : text.replaceAll(key, '***'));
  const message = asSentence(clean(error.message).slice(0, maxMessage).trim());
  return { ...error, message, ...(endpoint ? { endpoint } : {}) };
}

/** Advice follows; what a server says often ends without a full stop. */
function asSentence(text: string): string {
  return /[.!?…:;]$/.test(text) ? text : `${text}.`;
}

function describe(failure: Failure, target: ErrorTarget, now: number): ModelError {
  const name = `${target.provider}/${target.model}`;
  switch (failure.kind) {
    case 'answer':
      return fromAnswer(failure, target, now);
    case 'stream':
      return fromStream(failure, target, now);
    case 'network': {
      const { message, advice, retryable } = networkFailure(failure.cause, target);
      if (!failure.midStream) return { class: 'network', retryable, message, advice };
      return {
        class: 'network',
        retryable: true,
        message: `The answer of ${name} broke off: ${message}`,
        advice,
        midStream: true,
      };
    }
    case 'cut':
      return failure.isUnreadable
        ? {
            class: 'bad-response',
            retryable: true,
            message: `The answer of ${name} was not readable.`,
            advice: adviceFor('bad-response', target),
            midStream: true,
          }
        : {
            class: 'network',
            retryable: true,
            message: `The answer of ${name} ended before it was whole.`,
            advice: adviceFor('network', target),
            midStream: true,
          };
    case 'timeout':
      return {
        class: 'timeout',
        retryable: true,
        message: `${name} sent nothing for ${failure.seconds} seconds.`,
        advice: adviceFor('timeout', target, failure),
        ...(failure.midStream ? { midStream: true } : {}),
      };
    case 'sdk':
      return {
        class: failure.midStream ? 'bad-response' : 'bad-request',
        retryable: failure.midStream,
        message: `${name}: ${failure.message}`,
        advice: adviceFor(failure.midStream ? 'bad-response' : 'bad-request', target),
        ...(failure.midStream ? { midStream: true } : {}),
      };
  }
}

function fromAnswer(
  { status, headers, body: text }: Extract<Failure, { kind: 'answer' }>,
  target: ErrorTarget,
  now: number,
): ModelError {
  const body = readErrorBody(text);
  const byStatus = classOfStatus(status);
  const byWords = classOfWords(body) ?? overflowInPage(body, text);
  // A limit on tokens a minute is worded much like an overflow.
  const isLimit = byStatus === 'rate-limit' && byWords === 'overflow';
  const kind = byStatus === 'auth' || isLimit ? byStatus : (byWords ?? byStatus);
  if (kind === 'bad-response') return notAnApi({ status, headers, body, text }, target);
  const retryAfterMs = retryAfterOf(headers, body, now);
  const said = body.isHtml ? `a web page${body.message ? ` (${body.message})` : ''}` : body.message;
  return {
    class: kind,
    retryable: retryableClasses.includes(kind),
    message: `${target.provider} answered ${status}${said === '' ? '' : `: ${said}`}`,
    advice: specialAdvice(body.message, { kind, target }) ?? adviceFor(kind, target),
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** A proxy may wrap what its server said into a page of its own; the title alone does not say it. */
function overflowInPage(body: ErrorBody, html: string): ErrorClass | undefined {
  if (!body.isHtml) return undefined;
  const message = html.replaceAll(/<[^>]*>/g, ' ').slice(0, maxPageChars);
  return classOfWords({ ...body, message }) === 'overflow' ? 'overflow' : undefined;
}

/** Refusals that one setting ends. */
function specialAdvice(
  message: string,
  { kind, target }: { kind: ErrorClass; target: ErrorTarget },
): string | undefined {
  if (kind === 'bad-request' && /reasoning[ _.]?effort|thinking[ _.]?(budget|level)/i.test(message))
    return 'With `/effort default` the model itself decides how much it thinks.';
  if (!/verified to (generate|view) reasoning/i.test(message)) return undefined;
  return `Verify the organization at OpenAI, or set "reasoning_summary": false for provider "${target.provider}".`;
}

/** Status 200 or a redirect, but no stream. */
function notAnApi(
  { status, headers, body, text }: { status: number; headers: AnswerHeaders; body: ErrorBody; text: string },
  target: ErrorTarget,
): ModelError {
  const location = headers.get('location');
  const whole = body.isHtml ? 'a web page' : 'something that is no answer of a model';
  const what = location ? `a redirect to ${location}` : whole;
  const isError = !body.isHtml && status === 200 && text.trimStart().startsWith('{') && body.message !== '';
  return {
    class: isError ? classOfCode(body) : 'bad-response',
    // An empty body or half a document can be an accident; a web page is a wrong address.
    retryable: status === 200 && !body.isHtml && !isError,
    message: isError
      ? `${target.provider} answered with an error: ${body.message}`
      : `${target.provider} answered ${status} with ${text.trim() === '' && !location ? 'nothing' : what}${body.message ? ` (${body.message})` : ''}.`,
    advice: adviceFor('bad-response', target),
    status,
  };
}

function fromStream(
  { status, body: text }: Extract<Failure, { kind: 'stream' }>,
  target: ErrorTarget,
  now: number,
): ModelError {
  const body = readErrorBody(text);
  const kind = classOfWords(body) ?? (status === undefined ? classOfCode(body) : classOfStatus(status));
  const retryAfterMs = retryAfterOf(undefined, body, now);
  return {
    class: kind,
    retryable: retryableClasses.includes(kind),
    message: `${target.provider} broke off the answer${body.message === '' ? '' : `: ${body.message}`}`,
    advice: adviceFor(kind, target),
    midStream: true,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Without the query, which may hold a key. */
function endpointOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
