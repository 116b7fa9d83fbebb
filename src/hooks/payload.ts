import type { HookEvent, HookScene } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { HookEventDef, HookFields, HookSurroundings } from './events/define-hook-event.ts';

const schemaVersion = 1;
/** A variable may hold 128 KiB; what is longer is on standard input only. */
const maxVariableBytes = 30_000;

export type HookCall = {
  def: HookEventDef;
  event: HookEvent;
  /** The name by which the hook asked for the event. */
  name: string;
  sessionId: string;
  /** Milliseconds since 1970. */
  at: number;
  surroundings: HookSurroundings;
  scene: HookScene;
};

/** What a hook of the list form reads on standard input. */
export function ownPayload({ def, event, name, sessionId, at, surroundings, scene }: HookCall): HookFields {
  const { mode, promptId, transcript, model, agent } = scene;
  return {
    schema_version: schemaVersion,
    event: name,
    session_id: sessionId,
    cwd: surroundings.cwd,
    at,
    ...(mode === undefined ? {} : { mode }),
    ...(promptId === undefined ? {} : { turn_id: promptId }),
    ...(transcript === undefined ? {} : { log: transcript }),
    ...(model === undefined ? {} : { model: formatModelRef(model) }),
    ...(agent === undefined ? {} : { agent_id: agent.id, agent_type: agent.type }),
    ...def.fields(event, surroundings),
  };
}

/** What a hook of Claude's form reads on standard input. */
export function claudePayload({ def, event, name, sessionId, surroundings, scene }: HookCall): HookFields {
  const { mode, promptId, transcript, model, agent } = scene;
  return {
    session_id: sessionId,
    ...(promptId === undefined ? {} : { prompt_id: promptId }),
    ...(transcript === undefined ? {} : { transcript_path: transcript }),
    cwd: surroundings.cwd,
    ...(mode === undefined ? {} : { permission_mode: claudeModes[mode] }),
    ...(model?.effort === undefined ? {} : { effort: { level: model.effort } }),
    ...(agent === undefined ? {} : { agent_id: agent.id, agent_type: agent.type }),
    hook_event_name: name,
    ...def.claudeFields(event, surroundings),
  };
}

const claudeModes: Readonly<Record<PermissionMode, string>> = {
  plan: 'plan',
  read_only: 'plan',
  prompt: 'default',
  workspace_write: 'acceptEdits',
  auto_accept: 'bypassPermissions',
  full_access: 'bypassPermissions',
};

/** Fields that can stand in a command as `{name}`: those of the payload and of the tool's input. */
export function placeableFields(payload: HookFields): HookFields {
  const input = payload['input'];
  const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
  const path = fields['path'];
  const tool = payload['tool'];
  return {
    ...(path === undefined ? {} : { file_path: path }),
    ...fields,
    ...payload,
    ...(tool === undefined ? {} : { tool_name: tool }),
  };
}

/** Variables that say what happened, beside standard input. */
export function payloadVariables(
  { event, name, sessionId, surroundings }: HookCall,
  payload: HookFields,
): Record<string, string> {
  const { cwd } = surroundings;
  const status = payload['status'];
  const hasResult = event.event === 'tool-after';
  return {
    CLAUDE_PROJECT_DIR: cwd,
    LLMCODE_PROJECT_DIR: cwd,
    LLMCODE_EVENT: name,
    LLMCODE_SESSION_ID: sessionId,
    HOOK_EVENT: name,
    HOOK_SESSION_ID: sessionId,
    ...variable('HOOK_TOOL_NAME', payload['tool']),
    ...variable('HOOK_TOOL_INPUT', payload['input']),
    ...variable('HOOK_TOOL_OUTPUT', payload['output']),
    ...(hasResult ? { HOOK_TOOL_IS_ERROR: String(status !== 'ok') } : {}),
    ...variable('HOOK_COMMAND', payload['command']),
    ...variable('HOOK_AGENT_ID', payload['agent_id']),
    ...variable('HOOK_HTTP_URL', payload['url']),
    ...(event.event === 'http' ? variable('HOOK_HTTP_STATUS', status) : {}),
  };
}

function variable(name: string, value: JsonValue | undefined): Record<string, string> {
  if (value === undefined) return {};
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '');
  return Buffer.byteLength(text) > maxVariableBytes ? {} : { [name]: text };
}
