import type { Command } from 'commander';
import { consultError } from '#agents/consult/consult-error.ts';
import type { ConsultDraft, ConsultTarget, SecretChoice } from '#agents/consult/consults.ts';
import { textToSend } from '#agents/consult/consults.ts';
import { roundFacts } from '#agents/consult/outcome.ts';
import { reviewLines } from '#agents/consult/peer-service.ts';
import type { Seat } from '#agents/consult/run-round.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { minuteText } from '#lib/iso-time.ts';
import { jsonText } from '#lib/json-text.ts';
import type { Composition } from '../../compose.ts';
import { consultMarkdown } from '../../consult-markdown.ts';
import { allPeers } from '../../consult-peers.ts';
import { alignColumns } from '../../format.ts';
import { exitCodeOfSignal, type Host, type StopSignal } from '../../host.ts';
import { say } from '../../say.ts';
import { gitDiff } from '../../session/git-facts.ts';
import {
  type Asked,
  allJson,
  answerJson,
  errorJson,
  failureOf,
  showJson,
  threadsJson,
} from './consult-json.ts';
import { isConfirmed } from './is-confirmed.ts';
import { openComposition } from './open-composition.ts';
import { readStdin } from './read-stdin.ts';
import type { Subcommand, SubcommandContext } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string };
type AskOptions = Options & {
  thread?: string;
  peers?: string;
  file?: string[];
  diff?: boolean;
  yes?: boolean;
  blankSecrets?: boolean;
  sendSecrets?: boolean;
};

export const consultSubcommand: Subcommand = {
  name: 'consult',
  register(program, context) {
    const consult = program.command('consult').description('ask other models, each in a thread of its own');
    const { host, act } = context;
    asking(consult.command('open').alias('ask'), 'begin a thread with a model')
      .argument('<model>', 'provider/model, an alias, or an id that only one provider has')
      .argument('[prompt]', promptText)
      .option('-t, --thread <name>', 'name of the thread; without it the provider and the time')
      .action(
        act((peer: string, prompt: string | undefined, options: AskOptions) =>
          ask(host, { target: { kind: 'open', peers: [peer], name: options.thread }, prompt, options }),
        ),
      );
    asking(consult.command('reply'), 'go on with a thread, from any folder and session')
      .argument('<thread>', 'its name')
      .argument('[prompt]', promptText)
      .action(
        act((thread: string, prompt: string | undefined, options: AskOptions) =>
          ask(host, { target: { kind: 'reply', thread }, prompt, options }),
        ),
      );
    asking(consult.command('all'), 'ask several models the same, at the same time')
      .argument('[prompt]', promptText)
      .option(
        '--peers <models>',
        'separated by commas; without it the setting consult.peers, or the favourites',
      )
      .action(
        act((prompt: string | undefined, options: AskOptions) =>
          ask(host, {
            target: { kind: 'open', peers: options.peers?.split(',').map((peer) => peer.trim()) ?? [] },
            prompt,
            options,
          }),
        ),
      );
    registerReading(consult, context);
  },
};

const promptText = 'the question; - or nothing reads standard input';

function asking(command: Command, description: string): Command {
  return command
    .description(description)
    .option('-f, --file <file>', 'send this file with it (repeat)', (file: string, files: string[] = []) => [
      ...files,
      file,
    ])
    .option('--diff', 'send the changes of the working folder with it')
    .option('-y, --yes', 'send without asking')
    .option('--blank-secrets', 'send it with secrets blanked out')
    .option('--send-secrets', 'send it with the secrets that were found')
    .option('--json', 'print one JSON object')
    .option('--cwd <folder>', 'the folder that the peer may read');
}

function registerReading(consult: Command, { host, act }: SubcommandContext): void {
  consult
    .command('list')
    .description('threads with peers, newest first')
    .option('--json', 'print one JSON object')
    .action(act((options: Options) => list(host, options)));
  consult
    .command('show')
    .description('all rounds of a thread')
    .argument('<thread>', 'its name')
    .option('--json', 'print one JSON object')
    .action(act((thread: string, options: Options) => show(host, { thread, options })));
}

type Question = { target: ConsultTarget; prompt: string | undefined; options: AskOptions };

async function ask(host: Host, question: Question): Promise<number> {
  const { options } = question;
  return reported(host, options, async () => {
    const isPiped = question.prompt === undefined || question.prompt === '-';
    const text = isPiped ? await readStdin(host.stdin) : (question.prompt ?? '');
    const composition = await openComposition(host, options);
    const draft = await composition.consults.prepare({
      target: withPeers(question.target, composition),
      question: text,
      hasMentions: !isPiped,
      files: options.file ?? [],
      ...(options.diff ? { diff: await diffOf(composition) } : {}),
    });
    if (!(await maySend(host, { draft, options, isPiped }))) {
      say(host.stderr, 'Nothing was sent.');
      return 1;
    }
    const stop = new AbortController();
    let signal: StopSignal | undefined;
    const restore = host.onSignal((received) => {
      signal = received;
      stop.abort();
    });
    const toSend = textToSend(draft.bundle, secretChoice(options));
    const asked = await Promise.all(
      draft.seats.map((seat) => askSeat(composition, seat, { text: toSend, signal: stop.signal })),
    );
    restore();
    print(host, asked, { options, isAll: question.target.kind === 'open' && draft.seats.length !== 1 });
    if (signal) return exitCodeOfSignal(signal);
    return asked.some(({ round }) => round) ? 0 : 1;
  });
}

