import type { Message, ToolCallPart, ToolStatus } from '#protocol/message.ts';

export type DemoCall = {
  tool: string;
  input: unknown;
  status: ToolStatus;
  /** What the tool gave the model. */
  output: string;
  /** Made after the person's last prompt. */
  isOfThisTurn: boolean;
};

/** What the script can see of a conversation, as a model would. */
export type Evidence = {
  /** The person's last prompt. */
  ask: string;
  /** What the person said since, and nothing has answered yet. */
  asides: string[];
  /** Every call of the thread with its result, oldest first. */
  calls: DemoCall[];
};

export function readEvidence(messages: readonly Message[]): Evidence {
  const promptIndex = messages.findLastIndex(
    (message) => message.role === 'user' && (message.origin === 'person' || message.origin === undefined),
  );
  const answeredUpTo = messages.findLastIndex((message) => message.role === 'assistant');
  const prompt = messages[promptIndex];
  return {
    ask: prompt ? textOf(prompt) : '',
    asides: messages
      .filter((message, index) => index > Math.max(answeredUpTo, promptIndex) && message.origin === 'steer')
      .map(textOf),
    calls: messages.flatMap((message, index) =>
      message.parts.flatMap((part) => (part.kind === 'tool-call' ? [callOf(part, index > promptIndex)] : [])),
    ),
  };
}

function callOf(part: ToolCallPart, isOfThisTurn: boolean): DemoCall {
  const output = (part.result?.forModel ?? [])
    .map((each) => (each.kind === 'text' ? each.text : ''))
    .join('\n');
  return {
    tool: part.tool,
    input: part.input,
    status: part.result?.status ?? 'aborted',
    output,
    isOfThisTurn,
  };
}

function textOf(message: Message): string {
  return message.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}
