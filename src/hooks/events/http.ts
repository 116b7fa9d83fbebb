import { defineHookEvent } from './define-hook-event.ts';

const sample = {
  event: 'http',
  model: 'local/small',
  url: 'http://127.0.0.1:8080/v1',
  attempt: 1,
} as const;

/** Calls of models as they leave and come back. */
export const http = defineHookEvent<'http'>({
  event: 'http',
  group: 'http',
  names: ['http_request', 'http_response', 'http_error', 'http_retry', 'http_fallback'],
  claudeNames: [],
  when: 'a model is called, has answered, failed, is called again after a wait, or is replaced by another one',
  samples: [
    { ...sample, phase: 'request' },
    { ...sample, phase: 'response', status: 200, durationMs: 812 },
    { ...sample, phase: 'error', status: 503, error: 'the server is overloaded' },
    { ...sample, phase: 'retry', attempt: 2, delayMs: 1_000 },
    { ...sample, phase: 'fallback', to: 'local/large', error: 'the server is overloaded' },
  ],
  isAbout: ({ phase }, name) => name === `http_${phase}`,
  fields: ({ model, url, attempt, status, durationMs, delayMs, error, to }) => ({
    model,
    url,
    attempt,
    ...(status === undefined ? {} : { status }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    ...(delayMs === undefined ? {} : { delay_ms: delayMs }),
    ...(error === undefined ? {} : { error }),
    ...(to === undefined ? {} : { to }),
  }),
});
