import { describe, expect, it } from 'vitest';
import { hookSettings } from '../../../src/hooks/settings.ts';

const faults = (hooks: unknown) =>
  (hookSettings.safeParse({ hooks }).error?.issues ?? []).map((issue) => JSON.stringify(issue)).join('\n');
const listed = (extra: object) => [{ event: 'tool_before', command: 'true', ...extra }];
const nested = (event: string, group: object) => ({ [event]: [{ hooks: [], ...group }] });

describe('hook settings', () => {
  it('fill in what is left out', () => {
    expect(hookSettings.parse({})).toEqual({ hooks: [] });
    expect(hookSettings.parse({ hooks: listed({}) }).hooks).toEqual([
      { event: 'tool_before', command: 'true', tool_pattern: '*', timeout: 10, on_error: 'warn' },
    ]);
    const claude = nested('Stop', { hooks: [{ type: 'command', command: 'true' }] });
    expect(hookSettings.parse({ hooks: claude }).hooks).toEqual({
      Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'true', timeout: 600 }] }],
    });
  });

  it.each(['*', 'tool_before', 'tool.before', 'pre_tool_use', 'tool.pre_tool_use', 'session.*', 'http_*'])(
    'take the event %s',
    (event) => expect(faults(listed({ event }))).toBe(''),
  );

  it('refuse an event that there is not, and say which there are', () => {
    expect(faults(listed({ event: 'tool_befor' }))).toContain('tool_before');
    expect(faults(listed({ event: 'nope.*' }))).toContain('there is no such event');
    const fault = faults(nested('PreToolUze', {}));
    expect(fault).toContain('PreToolUse, PostToolUse, ');
    expect(fault).toContain('"path":["hooks","PreToolUze"]');
  });

  it("take Claude's events that do not happen yet", () => {
    expect(faults(nested('Notification', {}))).toBe('');
  });

  it('refuse wrong values', () => {
    expect(faults(listed({ on_error: 'explode' }))).toContain('on_error');
    expect(faults(listed({ timeout: 0 }))).toContain('timeout');
    const misspelt = faults(listed({ tool_patern: 'x' }));
    expect(misspelt).toContain('"path":["hooks",0,"tool_patern"]');
    expect(misspelt).toContain('unknown key; known here: event, tool_pattern');
    expect(faults(listed({ command: `bash -c 'cat {path}'` }))).toContain('code for another shell');
    expect(faults(nested('PreToolUse', { matcher: '(' }))).toContain('regular expression');
    expect(faults(nested('Stop', { hooks: [{ type: 'prompt', prompt: 'ok?' }] }))).toContain(
      'only hooks of type \\"command\\" run here',
    );
  });
});
