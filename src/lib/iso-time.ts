/** The last moment that a date can have; a file may name a later one. */
const lastMs = 8.64e15;

/** Milliseconds since 1970 as `2026-01-31T12:00:00.000Z`. Never throws. */
export function isoTime(at: number): string {
  return new Date(Math.max(-lastMs, Math.min(lastMs, at)) || 0).toISOString();
}

/** `2026-01-31 12:00`, in UTC. */
export function minuteText(at: number): string {
  return isoTime(at).replace(/T(\d\d:\d\d).*$/, ' $1');
}
