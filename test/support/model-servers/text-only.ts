import type { ServerScript, ServerStep } from './script.ts';

/** A server whose model has no template for tools: requests that offer some are refused, the others answered in turn. */
export function refusesTools(answers: readonly ServerStep[]): ServerScript {
  let used = 0;
  return ({ body }) => {
    if (body.tools) return { status: 400, message: 'registry/test-model does not support tools' };
    const step = answers[used] ?? { parts: [{ text: 'The script has no more answers.' }] };
    used += 1;
    return step;
  };
}

/** A call in the form that the system prompt of a text-only model asks for. */
export function writtenCall(tool: string, input: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(input).map(
    ([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`,
  );
  return `<tool_call>\n<function=${tool}>\n${parameters.join('')}</function>\n</tool_call>`;
}
