import http from 'node:http';
import https from 'node:https';
import { proxyUrl, proxyVariable } from '#lib/proxy-url.ts';

/** The agent of the proxy that requests to `url` have to go through; undefined where they go straight. */
export function proxyFor(url: URL, env: Readonly<Record<string, string>>): http.Agent | undefined {
  const proxy = proxyUrl(url, env);
  if (proxy === undefined) return undefined;
  const options = { keepAlive: false, proxyEnv: { [proxyVariable(url)]: proxy } };
  return url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
}
