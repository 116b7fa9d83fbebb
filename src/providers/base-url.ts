import type { ProviderType } from './settings.ts';

/**
 * A base URL as the SDK wants it. The vendors' own variables leave the version out where the SDK wants it in;
 * people leave it out too.
 */
export function normalBaseUrl(text: string, type: ProviderType): string {
  const trimmed = text.trim().replace(/\/+$/, '');
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(url)) return trimmed;
  const { pathname } = new URL(url);
  switch (type) {
    case 'anthropic':
      return /\/v\d+$/.test(pathname) ? url : `${url}/v1`;
    case 'google':
      return /\/v\d+\w*$/.test(pathname) ? url : `${url}/v1beta`;
    case 'ollama':
      return url.replace(/\/(v1|api)$/, '');
    case 'openai':
    case 'openai-compatible':
      return pathname === '/' ? `${url}/v1` : url;
  }
}

/** `OLLAMA_HOST` as Ollama itself reads it: host, port or both; an address to listen on becomes this machine. */
export function ollamaUrl(host: string): string {
  const withScheme = /^https?:\/\//i.test(host)
    ? host
    : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`;
  if (!URL.canParse(withScheme)) return withScheme;
  const url = new URL(withScheme);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  const hasPort = /:\d+\/?$/.test(withScheme.replace(/^https?:\/\//i, '').replace(/\/.*$/, ''));
  if (!hasPort && url.protocol === 'http:') url.port = '11434';
  return url.toString().replace(/\/+$/, '');
}

/** True for this machine and private networks, by the parsed host and never by a part of its text. */
export function isLocalUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === 'host.docker.internal') return true;
  if (host.endsWith('.local') || host.endsWith('.lan')) return true;
  if (host === '::1' || /^f[cd][0-9a-f]{2}:/.test(host) || host.startsWith('fe80:')) return true;
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (!parts) return false;
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  if (first === 127 || first === 10 || first === 0) return true;
  return (first === 192 && second === 168) || (first === 172 && second >= 16 && second <= 31);
}
