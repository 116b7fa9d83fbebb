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

  test('about the length of the prompt is an overflow, also in a web page or in mere words under 200', () => {
    const words = 'This model has a maximum context length of 8192 tokens.';
    const page = `<html><head><title>Internal Server Error</title></head><body><p>${words}</p></body></html>`;
    expect(answer(500, page).class).toBe('overflow');
    expect(answer(200, words)).toMatchObject({ class: 'overflow', retryable: false });
    expect(answer(500, '<html><title>Bad gateway</title></html>').class).toBe('server');
  });

  test('about the reasoning effort names the way back', () => {
    const message = "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.";
    expect(answer(400, { error: { message } }).advice).toContain('/effort default');
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

describe('a request that is too long', () => {
  test.each([
    'prompt is too long: 213462 tokens > 200000 maximum',
    'Request size exceeds model context window',
    'Input is too long for requested model.',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    'Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Please reduce the length of the messages or completion.',
    "This endpoint's maximum context length is 200000 tokens. However, you requested about 250021 tokens.",
    'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
    'Context size has been exceeded.',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).',
    'prompt token count of 140000 exceeds the limit of 128000',
    'invalid params, context window exceeds limit (2013)',
    'Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)',
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'prompt too long; exceeded max context length by 1119046 tokens',
    '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8500 `inputs` tokens and 20 `max_new_tokens`',
    'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    "Requested token count exceeds the model's maximum context length of 32768 tokens.",
    'too many tokens: total number of tokens in the prompt exceeds the limit',
    'The prompt is too long: 33000, model maximum context length: 32767',
    'Total tokens of image and text exceed max message tokens',
    'Input length 40000 exceeds the maximum length 32768',
    'Prompt exceeds max length',
    'Prompt length 9000 is greater than max_seq_len 8192',
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
    'litellm.ContextWindowExceededError: the request does not fit',
  ])('is known by its words under any status: %s', (message) => {
    for (const status of [200, 400, 413, 422, 500])
      expect(answer(status, { error: { message } })).toMatchObject({ class: 'overflow', retryable: false });
    const body = JSON.stringify({ error: { message } });
    const failure: Failure = { kind: 'stream', url, status: undefined, body };
    expect(modelErrorOf(failure, target, 0)).toMatchObject({ class: 'overflow', midStream: true });
  });

  test.each([
    [429, 'Request too large for m1 on tokens per min (TPM): Limit 30000, Requested 50000.', 'rate-limit'],
    [429, 'Rate limit reached: your input exceeds the context window of this minute', 'rate-limit'],
    [401, 'prompt is too long', 'auth'],
    [400, '`max_tokens` must be less than or equal to `4096`', 'bad-request'],
    [400, 'temperature exceeds the maximum of 2', 'bad-request'],
    [400, 'messages: at most 100 images', 'bad-request'],
  ])('is none: %i %s', (status, message, kind) => {
    expect(answer(status, { error: { message } }).class).toBe(kind);
  });
});

describe('a quota is no rate limit and the other way round', () => {
  test.each([
    [
      429,
      { message: 'You exceeded your current quota, please check your plan.', code: 'insufficient_quota' },
      'quota',
    ],
    [
      429,
      { message: 'Insufficient balance or no resource package. Please recharge.', code: '1113' },
      'quota',
    ],
    [400, { message: 'Your credit balance is too low to access the Anthropic API.' }, 'quota'],
    [402, { message: 'Insufficient Balance' }, 'quota'],
    [403, { message: 'Your account has reached its monthly limit.' }, 'quota'],
    [
      429,
      { message: 'Rate limit reached on requests per min (RPM).', code: 'rate_limit_exceeded' },
      'rate-limit',
    ],
    [
      429,
      { message: 'Resource has been exhausted (e.g. check quota).', status: 'RESOURCE_EXHAUSTED' },
      'rate-limit',
    ],
    [429, { message: 'Too many requests' }, 'rate-limit'],
  ])('%i %j', (status, error, kind) => {
    expect(answer(status, { error })).toMatchObject({ class: kind, retryable: kind === 'rate-limit' });
  });
});

test.each([
  [529, 'Overloaded', 'overloaded'],
  [529, '', 'overloaded'],
  [503, 'The model is overloaded. Please try again later.', 'overloaded'],
  [503, 'This model is currently experiencing high demand.', 'overloaded'],
  [429, 'The engine is currently overloaded, please try again later', 'overloaded'],
  [503, 'Loading model', 'overloaded'],
  [503, 'upstream connect error or disconnect/reset before headers', 'server'],
  [500, 'Internal error', 'server'],
])('load: %i %s is %s', (status, message, kind) => {
  expect(answer(status, { error: { message } })).toMatchObject({ class: kind, retryable: true });
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
