import { httpCall } from './wire/http-call.ts';

/** What is read of an answer; a `Response` is one. */
export type Answer = Pick<Response, 'status' | 'statusText' | 'body' | 'text'> & { headers: AnswerHeaders };
export type AnswerHeaders = Pick<Headers, 'get'> & Iterable<[string, string]>;

/** The body it sends is text. Rejects when no answer comes, with the system's code in the error or in its causes. */
export type Network = (input: string | URL | Request, init?: RequestInit) => Promise<Answer>;

/** The two doors to the network of this room; a recorder or a recording may stand in for them. */
export type Transport = {
  /** A model call. Redirects are not followed. */
  call: Network;
  /** A small question to a server, e.g. for its models: several at once, in no order. */
  lookUp: typeof fetch;
};

export const directTransport: Transport = {
  call: httpCall,
  lookUp: (input, init) => fetch(input, init),
};
