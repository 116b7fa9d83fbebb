import { errorText } from '#lib/errors.ts';
import type { Environment } from '#lib/paths.ts';
import type { HookFields } from './events/define-hook-event.ts';
import type { HookTarget } from './hook.ts';
import { isAllowedUrl } from './hook-url.ts';
import { cutNotice } from './read-reply.ts';
import type { HookFailure } from './reply.ts';

type HttpTarget = Extract<HookTarget, { kind: 'http' }>;
export type HttpAnswer = { status: number; body: string; isTruncated: boolean };

const maxRedirects = 3;
const maxBodyBytes = 200_000;

/** Posts the event. What it says goes to the host of the settings and nowhere else. */
export async function callHttp(
  target: HttpTarget,
  {
    payload,
    network,
    env,
    signal,
  }: { payload: HookFields; network: typeof fetch; env: Environment; signal: AbortSignal },
): Promise<HttpAnswer | HookFailure> {
  const headers = { ...filledHeaders(target, env), 'content-type': 'application/json' };
  const body = JSON.stringify(payload);
  let url = target.url;
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await network(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      const { status } = response;
      if (status < 300 || status > 399) return { status, ...(await readBody(response)) };
      await response.body?.cancel();
      const next = URL.parse(response.headers.get('location') ?? '', url);
      if (!next || !isAllowedUrl(next.href) || next.host !== URL.parse(url)?.host)
        return {
          failure: 'none',
          text: `it was sent on to ${next?.host ?? 'nowhere'}, which is not followed`,
        };
      url = next.href;
    }
    return { failure: 'none', text: 'it was sent on too often' };
  } catch (error) {
    if (signal.aborted) throw error;
    return { failure: 'none', text: `it could not be reached: ${cutNotice(causeText(error))}` };
  }
}

/** `$NAME` and `${NAME}` of the allowed variables; any other name stands for nothing. */
function filledHeaders({ headers, variables }: HttpTarget, env: Environment): Record<string, string> {
  const fill = (text: string) =>
    text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return variables.includes(name) ? (env[name] ?? '').replaceAll(/[\r\n]/g, '') : '';
    });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

async function readBody(response: Response): Promise<{ body: string; isTruncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) break;
  }
  return { body: Buffer.concat(chunks).toString('utf8'), isTruncated: bytes > maxBodyBytes };
}

/** "fetch failed" says nothing; its cause does. */
function causeText(error: unknown): string {
  return errorText(error instanceof Error && error.cause ? error.cause : error);
}
