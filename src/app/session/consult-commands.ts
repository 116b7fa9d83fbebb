import { consultError } from '#agents/consult/consult-error.ts';
import { childEnvironment } from '#lib/child-env.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { Message } from '#protocol/message.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ConsultCommands, ConsultQuestion } from '../commands/consult-commands.ts';
import { consultMarkdown } from '../consult-markdown.ts';
import { ConsultDesk } from './consult-desk.ts';
import { gitDiff } from './git-facts.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { modelMarks } from './model-marks.ts';

/** What `/consult` can do in a session. */
export function createConsultCommands(session: InteractiveSession): ConsultCommands {
  const desk = new ConsultDesk(session);
  return {
    async ask(question): Promise<CommandOutcome> {
      const review = await desk.prepare({
        target:
          question.who.kind === 'all'
            ? { kind: 'open', peers: await everybody(session) }
            : question.who.kind === 'open'
              ? { kind: 'open', peers: [question.who.peer], name: question.who.name }
              : question.who,
        question: question.text,
        hasMentions: true,
        files: [],
        ...(await extras(session, question)),
      });
      return { kind: 'consult-review', review };
    },
    send: (id, secrets) => desk.send(id, secrets),
    stop: (what) => desk.stop(what),
    list: async () => (await session.composition()).consults.list(),
    show: async (thread) => consultMarkdown(await (await session.composition()).consults.show(thread)),
    async lastAnswer(thread) {
      const { rounds } = await (await session.composition()).consults.show(thread);
      return rounds.findLast(({ status }) => status === 'answered')?.text;
    },
  };
}

/** Whom the settings name, else the favourites; not the model that is talked to anyway. */
async function everybody(session: InteractiveSession): Promise<string[]> {
  const { peers } = (await session.composition()).settings.values.consult;
  if (peers.length > 0) return peers;
  const { model } = await session.state();
  const own = model && formatModelRef({ provider: model.provider, model: model.model });
  const favourites = modelMarks(session.home)
    .favourites.map(formatModelRef)
    .filter((text) => text !== own);
  if (favourites.length > 0) return favourites;
  throw consultError(
    'invalid_request',
    'Nobody is named to be asked: set `consult.peers` in the config, or mark favourites in `/model`.',
  );
}

async function extras(session: InteractiveSession, { hasDiff, hasOutput }: ConsultQuestion) {
  const diff = hasDiff ? await gitDiff(session.cwd, { env: childEnvironment(session.host.env) }) : undefined;
  if (diff === null)
    throw consultError('invalid_request', 'This folder is in no git repository, so there is no diff.');
  if (diff === '') throw consultError('invalid_request', 'The working folder has no changes to send.');
  const output = hasOutput ? lastOutput((await session.state()).messages) : undefined;
  if (hasOutput && !output)
    throw consultError('invalid_request', 'There is no output of a tool or command to send yet.');
  return { diff, output };
}

/** What the newest tool call or `!` command gave, as the model got it. */
function lastOutput(messages: readonly Message[]): { name: string; text: string } | undefined {
  for (const message of messages.toReversed()) {
    if (message.origin === 'shell') return { name: 'your command', text: textOf(message.parts) };
    for (const part of message.parts.toReversed()) {
      if (part.kind !== 'tool-call' || !part.result) continue;
      const text = textOf(part.result.forModel);
      if (text !== '') return { name: `${part.tool} ${part.title ?? ''}`.trim(), text };
    }
  }
  return undefined;
}

function textOf(parts: readonly { kind: string; text?: string }[]): string {
  return parts.map((part) => (part.kind === 'text' ? (part.text ?? '') : '')).join('\n');
}
