// Writes docs/hooks.md: `npx node scripts/hook-docs.mjs`. A test compares it with what this makes of the code.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentClaudeNames, silentEvents } from '../src/hooks/event-names.ts';
import { hookEvents } from '../src/hooks/events/index.ts';

const target = fileURLToPath(new URL('../docs/hooks.md', import.meta.url));
const surroundings = { cwd: '/home/me/project', isResumed: false };

export function hooksPage() {
  return [
    head,
    '## Events\n',
    table(
      ['List form', "Claude Code's form", 'Happens when', 'May'],
      hookEvents.map((def) => [
        names(def.names.map((name) => `${def.group}.${name}`)),
        names(def.claudeNames),
        def.when,
        powers(def.merge),
      ]),
    ),
    `\nNot yet, because what they are about does not exist: ${names([
      ...silentEvents.map(({ group, name }) => `${group}.${name}`),
      ...silentClaudeNames,
    ])}. Hooks may name them; a session says at its start that they do not happen.\n`,
    '## Payloads\n',
    'On standard input as one JSON object, beside the fields that every event has: in the list form `schema_version`,' +
      ' `event`, `session_id`, `cwd`, `at` (milliseconds since 1970) and, where known, `mode`, `turn_id`, `log`,' +
      " `model`, `agent_id`, `agent_type`; in Claude Code's form `session_id`, `cwd`, `hook_event_name` and, where" +
      ' known, `prompt_id`, `transcript_path`, `permission_mode`, `effort`, `agent_id`, `agent_type`.\n',
    table(['Event', 'Fields in the list form', "Fields in Claude Code's form"], hookEvents.map(payloadRow)),
    ...silentEvents.map(
      ({ group, name, fields }) => `\nTo come: \`${group}.${name}\` with ${names(fields)}.`,
    ),
    '',
  ].join('\n');
}

function payloadRow(def) {
  const fields = (kind) => [
    ...new Set(def.samples.flatMap((one) => Object.keys(def[kind](one, surroundings)))),
  ];
  const claude = def.claudeNames.length > 0 ? names(fields('claudeFields')) : '';
  return [names(def.names), names(fields('fields')), claude];
}

function powers({ decisions, takesInput, takesContext, takesOutput }) {
  const verbs = { allow: 'allow', ask: 'ask', deny: 'refuse', halt: 'end the turn' };
  return (
    [
      ...decisions.map((decision) => verbs[decision]),
      ...(takesInput ? ['change the input'] : []),
      ...(takesContext ? ['add context'] : []),
      ...(takesOutput ? ['replace the result'] : []),
    ].join(', ') || 'watch'
  );
}

function names(list) {
  return list.map((name) => `\`${name}\``).join(', ');
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const head = `# Hooks

Programs, web addresses and questions to a model that llmcode runs when something happens. This page is made from the
code by \`scripts/hook-docs.mjs\`.

They are written as \`hooks\` in llmcode's config, in one of two forms, and in Claude Code's own settings
(\`~/.claude/settings.json\`; of a project \`.claude/settings.json\` and \`.claude/settings.local.json\`). All of them
run. Hooks of a project run only after the folder is trusted, and trust ends when one of these files, or a script of
the project that a hook in them runs, changes.

\`\`\`json
{ "hooks": [{ "event": "post_tool_use", "tool_pattern": "write_file|edit_file", "command": "prettier --write {path}" }] }
\`\`\`

The list form: \`event\` is a name, with \`_\`, \`-\` or \`.\`, or a pattern such as \`session.*\`; \`tool_pattern\` a glob with \`|\`;
\`{path}\` and the other fields of the input and payload stand for one quoted argument each; \`timeout\` in seconds (10);
\`on_error\` is what a hook that breaks, hangs or answers nonsense means: \`warn\`, \`ignore\` or \`deny\`.

\`\`\`json
{ "hooks": { "PreToolUse": [{ "matcher": "Bash|Edit", "hooks": [{ "type": "command", "command": "./check.sh" }] }] } }
\`\`\`

Claude Code's form: \`type\` is \`command\`, \`http\` (\`url\`, https or this machine only; \`headers\`, \`allowedEnvVars\`) or
\`prompt\` (a yes or no question, \`$ARGUMENTS\` stands for the event; \`model\`). Further keys: \`timeout\` in seconds
(600, 60, 30), \`if\` (a permission rule), \`async\`, \`once\`, \`on_error\`. Without \`on_error\` a hook before a tool call that
gives no verdict makes the person be asked, and any other one is a warning.

Exit code 0 is fine, and JSON on standard output is read; 2 refuses, with standard error (in the list form first
standard output) as the reason; any other code is a failure. All hooks that match run at once and the strictest answer
counts. What a hook allows is not asked about, but a rule that denies stands, and an input that a hook changed is judged
as if the model had written it.

\`/hooks\` lists hooks with their last runs, \`llmcode hooks test <event>\` tries them on a sample.
`;

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  writeFileSync(target, hooksPage());