function withPeers(target: ConsultTarget, composition: Composition): ConsultTarget {
  if (target.kind === 'reply' || target.peers.length > 0) return target;
  return { ...target, peers: allPeers(composition, null) };
}

async function diffOf({ cwd, childEnv }: Composition): Promise<string> {
  const diff = await gitDiff(cwd, { env: childEnv });
  if (diff === null)
    throw consultError('invalid_request', `${cwd} is in no git repository, so there is no diff.`);
  return diff;
}

function secretChoice({ blankSecrets, sendSecrets }: AskOptions): SecretChoice {
  if (blankSecrets) return 'blank';
  return sendSecrets ? 'send' : 'refuse';
}

/**
 * What was only typed or piped in here is known to whoever did it; everything else is shown and wants a yes, given
 * on the terminal or before.
 */
async function maySend(
  host: Host,
  { draft, options, isPiped }: { draft: ConsultDraft; options: AskOptions; isPiped: boolean },
): Promise<boolean> {
  textToSend(draft.bundle, secretChoice(options)); // Refuses what holds secrets before anything is asked.
  if (options.yes) return true;
  const canAsk = host.stdin.isTTY === true && !isPiped;
  const isPlain = draft.bundle.attachments.length === 0;
  if (!canAsk && isPlain) return true;
  for (const line of reviewLines(draft)) say(host.stderr, line);
  return isConfirmed(host, {
    question: 'Send this? [y/N] ',
    otherwise: 'sending files, a diff or mentioned files needs --yes when nobody can be asked',
  });
}

async function askSeat(
  { consults }: Composition,
  seat: Seat,
  options: { text: string; signal: AbortSignal },
): Promise<Asked> {
  try {
    const round = await consults.ask(seat, options);
    if (round.status === 'answered') return { seat, round };
    const lost = { code: 'provider_error', message: 'The round did not come to its end.', retryable: true };
    return { seat, failure: round.failure ?? lost };
  } catch (error) {
    return { seat, failure: failureOf(error) };
  }
}

function print(
  host: Host,
  asked: readonly Asked[],
  { options, isAll }: { options: AskOptions; isAll: boolean },
): void {
  if (options.json) {
    const [only] = asked;
    if (isAll) write(host.stdout, allJson(asked));
    else if (only?.round) write(host.stdout, answerJson(only));
    else if (only?.failure) write(host.stderr, errorJson(only.failure));
    return;
  }
  for (const { seat, round, failure } of asked) {
    if (failure) say(host.stderr, `llmcode: ${seat.peer}: ${failure.message}`);
    else {
      const place = `${seat.peer} · thread ${seat.thread} · round ${round.number}`;
      say(host.stdout, `${round.text}\n\n[${place} · ${roundFacts(round, seat.peer)}]${isAll ? '\n' : ''}`);
    }
  }
}

async function list(host: Host, options: Options): Promise<number> {
  return reported(host, options, async () => {
    const { consults } = await openComposition(host, {});
    const threads = await consults.list();
    if (options.json) {
      write(host.stdout, threadsJson(threads));
      return 0;
    }
    if (threads.length === 0) say(host.stderr, 'There are no threads with peers yet.');
    const rows = threads.map(({ name, peer, rounds, updatedAt, cwd, damage }) => [
      name,
      peer,
      damage === undefined ? String(rounds) : 'damaged',
      minuteText(updatedAt),
      cwd,
    ]);
    if (rows.length > 0)
      for (const line of alignColumns([['thread', 'peer', 'rounds', 'last used (UTC)', 'folder'], ...rows]))
        say(host.stdout, line);
    return 0;
  });
}

async function show(host: Host, { thread, options }: { thread: string; options: Options }): Promise<number> {
  return reported(host, options, async () => {
    const { consults } = await openComposition(host, {});
    const log = await consults.show(thread);
    if (options.json) write(host.stdout, showJson(log));
    else say(host.stdout, consultMarkdown(log));
    return 0;
  });
}

/** With `--json` a failure is one object on stderr; without, the program says it in its own way. */
async function reported(host: Host, options: Options, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!options.json || !LlmcodeError.isInstance(error)) throw error;
    write(host.stderr, errorJson(failureOf(error)));
    return error.exitCode;
  }
}

function write(stream: NodeJS.WriteStream, value: object): void {
  stream.write(`${jsonText(value)}\n`);
}
