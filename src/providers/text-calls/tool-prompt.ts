import type { ToolSchema } from '#protocol/tool.ts';
import type { JsonObject } from '../wire/json.ts';
import { asObject } from '../wire/json.ts';
import { type CallProblem, reasons } from './reading.ts';
import textTools from './text-tools.md';

/** The tools as words, for a model that gets them by the system prompt. */
export function toolPrompt(tools: readonly ToolSchema[]): string {
  const blocks = tools.map(
    ({ name, description, parameters }) =>
      `## ${name}\n\n${description}\n\nParameters: ${JSON.stringify(parameters)}`,
  );
  return [textTools.trim(), ...blocks].join('\n\n');
}

/** A call in the form that the prompt asks for. */
export function callText(tool: string, input: JsonObject): string {
  const parameters = Object.entries(input).map(
    ([key, value]) =>
      `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`,
  );
  return `<tool_call>\n<function=${tool}>\n${parameters.join('')}</function>\n</tool_call>`;
}

/** What the model is told of a call that could not be read. */
export function correctionFor(
  problem: CallProblem,
  { tools, isText }: { tools: readonly ToolSchema[]; isText: boolean },
): string {
  const what = problem.tool === undefined ? 'a tool call' : `a call of ${problem.tool}`;
  const begin = `Your last message holds ${what} that could not be read: ${problem.reason}. Nothing of it was run.`;
  const names =
    problem.tool === undefined ? ` The tools are: ${tools.map(({ name }) => name).join(', ')}.` : '';
  const shorter =
    problem.reason === reasons.cut ? ' If it was too long for one message, use smaller arguments.' : '';
  if (!isText)
    return `${begin}${names}${shorter} Call the tool again by your own means of calling tools, not in the text of your answer.`;
  const example = tools.find(({ name }) => name === problem.tool) ?? tools[0];
  const form = example
    ? ` Write it again, outside of any code block, exactly in this form:\n\n${exampleOf(example)}`
    : '';
  return `${begin}${names}${shorter}${form}`;
}

function exampleOf({ name, parameters }: ToolSchema): string {
  const schema = parameters as JsonObject;
  const properties = asObject(schema['properties']) ?? {};
  const required = Array.isArray(schema['required']) ? schema['required'] : Object.keys(properties);
  const keys = Object.keys(properties).filter((key) => required.includes(key));
  return callText(name, Object.fromEntries(keys.map((key) => [key, `the ${key}`])));
}
