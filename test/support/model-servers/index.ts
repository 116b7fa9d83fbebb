import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { anthropicServer } from './anthropic.ts';
import { geminiServer } from './gemini.ts';
import { openaiChatServer } from './openai-chat.ts';
import { openaiResponsesServer } from './openai-responses.ts';
import type {
  AnswerStep,
  ApiServer,
  Frame,
  ServerApi,
  ServerRequest,
  ServerScript,
  ServerStep,
} from './script.ts';

export type { AnswerPart, AnswerStep, ServerApi, ServerRequest, ServerScript, ServerStep } from './script.ts';

export type ModelServerOptions = {
  api: ServerApi;
  script: ServerScript;
  /** What `GET <url>/models` lists. */
  models?: readonly string[];
  /** Call ids that this vendor takes, e.g. Mistral's nine characters. */
  callIdPattern?: RegExp;
  /** Fixed port; 0 or nothing = the OS chooses. */
  port?: number;
  /** Answers other paths, e.g. Ollama's `/api/tags`. Returns undefined for a 404. */
  lookup?: (request: ServerRequest) => { status?: number; body: unknown } | undefined;
};

export type ModelServer = {
  /** The base URL as a provider's `base_url` takes it. */
  url: string;
  /** Every model call so far, refused ones included. */
  requests: ServerRequest[];
  /** Other requests, e.g. model lists. */
  lookups: ServerRequest[];
  /** What a real vendor would have refused; must be empty at the end of a good test. */
  violations: string[];
  /** Steps that no request has used yet; 0 when the script is a function. */
  unusedSteps(): number;
  /** Resolves when that many model calls have come in. */
  received(count: number): Promise<void>;
  /** Resolves when the client has closed the connection of the model call with this number. */
  dropped(index: number): Promise<void>;
  close(): Promise<void>;
};

const servers: Readonly<Record<ServerApi, ApiServer>> = {
  'openai-chat': openaiChatServer,
  'openai-responses': openaiResponsesServer,
  anthropic: anthropicServer,
  gemini: geminiServer,
};

/** A model vendor over real HTTP that plays a script and is as strict as the real one. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const api = servers[options.api];
  const requests: ServerRequest[] = [];
  const lookups: ServerRequest[] = [];
  const violations: string[] = [];
  const issued = new Set<string>();
  const waiters: { count: number; resolve: () => void }[] = [];
  const drops = new Map<number, { promise: Promise<void>; resolve: () => void }>();
  const dropOf = (index: number) => {
    const known = drops.get(index) ?? Promise.withResolvers<void>();
    drops.set(index, known);
    return known;
  };
  let used = 0;
  let ids = 0;

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming);
    if (!api.isModelCall(request.method, request.path)) {
      lookups.push(request);
      answerLookup(request, response);
      return;
    }
    const index = requests.push(request) - 1;
    response.on('close', () => {
      if (!response.writableFinished) dropOf(index).resolve();
    });
    for (const waiter of waiters) if (requests.length >= waiter.count) waiter.resolve();
    const refusal = api.refuse(request, { callIdPattern: options.callIdPattern, issued });
    if (refusal !== undefined) {
      violations.push(refusal);
      sendBody(response, 400, api.errorBody(400, refusal));
      return;
    }
    const step = await nextStep(request, index);
    if (!step) {
      violations.push(`request ${index + 1} has no step in the script`);
      sendBody(response, 400, api.errorBody(400, 'The script of this server is used up.'));
      return;
    }
    await play(step, request, response);
  };

  const nextStep = async (request: ServerRequest, index: number): Promise<ServerStep | undefined> => {
    if (typeof options.script === 'function') return options.script(request, index);
    const step = options.script[used];
    used += 1;
    return step;
  };

  const play = async (step: ServerStep, request: ServerRequest, response: ServerResponse) => {
    if ('before' in step) await step.before;
    if ('stall' in step) return;
    if ('reset' in step) {
      response.socket?.resetAndDestroy();
      return;
    }
    if ('html' in step) {
      sendBody(response, step.status ?? 200, step.html, { 'content-type': 'text/html; charset=utf-8' });
      return;
    }
    if ('status' in step) {
      const body = step.body ?? api.errorBody(step.status, step.message ?? `scripted status ${step.status}`);
      sendBody(response, step.status, body, step.headers);
      return;
    }
    const frames = api.frames(step, {
      model: String(request.body?.model ?? 'model'),
      nextId: () => {
        ids += 1;
        return ids;
      },
      issue: (signature) => issued.add(signature),
    });
    await sendStream(response, frames, step);
  };

  const answerLookup = (request: ServerRequest, response: ServerResponse) => {
    const found = options.lookup?.(request);
    if (found) {
      sendBody(response, found.status ?? 200, JSON.stringify(found.body));
      return;
    }
    if (request.method === 'GET' && request.path.split('?')[0] === `${api.basePath}/models`) {
      sendBody(response, 200, JSON.stringify(api.modelList(options.models ?? [])));
      return;
    }
    sendBody(response, 404, api.errorBody(404, `no such path: ${request.method} ${request.path}`));
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      violations.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}${api.basePath}`,
    requests,
    lookups,
    violations,
    unusedSteps: () => (typeof options.script === 'function' ? 0 : Math.max(0, options.script.length - used)),
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiters.push({ count, resolve });
      }),
    dropped: (index) => dropOf(index).promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ServerRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function sendBody(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

async function sendStream(response: ServerResponse, frames: Frame[], step: AnswerStep): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  for (const frame of frames) {
    if (response.destroyed) return;
    if (typeof frame === 'string') {
      await sendFrame(response, frame, step);
      continue;
    }
    if ('wait' in frame) await frame.wait;
    if ('stall' in frame) return;
    if ('cut' in frame) {
      // What was written before must reach the client first, else it would see a refused request.
      await new Promise((resolve) => response.write('', resolve));
      response.socket?.destroy();
      return;
    }
    if ('end' in frame) break;
  }
  response.end();
}

async function sendFrame(response: ServerResponse, frame: string, step: AnswerStep): Promise<void> {
  const bytes = Buffer.from(frame, 'utf8');
  const size = step.chunkBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    const isFlowing = response.write(bytes.subarray(start, start + size));
    if (step.chunkBytes) await new Promise((resolve) => setImmediate(resolve));
    else if (!isFlowing && !response.destroyed) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          response.off('drain', goOn);
          response.off('close', goOn);
          resolve();
        };
        response.on('drain', goOn);
        response.on('close', goOn);
      });
    }
  }
  if (step.gapMs) await pause(step.gapMs);
}
