import { relatedNames } from '#lib/nearest.ts';
import type { ToolSchema } from '#protocol/tool.ts';
import { vagueToolWords } from '#protocol/tool-names.ts';
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

/** What the model is told of a call that was not run. */
export function correctionFor(
  problem: CallProblem,
  { tools, isText }: { tools: readonly ToolSchema[]; isText: boolean },
): string {
  const names = tools.map(({ name }) => name);
  const related = problem.unknown === undefined ? [] : relatedNames(problem.unknown, names, vagueToolWords);
  const known = problem.tool ?? related[0];
  const facts = [
    whatHappened(problem),
    ...(related.length > 0 ? [`Did you mean ${related.join(' or ')}?`] : []),
    ...(problem.tool === undefined ? [`The tools are: ${names.join(', ')}.`] : []),
    ...(problem.reason === reasons.cut ? ['If it was too long for one message, use smaller arguments.'] : []),
  ].join(' ');
  if (!isText)
    return `${facts} Call the tool again by your own means of calling tools, not in the text of your answer.`;
  // Somebody may copy it word for word: without the tool's name it is one that changes nothing.
  const example =
    tools.find(({ name }) => name === known) ?? tools.find(({ name }) => name === 'read_file') ?? tools[0];
  return example
    ? `${facts} Write it again, outside of any code block, exactly in this form:\n\n${exampleOf(example)}`
    : facts;
}

function whatHappened({ reason, tool }: CallProblem): string {
  const what = `Your last message holds ${tool === undefined ? 'a tool call' : `a call of ${tool}`}`;
  return reason === reasons.fenced
    ? `${what} that was not run: ${reason}. If it is only an example, say so in a sentence below it.`
    : `${what} that could not be read: ${reason}. Nothing of it was run.`;
}

function exampleOf({ name, parameters }: ToolSchema): string {
  const schema = parameters as JsonObject;
  const properties = asObject(schema['properties']) ?? {};
  const required = Array.isArray(schema['required']) ? schema['required'] : Object.keys(properties);
  const keys = Object.keys(properties).filter((key) => required.includes(key));
  return callText(name, Object.fromEntries(keys.map((key) => [key, `the ${key}`])));
}
