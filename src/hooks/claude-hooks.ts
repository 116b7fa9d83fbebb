import type { Hook } from './hook.ts';
import { matcherTest } from './matcher.ts';
import type { NestedHook, NestedHooks } from './settings.ts';

const seconds = { command: 600, http: 60, prompt: 30 } as const;

/** The hooks of Claude Code's form. */
export function claudeHooks(events: NestedHooks, file: string): Hook[] {
  return Object.entries(events).flatMap(([name, groups]) =>
    groups.flatMap(({ matcher, hooks }) => {
      const matches = matcherTest(matcher);
      return hooks.map(
        (hook): Hook => ({
          dialect: 'claude',
          file,
          event: name,
          matcher,
          target: targetOf(hook),
          timeoutMs: (hook.timeout ?? seconds[hook.type]) * 1_000,
          onError: hook.on_error,
          ...(hook.if === undefined ? {} : { condition: hook.if }),
          ...(hook.async ? { isAsync: true } : {}),
          ...(hook.once ? { isOnce: true } : {}),
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

function targetOf(hook: NestedHook): Hook['target'] {
  switch (hook.type) {
    case 'command':
      return hook.args === undefined
        ? { kind: 'shell', command: hook.command }
        : { kind: 'program', file: hook.command, args: hook.args };
    case 'http':
      return { kind: 'http', url: hook.url, headers: hook.headers, variables: hook.allowedEnvVars };
    case 'prompt':
      return { kind: 'prompt', prompt: hook.prompt, model: hook.model };
  }
}
