import type { ToolResult } from '#protocol/message.ts';
import { toolNamesOf } from '#protocol/tool-names.ts';
import { defineHookEvent } from './define-hook-event.ts';
import { claudeToolFields, sampleCall, toolFields } from './tool-fields.ts';

const maxOutputChars = 100_000;

/** After a tool ran: may add to what the model reads, object to it, or stop the turn. */
export const toolAfter = defineHookEvent<'tool-after'>({
  event: 'tool-after',
  group: 'tool',
  names: ['tool_after', 'post_tool_use', 'tool_error'],
  claudeNames: ['PostToolUse', 'PostToolUseFailure'],
  when: 'a call has run; tool_error and PostToolUseFailure only when it failed',
  samples: [
    { event: 'tool-after', ...sampleCall, result: sampleResult('ok', 'Changed src/a.ts') },
    { event: 'tool-after', ...sampleCall, result: sampleResult('error', 'There is no src/a.ts') },
  ],
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
  merge: { decisions: ['deny', 'halt'], takesContext: true, takesOutput: true },
});

function sampleResult(status: ToolResult['status'], text: string): ToolResult {
  return { status, forModel: [{ kind: 'text', text }] };
}

function outputText({ forModel }: ToolResult): string {
  const text = forModel.map((part) => (part.kind === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
  return text.length <= maxOutputChars ? text : `${text.slice(0, maxOutputChars)}\n[cut]`;
}
