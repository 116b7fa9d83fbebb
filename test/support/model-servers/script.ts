import { createHash } from 'node:crypto';

export type ServerApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** One thing in a scripted answer, sent in order. */
export type AnswerPart =
  /** Sent in pieces of a few characters; an array sets the pieces. */
  | { text: string | readonly string[] }
  /** Signed unless `signature` is false; `redacted` hides the text where the API can (Anthropic). */
  | { reasoning: string | readonly string[]; signature?: string | false; redacted?: boolean }
  /** `rawArguments` is sent as it is, whether it is JSON or not. */
  | { call: string; input?: unknown; id?: string; rawArguments?: string }
  /** Nothing more is sent until the promise settles. */
  | { wait: Promise<unknown> }
  /** Nothing more is sent; the connection stays open until the client or `close()` ends it. */
  | { stall: true }
  /** The socket is destroyed here. */
  | { cut: true }
  /** The body ends here, in order, without the API's closing events. */
  | { end: true }
  /** An error inside the stream, in the API's own form. */
  | { error: { status: number; message: string; type?: string } }
  /** These bytes, as they are. */
  | { raw: string };

export type AnswerStep = {
  parts: readonly AnswerPart[];
  /** Default: `tool-calls` when there are calls, else `stop`. */
  finish?: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  usage?: { input: number; output: number; cacheRead?: number; reasoning?: number } | false;
  /** Before the first byte of the answer, headers included. */
  before?: Promise<unknown>;
  /** Milliseconds between two pieces. */
  gapMs?: number;
  /** Cuts the body into writes of this many bytes, also inside a character. */
  chunkBytes?: number;
};

export type ServerStep =
  | AnswerStep
  /** An HTTP error in the API's own form; `body` replaces it. */
  | {
      status: number;
      message?: string;
      headers?: Readonly<Record<string, string>>;
      body?: string;
      before?: Promise<unknown>;
    }
  /** A web page in place of an answer. */
  | { html: string; status?: number }
  /** Takes the request and never answers. */
  | { stall: true }
  /** Destroys the socket instead of answering. */
  | { reset: true };

export type ServerRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into vendor JSON freely
  body: any;
};

/** The steps in order, or a function of the request and its number. */
export type ServerScript =
  | readonly ServerStep[]
  | ((request: ServerRequest, index: number) => ServerStep | Promise<ServerStep>);

/** A frame of the body, or a control part that the sender acts on. */
export type Frame =
  | string
  | Extract<AnswerPart, { wait: unknown } | { stall: true } | { cut: true } | { end: true }>;

/** What one API adds to the common server. */
export type ApiServer = {
  basePath: string;
  isModelCall(method: string, path: string): boolean;
  /** What the real vendor would refuse, in its words; undefined when the request is good. */
  refuse(request: ServerRequest, rules: ServerRules): string | undefined;
  frames(step: AnswerStep, context: FrameContext): Frame[];
  errorBody(status: number, message: string): string;
  modelList(ids: readonly string[]): unknown;
};

export type ServerRules = { callIdPattern: RegExp | undefined; issued: ReadonlySet<string> };
export type FrameContext = { model: string; nextId: () => number; issue: (signature: string) => void };

/** A signature that the same API can check later without having kept it: it is bound to the text. */
export function signatureOf(api: ServerApi, text: string): string {
  return `${api}.${createHash('sha256').update(`${api}\n${text}`).digest('base64url')}`;
}

/** What a Gemini call's signature is bound to. */
export function geminiCallText(name: unknown, args: unknown): string {
  return `${String(name)}\n${JSON.stringify(args ?? {})}`;
}

export function piecesOf(text: string | readonly string[]): readonly string[] {
  if (typeof text !== 'string') return text;
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

export function wholeOf(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('');
}

export function argumentsOf(part: { input?: unknown; rawArguments?: string }): string {
  return part.rawArguments ?? JSON.stringify(part.input ?? {});
}

export function isControl(part: AnswerPart): part is Extract<Frame, object> {
  return 'wait' in part || 'stall' in part || 'cut' in part || 'end' in part;
}

export function finishOf(step: AnswerStep): NonNullable<AnswerStep['finish']> {
  return step.finish ?? (step.parts.some((part) => 'call' in part) ? 'tool-calls' : 'stop');
}

export function usageOf(step: AnswerStep): {
  input: number;
  output: number;
  cacheRead?: number;
  reasoning?: number;
} {
  return step.usage || { input: 100, output: 20 };
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  const head = event === undefined ? '' : `event: ${event}\n`;
  return `${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
