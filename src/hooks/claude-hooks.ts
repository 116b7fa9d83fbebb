import type { Hook } from './hook.ts';
import { matcherTest } from './matcher.ts';
import type { NestedHook, NestedHooks } from './settings.ts';

/** The hooks of Claude Code's form. */
export function claudeHooks(events: NestedHooks): Hook[] {
  return Object.entries(events).flatMap(([name, groups]) =>
    groups.flatMap(({ matcher, hooks }) => {
      const matches = matcherTest(matcher);
      return hooks.map(
        (hook): Hook => ({
          dialect: 'claude',
          target: targetOf(hook),
          timeoutMs: hook.timeout * 1_000,
          onError: hook.on_error,
          nameFor(def, event) {
            if (!def.claudeNames.includes(name) || !def.isAbout(event, name)) return undefined;
            const subjects = def.subjects(event);
            return subjects === null || matches(subjects) ? name : undefined;
          },
        }),
      );
    }),
  );
}

function targetOf({ command, args }: NestedHook): Hook['target'] {
  return args === undefined ? { kind: 'shell', command } : { kind: 'program', file: command, args };
}
