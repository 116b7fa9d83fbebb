import type { ToolResult } from '#protocol/message.ts';
import { toolNamesOf } from '#protocol/tool-names.ts';
import { defineHookEvent } from './define-hook-event.ts';
import { claudeToolFields, toolFields } from './tool-fields.ts';

const maxOutputChars = 100_000;

/** After a tool ran: may add to what the model reads, object to it, or stop the turn. */
export const toolAfter = defineHookEvent<'tool-after'>({
  event: 'tool-after',
  group: 'tool',
  names: ['tool_after', 'post_tool_use', 'tool_error'],
  claudeNames: ['PostToolUse', 'PostToolUseFailure'],
  isAbout({ result: { status } }, name) {
    if (name === 'tool_error' || name === 'PostToolUseFailure') return status !== 'ok';
    return name !== 'PostToolUse' || status === 'ok';
  },
  tools: ({ tool }) => toolNamesOf(tool),
  subjects: ({ tool }) => toolNamesOf(tool),
  fields: (event) => ({
    ...toolFields(event),
    status: event.result.status,
    output: outputText(event.result),
  }),
  claudeFields(event, surroundings) {
    const isError = event.result.status !== 'ok';
    const content = outputText(event.result);
    return {
      ...claudeToolFields(event, surroundings),
      tool_response: { content, success: !isError, is_error: isError },
      ...(isError ? { error: content } : {}),
    };
  },
  merge: {
    decisions: ['deny', 'halt'],
    takesInput: false,
    takesContext: true,
    takesPlainText: false,
    isGate: false,
  },
});

function outputText({ forModel }: ToolResult): string {
  const text = forModel.map((part) => (part.kind === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
  return text.length <= maxOutputChars ? text : `${text.slice(0, maxOutputChars)}\n[cut]`;
}
