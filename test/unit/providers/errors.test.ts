import { describe, expect, test } from 'vitest';
import type { ErrorTarget } from '#providers/errors/advice.ts';
import { readErrorBody } from '#providers/errors/error-body.ts';
import { retryAfterOf } from '#providers/errors/retry-after.ts';
import { type Failure, modelErrorOf } from '#providers/model-error.ts';

const target: ErrorTarget = {
  provider: 'acme',
  model: 'm1',
  baseUrl: 'https://api.acme.test/v1',
  isLocal: false,
  keyEnv: 'ACME_API_KEY',
  key: 'secret',
  startCommand: undefined,
};
const url = 'https://api.acme.test/v1/chat/completions?key=secret';

function network(code: string, isLocal = false) {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  const failure: Failure = { kind: 'network', url, cause, midStream: false };
  return modelErrorOf(failure, { ...target, isLocal }, 0);
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return modelErrorOf({ kind: 'answer', url, status, headers: new Headers(headers), body: text }, target, 0);
}

describe('below HTTP', () => {
  test.each([
    ['ECONNREFUSED', true, 'refused'],
    ['ENOTFOUND', true, 'not found (DNS)'],
    ['ECONNRESET', true, 'failed (ECONNRESET)'],
    ['SELF_SIGNED_CERT_IN_CHAIN', false, 'secure connection'],
    ['CERT_HAS_EXPIRED', false, 'secure connection'],
  ])('%s is a network error with advice', (code, retryable, words) => {
    const error = network(code);
    expect(error).toMatchObject({ class: 'network', retryable });
    expect(error.message).toContain(words);
    expect(error.message).toContain('api.acme.test');
    expect(error.advice).not.toBe('');
  });

  test('a refused connection on this machine does not become better by trying', () => {
    expect(network('ECONNREFUSED', true).retryable).toBe(false);
  });
});

describe('an error answer', () => {
  test('names the endpoint without its query and never the key', () => {
    const error = answer(401, { error: { message: 'bad key secret' } });
    expect(error.endpoint).toBe('https://api.acme.test/v1/chat/completions');
    expect(error.message).toBe('acme answered 401: bad key ***.');
    expect(error.advice).toBe('Check the key in ACME_API_KEY.');
  });

  test('that is a redirect says where to', () => {
    const error = answer(308, '', { location: 'https://www.acme.test/' });
    expect(error).toMatchObject({ class: 'bad-response', retryable: false, status: 308 });
    expect(error.message).toContain('a redirect to https://www.acme.test/');
  });

  test('with an empty body is still an error', () => {
    expect(answer(200, '')).toMatchObject({ class: 'bad-response', retryable: true });
    expect(answer(500, '')).toMatchObject({
      class: 'server',
      retryable: true,
      message: 'acme answered 500.',
    });
  });

  test('about reasoning summaries names the setting that ends it', () => {
    const message = 'Your organization must be verified to generate reasoning summaries.';
    expect(answer(400, { error: { message } }).advice).toContain('"reasoning_summary": false');
  });

  test.each([
    [{ error: { message: 'a', type: 't', code: 'c' } }, { message: 'a', type: 't', code: 'c' }],
    [{ error: 'a' }, { message: 'a', type: '', code: '' }],
    [[{ error: { message: 'a', status: 'S', code: 429 } }], { message: 'a', type: 'S', code: '429' }],
    [{ detail: [{ msg: 'a' }] }, { message: 'a' }],
    [
      { object: 'error', message: 'a', type: 't' },
      { message: 'a', type: 't' },
    ],
    [
      { error: { message: 'Provider returned error', metadata: { raw: '{"error":"a"}' } } },
      { message: 'Provider returned error: a' },
    ],
    ['<html><title>502 Bad Gateway</title></html>', { message: '502 Bad Gateway', isHtml: true }],
    ['no json', { message: 'no json' }],
  ])('%j is understood', (body, expected) => {
    expect(readErrorBody(typeof body === 'string' ? body : JSON.stringify(body))).toMatchObject(expected);
  });
});

describe('how long to wait', () => {
  const wait = (headers: Record<string, string>, message = '') =>
    retryAfterOf(new Headers(headers), { ...readErrorBody(''), message }, Date.parse('2026-01-01T00:00:00Z'));

  test.each([
    [{ 'retry-after': '3' }, '', 3_000],
    [{ 'retry-after': '1', 'retry-after-ms': '250' }, '', 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, '', 20_000],
    [{}, 'Please try again in 4.77s.', 4_770],
    [{}, 'Please retry in 1m30s', 90_000],
    [{}, 'try again in 500ms', 500],
    [{}, 'resets after 2 hours', 7_200_000],
    [{}, 'no idea', undefined],
    [{ 'retry-after': 'soon' }, '', undefined],
  ])('%j %s', (headers, message, expected) => {
    expect(wait(headers, message)).toBe(expected);
  });
});
