import { consultError } from '#agents/consult/consult-error.ts';
import { childEnvironment } from '#lib/child-env.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { Message } from '#protocol/message.ts';
import type { ConsultCommands, ConsultQuestion } from '../commands/consult-commands.ts';
import { consultMarkdown } from '../consult-markdown.ts';
import { allPeers } from '../consult-peers.ts';
import { ConsultDesk } from './consult-desk.ts';
import { gitDiff } from './git-facts.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** What `/consult` can do in a session. */
export function createConsultCommands(session: InteractiveSession): ConsultCommands {
  const desk = new ConsultDesk(session);
  return {
    async ask(question): Promise<CommandOutcome> {
      const review = await desk.prepare({
        target:
          question.who.kind === 'all'
            ? { kind: 'open', peers: allPeers(await session.composition(), (await session.state()).model) }
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
