import type { EngineEvent } from '#protocol/event.ts';
import type { RunRecord } from './run-record.ts';

/** One short line about what just happened, for a person who waits; most events have none. */
export function progressLine(event: EngineEvent, record: RunRecord): string | undefined {
  if (event.kind === 'tool-run-end') {
    const call = record.findCall(event.callId);
    const outcome = event.result.summary ?? (event.result.status === 'ok' ? '' : event.result.status);
    return ['·', call?.tool, call?.title, outcome && `- ${outcome}`]
      .filter((part) => part)
      .join(' ')
      .replaceAll('\n', ' ');
  }
  if (event.kind === 'retry-wait') {
    const seconds = Math.max(0, Math.ceil((event.until - event.at) / 1_000));
    return `· ${event.error.message} Trying again in ${seconds} s (${event.attempt} of ${event.maxAttempts}).`;
  }
  // Warnings are said anyway, also where nobody waits.
  if (event.kind === 'notice-added' && event.notice.level === 'info')
    return `· ${event.notice.text}`.replaceAll('\n', ' ');
  return undefined;
}
