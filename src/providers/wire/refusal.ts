import type { AnswerHeaders } from '../transport.ts';

/** The server did not answer with a stream: an error status, a web page, a redirect, an empty body. */
export class WireRefusal extends Error {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;

  constructor({ status, headers, body }: { status: number; headers: AnswerHeaders; body: string }) {
    super(`status ${status}`);
    this.name = 'WireRefusal';
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
