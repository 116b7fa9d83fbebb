import { describe, expect, it } from 'vitest';
import { hookSettings, readForeignHooks } from '../../../src/hooks/settings.ts';

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
      Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'true' }] }],
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
    expect(fault).toContain('PreToolUse, ');
    expect(fault).toContain('"path":["hooks","PreToolUze"]');
  });

  it("take Claude's events that do not happen yet", () => {
    expect(faults(nested('TaskCreated', {}))).toBe('');
  });

  it('refuse wrong values', () => {
    expect(faults(listed({ on_error: 'explode' }))).toContain('on_error');
    expect(faults(listed({ timeout: 0 }))).toContain('timeout');
    const misspelt = faults(listed({ tool_patern: 'x' }));
    expect(misspelt).toContain('"path":["hooks",0,"tool_patern"]');
    expect(misspelt).toContain('unknown key; known here: event, tool_pattern');
    expect(faults(listed({ command: `bash -c 'cat {path}'` }))).toContain('code for another shell');
    expect(faults(nested('PreToolUse', { matcher: '(' }))).toContain('regular expression');
    expect(faults(nested('Stop', { hooks: [{ type: 'mcp_tool', tool: 'x' }] }))).toContain(
      'a hook is of type \\"command\\", \\"http\\" or \\"prompt\\"',
    );
  });

  it.each([
    ['https://hooks.example.com/x', true],
    ['http://127.0.0.1:8080/x', true],
    ['http://[::1]/x', true],
    ['http://localhost/x', true],
    ['http://hooks.example.com/x', false],
    ['http://127.0.0.1.example.com/x', false],
    ['https://name:word@example.com/x', false],
    ['file:///etc/passwd', false],
  ])('take the address %s of an http hook: %s', (url, isTaken) => {
    expect(faults(nested('Stop', { hooks: [{ type: 'http', url }] })) === '').toBe(isTaken);
  });

  it("keep what makes sense of a file of Claude Code's, and name the rest", () => {
    const good = { type: 'command', command: 'true' };
    const { hooks, problems } = readForeignHooks({
      Stop: [{ hooks: [good, { type: 'mcp_tool' }, { type: 'http', url: 'ftp://x' }] }],
      PreToolUse: [{ matcher: '(', hooks: [good] }, 'nonsense'],
      PreToolUze: [{ hooks: [good] }],
    });
    expect(hooks).toEqual({ Stop: [{ matcher: '', hooks: [good] }] });
    expect(problems).toEqual([
      'hooks.Stop[0].hooks[1]: type: a hook is of type "command", "http" or "prompt"',
      'hooks.Stop[0].hooks[2]: url: only https, or http on this machine',
      'hooks.PreToolUse[0]: matcher: this is neither a list of names nor a regular expression',
      expect.stringContaining('hooks.PreToolUse[1]: '),
      'hooks.PreToolUze: there is no such event',
    ]);
    expect(readForeignHooks('x').problems).toEqual(['hooks: expected lists by event']);
  });
});
