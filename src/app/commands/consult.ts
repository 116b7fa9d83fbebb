import { minuteText } from '#lib/iso-time.ts';
import { codeName } from '#lib/quote.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ConsultQuestion } from './consult-commands.ts';
import { type CommandContext, defineCommand, inform, warn } from './define-command.ts';

const usage =
  'Usage: `/consult <model> [-t name] [--diff] [--last-output] question`, `/consult reply <thread> question`, ' +
  '`/consult all question`, `/consult list`, `/consult show|copy|stop <thread>`. Files that the question names ' +
  'with `@` go with it.';

export const consultCommand = defineCommand({
  name: 'consult',
  summary: 'ask another model; it sees only what you send',
  args: '<model> [-t name] question',
  choices: ['all', 'reply', 'list', 'show', 'copy', 'stop'],
  async run(argument, context) {
    const [verb = '', rest = ''] = firstWord(argument);
    switch (verb) {
      case '':
        return warn(usage);
      case 'list':
        return listConsults(context);
      case 'show':
        return rest === '' ? warn(usage) : inform(await context.consult.show(rest));
      case 'copy':
        return rest === '' ? warn(usage) : copyAnswer(rest, context);
      case 'stop':
        return stopConsults(rest, context);
      case 'send':
        return send(rest, context);
      default: {
        const question = readQuestion(verb, rest);
        return question ? context.consult.ask(question) : warn(usage);
      }
    }
  },
});

async function listConsults({ consult }: CommandContext): Promise<CommandOutcome> {
  const threads = await consult.list();
  if (threads.length === 0)
    return inform('No model was asked yet: `/consult <model> question` begins a thread.');
  const rows = threads.map(({ name, peer, rounds, updatedAt, damage }) => {
    const used = minuteText(updatedAt);
    return `| \`${name}\` | ${peer} | ${damage === undefined ? rounds : 'damaged'} | ${used} |`;
  });
  return inform(
    ['| thread | peer | rounds | last used (UTC) |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  );
}

/** `-t name`, `--diff` and `--last-output` stand before the question, in any order. */
function readQuestion(verb: string, rest: string): ConsultQuestion | undefined {
  let left = verb === 'reply' || verb === 'all' ? rest : `${verb} ${rest}`;
  let target: string | undefined;
  let name: string | undefined;
  let hasDiff = false;
  let hasOutput = false;
  const needsTarget = verb !== 'all';
  for (;;) {
    const [word, after] = firstWord(left);
    if (word === '-t' || word === '--thread') {
      [name, left] = firstWord(after);
    } else if (word === '--diff') {
      hasDiff = true;
      left = after;
    } else if (word === '--last-output') {
      hasOutput = true;
      left = after;
    } else if (needsTarget && target === undefined && word !== '') {
      target = word;
      left = after;
    } else break;
  }
  const given = { text: left, hasDiff, hasOutput };
  if (verb === 'all') return name === undefined ? { who: { kind: 'all' }, ...given } : undefined;
  if (target === undefined) return undefined;
  if (verb === 'reply')
    return name === undefined ? { who: { kind: 'reply', thread: target }, ...given } : undefined;
  return { who: { kind: 'open', peer: target, name }, ...given };
}

async function copyAnswer(thread: string, { consult }: CommandContext): Promise<CommandOutcome> {
  const text = await consult.lastAnswer(thread);
  return text === undefined
    ? warn(`Nobody has answered in ${codeName(thread)} yet.`)
    : { kind: 'copy', text, what: `the last answer in ${thread}` };
}

function stopConsults(what: string, { consult }: CommandContext): CommandOutcome {
  const stopped = consult.stop(what === '' ? undefined : what);
  if (stopped.length > 0) return { kind: 'none' };
  return inform(what === '' ? 'No model is being asked.' : `Nobody is being asked in ${codeName(what)}.`);
}

function send(argument: string, { consult }: CommandContext): CommandOutcome {
  const [id, how] = firstWord(argument);
  consult.send(id, how === 'blanked' ? 'blank' : how === 'with-secrets' ? 'send' : 'refuse');
  return { kind: 'none' };
}

/** The first word and what follows it, its own line breaks kept. */
function firstWord(text: string): [word: string, rest: string] {
  const [, word = '', rest = ''] = /^\s*(\S*)\s?([\s\S]*)$/.exec(text) ?? [];
  return [word, rest.trim()];
}
