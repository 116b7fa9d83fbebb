/** `name`, `*.name` for all below it, `*` for all; each may end with `:port`. */
export const hostPattern = /^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/** True when one of the patterns fits. `host` as it stands in a URL, IPv6 in brackets. */
export function isHostListed(host: string, port: number, patterns: readonly string[]): boolean {
  const name = plainHost(host);
  return patterns.some((pattern) => {
    const [, listed = '', listedPort] = /^(.+?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
    if (listedPort !== undefined && Number(listedPort) !== port) return false;
    if (listed === '*') return true;
    return listed.startsWith('*.') ? name.endsWith(listed.slice(1)) : name === plainHost(listed);
  });
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
