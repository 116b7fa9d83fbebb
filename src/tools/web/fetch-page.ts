import { problem, type WebProblem, type WebRequest, type WebResponse, webRequest } from './http-request.ts';

const maxRedirects = 5;

export type Page = WebResponse & { url: URL };

/** The page leads to another host, which has a permission of its own. */
export type Elsewhere = { kind: 'elsewhere'; from: URL; to: URL };

/** Fetches, and follows redirects as long as they stay on the same host. Every step is checked like the first. */
export async function fetchPage(
  request: Omit<WebRequest, 'headers' | 'body'>,
): Promise<Page | Elsewhere | WebProblem> {
  let { url } = request;
  for (let steps = 0; steps <= maxRedirects; steps += 1) {
    const response = await webRequest({ ...request, url, headers });
    if (response.kind === 'problem') return response;
    const target = redirectOf(response, url);
    if (!target) return { ...response, url };
    if (target.protocol !== 'http:' && target.protocol !== 'https:')
      return problem('not_fetched', `${url.host} leads to ${target.protocol} which is not fetched.`);
    if (!isSameHost(url, target)) return { kind: 'elsewhere', from: url, to: target };
    url = target;
  }
  return problem('too_many_redirects', `${url.host} leads on and on: more than ${maxRedirects} redirects.`);
}

const headers = {
  'user-agent': 'llmcode (web_fetch)',
  accept:
    'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5',
  'accept-language': 'en, *;q=0.5',
};

function redirectOf({ status, headers: received }: WebResponse, base: URL): URL | undefined {
  const { location } = received;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  return URL.parse(location, base.href) ?? undefined;
}

/** Also from http to https, but not back, and not to another port. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname || to.username !== '' || to.password !== '') return false;
  const isRaised =
    from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return isRaised || from.origin === to.origin;
}
