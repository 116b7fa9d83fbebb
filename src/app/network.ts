import { readFileSync } from 'node:fs';
import http from 'node:http';
import tls from 'node:tls';
import { errorText } from '#lib/errors.ts';

const loopback = ['localhost', '127.0.0.1', '::1'];

/** Reading certificates takes a moment: once for each environment. */
const obeyed = new WeakSet<object>();

/**
 * Makes the requests of this process obey the variables for proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`,
 * `NO_PROXY`) and certificates (`SSL_CERT_FILE`; Node itself reads `NODE_EXTRA_CA_CERTS`). Servers on this machine are
 * never asked through a proxy. Changes `env`, which later connections read again. Returns what did not work.
 */
export function obeyNetworkVariables(env: NodeJS.ProcessEnv): string[] {
  if (obeyed.has(env)) return [];
  obeyed.add(env);
  return [...applyProxy(env), ...applyCertificates(env)];
}

function applyProxy(env: NodeJS.ProcessEnv): string[] {
  const all = either(env, 'ALL_PROXY');
  const isForHttp = all !== undefined && /^https?:/i.test(all);
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY'])
    if (isForHttp && either(env, name) === undefined) env[name] = all;
  const isAsked = either(env, 'HTTP_PROXY') !== undefined || either(env, 'HTTPS_PROXY') !== undefined;
  if (!isAsked) return all === undefined ? [] : [`ALL_PROXY is not used: ${all} is no HTTP proxy.`];
  const direct = new Set((either(env, 'NO_PROXY') ?? '').split(/[\s,]+/).filter((host) => host !== ''));
  for (const host of loopback) direct.add(host);
  const noProxy = [...direct].join(',');
  // The small one counts where both stand.
  env['NO_PROXY'] = noProxy;
  env['no_proxy'] = noProxy;
  // Older Nodes take it at their start only; the launcher has seen to that.
  if (typeof http.setGlobalProxyFromEnv !== 'function') return [];
  try {
    http.setGlobalProxyFromEnv(env);
    return [];
  } catch (error) {
    return [`The proxy is not used: ${errorText(error)}`];
  }
}

function applyCertificates(env: NodeJS.ProcessEnv): string[] {
  const file = env['SSL_CERT_FILE'];
  if (!file || file === env['NODE_EXTRA_CA_CERTS']) return [];
  try {
    const known = new Set([...tls.getCACertificates('default'), readFileSync(file, 'utf8')]);
    tls.setDefaultCACertificates([...known]);
    return [];
  } catch (error) {
    return [`SSL_CERT_FILE is not used: ${errorText(error)}`];
  }
}

/** In capitals or in small letters; empty is as good as not set. */
function either(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}
