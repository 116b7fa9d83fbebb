import { globTest } from '#lib/glob-pattern.ts';
import { eventTest } from './event-names.ts';
import type { Hook } from './hook.ts';
import type { ListedHook } from './settings.ts';

/** The hooks of the list form. */
export function ownHooks(listed: readonly ListedHook[], file: string): Hook[] {
  return listed.map(({ event: pattern, tool_pattern, command, timeout, on_error }) => {
    const isWanted = eventTest(pattern);
    const isWantedTool = toolTest(tool_pattern);
    return {
      dialect: 'own',
      file,
      event: pattern,
      matcher: tool_pattern === '*' ? '' : tool_pattern,
      target: { kind: 'shell', command },
      timeoutMs: timeout * 1_000,
      onError: on_error,
      nameFor(def, event) {
        const tools = def.tools(event);
        if (tools && !tools.some(isWantedTool)) return undefined;
        return def.names.find((name) => isWanted(name, def.group) && def.isAbout(event, name));
      },
    };
  });
}

function toolTest(pattern: string): (name: string) => boolean {
  const tests = pattern.split('|').map((each) => globTest(each.trim()));
  return (name) => tests.some((test) => test(name));
}
