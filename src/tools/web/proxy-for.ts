import http from 'node:http';
import https from 'node:https';

type Environment = Readonly<Record<string, string>>;

/** The agent of the proxy that requests to `url` have to go through; undefined where they go straight. */
export function proxyFor(url: URL, env: Environment): http.Agent | undefined {
  const isSecure = url.protocol === 'https:';
  const name = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name.toLowerCase()] || env[name];
  if (!proxy || !/^https?:/i.test(proxy) || goesStraight(url, env)) return undefined;
  const options = { keepAlive: false, proxyEnv: { [name]: proxy } };
  return isSecure ? new https.Agent(options) : new http.Agent(options);
}

function goesStraight({ hostname, host }: URL, env: Environment): boolean {
  const list = env['no_proxy'] || env['NO_PROXY'] || '';
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const plain = entry.toLowerCase().replace(/^\*?\./, '');
      return entry === '*' || plain === hostname || plain === host || hostname.endsWith(`.${plain}`);
    });
}
