import type { EventBody } from '#protocol/event.ts';

/** A command that waits for the person's leave. */
export const rmRequest: EventBody = {
  kind: 'permission-request',
  request: {
    id: 'r',
    callId: 'c',
    tool: 'bash',
    title: 'rm x',
    input: {},
    cwd: '/',
    command: 'rm x',
    reasons: [],
  },
};
