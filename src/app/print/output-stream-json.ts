import { randomUUID } from 'node:crypto';
import type { EngineEvent } from '#protocol/event.ts';
import type { Message, ToolCallPart, ToolContent, ToolResultRecord } from '#protocol/message.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { claudeToolName } from '#protocol/tool-names.ts';
import { demoModelRef } from '../demo/model.ts';
import { claudeInput } from './claude-input.ts';
import type { LineWriter } from './line-writer.ts';
import type { PrintOutput, RunFacts } from './print-output.ts';
import { resultLine, stopReason, usageOf } from './result-line.ts';
import type { RunRecord } from './run-record.ts';
import type { AssistantLine, StreamLine, UserLine } from './schemas.ts';

/** Lines as other agents stream them: init, whole messages, tool results, the result. */
export function createStreamJsonOutput(out: LineWriter): PrintOutput {
  const stream = new StreamLines((line) => out.line(line));
  return {
    start: (record, facts) => stream.init(record, facts),
    event: (event, record) => stream.event(event, record),
    end: (record, end) => out.line(resultLine(record, end)),
  };
}

class StreamLines {
  readonly #write: (line: StreamLine) => Promise<void>;
  /** Results of calls whose message has not been written yet: tools may run while the message still streams. */
  readonly #early = new Map<string, ToolResultRecord>();
  readonly #written = new Set<string>();
  #session = '';
  #automatic = true;

  constructor(write: (line: StreamLine) => Promise<void>) {
    this.#write = write;
  }

  async init(record: RunRecord, facts: RunFacts): Promise<void> {
    this.#session = record.state?.threadId ?? '';
    for (const message of record.state?.messages ?? []) this.#written.add(message.id);
    await this.#write({
      type: 'system',
      subtype: 'init',
      schema_version: 1,
      ...this.#identity(),
      cwd: facts.cwd,
      tools: facts.tools.map(claudeToolName),
      mcp_servers: [],
      model: facts.model ? formatModelRef(facts.model) : '',
      permissionMode: peerMode(facts.mode),
      apiKeySource: facts.model?.provider === demoModelRef.provider ? 'none' : 'user',
      slash_commands: [...facts.commands],
      agents: [],
      skills: [],
      plugins: [],
      output_style: 'default',
      llmcode_version: facts.version,
      claude_code_version: facts.version,
    });
  }

  async event(event: EngineEvent, record: RunRecord): Promise<void> {
    switch (event.kind) {
      case 'message-end': {
        const message = record.state?.messages.findLast((each) => each.id === event.messageId);
        if (message) await this.#assistant(message);
        return;
      }
      case 'tool-run-end':
        await this.#toolResult(event.callId, event.result, record);
        return;
      case 'retry-wait':
        await this.#write({
          type: 'system',
          subtype: 'api_retry',
          attempt: event.attempt,
          max_retries: event.maxAttempts,
          retry_delay_ms: Math.max(0, event.until - event.at),
          error_status: event.error.status ?? null,
          error: event.error.message,
          ...this.#identity(),
        });
        return;
      case 'turn-end':
        // A message that was cut off ends with its turn.
        for (const message of record.state?.messages ?? [])
          if (message.role === 'assistant' && !this.#written.has(message.id)) await this.#assistant(message);
        return;
      case 'compaction-start':
        this.#automatic = event.automatic;
        return;
      case 'thread-compacted':
        await this.#write({
          type: 'system',
          subtype: 'compact_boundary',
          compact_metadata: { trigger: this.#automatic ? 'auto' : 'manual', pre_tokens: event.tokensBefore },
          ...this.#identity(),
        });
        return;
      case 'consult-end':
        await this.#write({ type: 'system', subtype: 'consult', consult: event.part, ...this.#identity() });
        return;
      case 'notice-added':
        await this.#write({
          type: 'system',
          subtype: 'informational',
          level: event.notice.level,
          content: event.notice.text,
          ...this.#identity(),
        });
        return;
      default:
        return;
    }
  }

  async #assistant(message: Message): Promise<void> {
    this.#written.add(message.id);
    await this.#write(this.#assistantLine(message));
    for (const part of message.parts) {
      if (part.kind !== 'tool-call') continue;
      const result = this.#early.get(part.callId);
      this.#early.delete(part.callId);
      if (result) await this.#write(this.#userLine(part.callId, result));
    }
  }

  async #toolResult(callId: string, result: ToolResultRecord, record: RunRecord): Promise<void> {
    if (result.status === 'denied') {
      const denial = record.denials.findLast((each) => each.tool_use_id === callId);
      if (denial)
        await this.#write({ type: 'system', subtype: 'permission_denied', ...denial, ...this.#identity() });
    }
    if (this.#isWritten(callId, record)) await this.#write(this.#userLine(callId, result));
    else this.#early.set(callId, result);
  }

  #isWritten(callId: string, record: RunRecord): boolean {
    const messages = record.state?.messages ?? [];
    const owner = messages.findLast((message) =>
      message.parts.some((part) => part.kind === 'tool-call' && part.callId === callId),
    );
    return owner !== undefined && this.#written.has(owner.id);
  }

  #assistantLine(message: Message): AssistantLine {
    const { usage } = message;
    const counts = {
      input: usage?.input ?? 0,
      output: usage?.output ?? 0,
      cacheRead: usage?.cacheRead ?? 0,
      cacheWrite: usage?.cacheWrite ?? 0,
    };
    return {
      type: 'assistant',
      message: {
        id: message.id,
        type: 'message',
        role: 'assistant',
        model: message.model ? formatModelRef(message.model) : '',
        content: message.parts.flatMap(contentOf),
        stop_reason: stopReason(message.finish),
        stop_sequence: null,
        usage: usageOf(counts),
      },
      parent_tool_use_id: null,
      ...this.#identity(),
    };
  }

  #userLine(callId: string, result: ToolResultRecord): UserLine {
    const { status, summary, durationMs } = result;
    return {
      type: 'user',
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: callId,
            content: result.forModel.map(toolContentOf),
            is_error: status !== 'ok',
          },
        ],
      },
      parent_tool_use_id: null,
      tool_use_result: { status, duration_ms: durationMs, ...(summary === undefined ? {} : { summary }) },
      ...this.#identity(),
    };
  }

  #identity() {
    return { session_id: this.#session, uuid: randomUUID() };
  }
}

function contentOf(part: Message['parts'][number]): AssistantLine['message']['content'] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning':
      return [{ type: 'thinking', thinking: part.text, signature: '' }];
    case 'tool-call':
      return [toolUse(part)];
    case 'image':
    case 'notice':
    case 'consult':
      return [];
  }
}

function toolUse({ callId, tool, input }: ToolCallPart): AssistantLine['message']['content'][number] {
  return { type: 'tool_use', id: callId, name: claudeToolName(tool), input: claudeInput(tool, input) };
}

function toolContentOf(content: ToolContent): UserLine['message']['content'][number]['content'][number] {
  if (content.kind === 'text') return { type: 'text', text: content.text };
  const { mediaType, source } = content;
  if (source.kind === 'file') return { type: 'text', text: `[image ${mediaType}: ${source.path}]` };
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: source.base64 } };
}

/** The names that readers of such streams know; `read_only` has none. */
function peerMode(mode: PermissionMode): string {
  switch (mode) {
    case 'prompt':
      return 'default';
    case 'workspace_write':
      return 'acceptEdits';
    case 'auto_accept':
      return 'auto';
    case 'full_access':
      return 'bypassPermissions';
    case 'plan':
    case 'read_only':
      return mode;
  }
}
