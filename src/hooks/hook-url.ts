const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** What a hook is told may hold code and secrets: it leaves the machine encrypted only. */
export function isAllowedUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname));
}
