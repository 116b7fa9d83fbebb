import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import type { Question, QuestionAnswer } from '#protocol/question.ts';
import { defineTool } from '#protocol/tool.ts';
import prose from './ask-user.md';
import { looseInput } from './result/loose-input.ts';
import { aborted } from './result/tool-error.ts';
import { count, oneLine } from './result/words.ts';

const option = looseInput({ label: z.string(), description: z.string().optional() }, (value) =>
  typeof value === 'string' ? { label: value } : value,
);
const question = looseInput(
  {
    question: z.string().min(1),
    header: z.string().optional(),
    options: z.array(option).optional(),
    multiSelect: z.boolean().optional(),
  },
  (value) => (typeof value === 'string' ? { question: value } : value),
);

type Input = { questions: z.output<typeof question>[] };

export const askUser = defineTool<Input>({
  name: 'ask_user',
  aliases: ['AskUserQuestion'],
  prose,
  input: looseInput({ questions: z.array(question).min(1) }, severalQuestions),
  effect: 'none',
  needsPerson: true,
  touches: () => [],
  title: ({ questions }) => oneLine(questions[0]?.question ?? ''),
  async run({ questions }, ctx) {
    const asked = questions.map(questionOf);
    const answer = await ctx.services.askPerson(asked, { callId: ctx.callId, signal: ctx.signal });
    if (ctx.signal.aborted) return aborted('The question was taken back before it was answered.');
    return answer === null ? unanswered : answered(asked, answer);
  },
});

const unanswered: ToolResult = {
  status: 'denied',
  forModel: [
    {
      kind: 'text',
      text: 'The person gave no answer, or nobody can be asked. Go on with what seems most sensible and say what you assumed, or stop and say what you need.',
    },
  ],
  summary: 'no answer',
};

/** One question without the list around it. */
function severalQuestions(value: unknown): unknown {
  const isOne = typeof value === 'object' && value !== null && 'question' in value && !('questions' in value);
  return isOne ? { questions: [value] } : value;
}

function questionOf({ question: text, header, options, multiSelect }: Input['questions'][number]): Question {
  return {
    question: text,
    ...(header === undefined ? {} : { header }),
    options: (options ?? []).map(({ label, description }) =>
      description === undefined ? { label } : { label, description },
    ),
    multiSelect: multiSelect ?? false,
  };
}

function answered(questions: readonly Question[], answer: NonNullable<QuestionAnswer>): ToolResult {
  const texts = questions.map((asked, index) => {
    const words = answer[index] ?? [];
    return `${asked.question}\n-> ${words.length === 0 ? '(no answer)' : words.join('; ')}`;
  });
  const first = answer[0]?.join('; ') ?? '';
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: texts.join('\n\n') }],
    summary: questions.length === 1 ? oneLine(first) : count(questions.length, 'answer'),
  };
}
