/** The HTTP proxy that requests to `url` have to go through by the variables; undefined where they go straight. */
export function proxyUrl(url: URL, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = proxyVariable(url);
  const proxy = env[name.toLowerCase()] || env[name];
  return proxy && /^https?:/i.test(proxy) && !goesStraight(url, env) ? proxy : undefined;
}

export function proxyVariable({ protocol }: URL): 'HTTPS_PROXY' | 'HTTP_PROXY' {
  return protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

function goesStraight({ hostname, host }: URL, env: Readonly<Record<string, string | undefined>>): boolean {
  const list = env['no_proxy'] || env['NO_PROXY'] || '';
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const plain = entry.toLowerCase().replace(/^\*?\./, '');
      return entry === '*' || plain === hostname || plain === host || hostname.endsWith(`.${plain}`);
    });
}
