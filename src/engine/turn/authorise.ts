import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { HookOutcome } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolResult } from '#protocol/message.ts';
import type {
  DecisionReason,
  PermissionAnswer,
  PermissionDecision,
  PermissionRequest,
  Resource,
} from '#protocol/permission.ts';
import type { CommandGrant } from '#protocol/sandbox.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { fireHook, showNotices } from './fire-hook.ts';
import { hookReasons, refusedByHook } from './hook-decision.ts';
import { noteDecision, type Settled } from './note-decision.ts';
import type { AskEnd, PermissionAsker } from './permission-asker.ts';
import {
  abortedText,
  nobodyText,
  noFileResult,
  notPermitted,
  type Refused,
  refusedByPerson,
} from './refusal.ts';
import { toolContext } from './run-tool.ts';
import type { ToolCall, ToolCallDeps, ToolCallOptions } from './tool-call.ts';
import type { ReadyCall } from './tool-input.ts';
import { scopeOf } from './tool-scope.ts';

export type Authorisation =
  | { kind: 'allowed'; grant?: CommandGrant | undefined; paths?: PermissionDecision['paths'] | undefined }
  | Refused
  | { kind: 'edited'; input: JsonValue; by: 'The person' | 'A hook' }
  /** It would end with this error, so nobody was asked. */
  | { kind: 'doomed'; result: ToolResult };

type Authorised = {
  call: ToolCall;
  ready: ReadyCall;
  hook: HookOutcome;
  options: ToolCallOptions;
  /** The person wrote this input in answer to a question, so it is not asked about again. */
  isEdited: boolean;
};

/** Rules first, then the hook, then the person. A deny of the rules stands whatever a hook says. */
export async function authorise(deps: ToolCallDeps, about: Authorised): Promise<Authorisation> {
  const { ready } = about;
  const resources = ready.tool.touches(ready.input, scopeOf(deps));
  const decide = (): PermissionDecision => decideCall(deps, { ready, resources });
  const decision = decide();
  const settled = await settle(deps, { about, resources, decide, decision });
  noteDecision(deps, { ready, resources, settled });
  return settled.end;
}

async function settle(
  deps: ToolCallDeps,
  {
    about,
    resources,
    decide,
    decision,
  }: {
    about: Authorised;
    resources: readonly Resource[];
    decide: () => PermissionDecision;
    decision: PermissionDecision;
  },
): Promise<Settled> {
  const { ready, hook, options } = about;
  const { grant, paths } = decision;
  if (decision.decision === 'deny') {
    const noFile = noFileResult(decision.reasons);
    const end = noFile ? ({ kind: 'doomed', result: noFile } as const) : notPermitted(decision.reasons);
    return { end, by: 'rules', decision: 'deny', reasons: decision.reasons };
  }
  const reasons = askReasons({ decision, hook, options, isEdited: about.isEdited });
  if (!reasons) {
    const end = { kind: 'allowed', grant, paths } as const;
    if (decision.decision === 'allow') return { end, by: 'rules', ...decision };
    if (about.isEdited) return { end, by: 'person', ...decision };
    return { end, by: 'hook', decision: 'ask', reasons: [...hookReasons(hook), ...decision.reasons] };
  }
  const asked = { decision: 'ask', reasons } as const;
  const stopped = (text: string): Settled => ({
    end: { kind: 'refused', status: 'aborted', text },
    by: 'interrupt',
    ...asked,
  });
  const dropped = await options.beforeAsk;
  if (dropped !== undefined) return stopped(dropped);
  if (options.signal.aborted) return stopped(abortedText);
  const answered = await askHooks(deps, { about, reasons, decision });
  if (answered) return answered;
  if (!deps.asker) return { end: notPermitted(reasons, nobodyText), by: 'nobody', ...asked };
  const outlook = await preview(deps, about);
  if (outlook && 'status' in outlook && isRuleQuestion(about) && mayRead(deps, { ready, resources }))
    return { end: { kind: 'doomed', result: outlook }, by: 'nobody', ...asked };
  const given = await ask(deps, { asker: deps.asker, about, reasons, resources, decide, decision, outlook });
  return given.end.kind === 'allowed' ? { ...given, end: { ...given.end, grant, paths } } : given;
}

/** Asks about a call that has run once already, for this reason. Never by a rule. */
export async function askAnew(
  deps: ToolCallDeps,
  about: Omit<Authorised, 'hook' | 'isEdited'>,
  reason: DecisionReason,
): Promise<boolean> {
  const { ready, options } = about;
  if (!deps.asker || options.signal.aborted) return false;
  const reasons = [reason];
  const resources = ready.tool.touches(ready.input, scopeOf(deps));
  const settled = await ask(deps, {
    asker: deps.asker,
    about: { ...about, hook: { decision: 'continue', notices: [] }, isEdited: true },
    reasons,
    resources,
    decide: () => ({ decision: 'ask', reasons }),
    decision: { decision: 'ask', reasons },
    outlook: undefined,
  });
  noteDecision(deps, { ready, resources, settled });
  return settled.end.kind === 'allowed';
}

/** Hooks may answer for the person what rules left open; not what another hook or a repetition asks. */
async function askHooks(
  deps: ToolCallDeps,
  {
    about,
    reasons,
    decision,
  }: { about: Authorised; reasons: readonly DecisionReason[]; decision: PermissionDecision },
): Promise<Settled | undefined> {
  const { call, ready, options } = about;
  const { suggestedRule } = decision;
  const outcome = await fireHook(
    deps.hooks,
    {
      event: 'permission-request',
      callId: call.callId,
      tool: ready.tool.name,
      input: ready.input,
      reasons: reasons.map(({ text }) => text),
      ...(suggestedRule === undefined ? {} : { suggestedRule }),
    },
    { signal: options.signal },
  );
  await showNotices(deps, outcome);
  const settled = (end: Authorisation, by: Settled['by'], more: DecisionReason[] = []): Settled => ({
    end,
    by,
    decision: 'ask',
    reasons: [...more, ...reasons],
  });
  if (options.signal.aborted)
    return settled({ kind: 'refused', status: 'aborted', text: abortedText }, 'interrupt');
  const words = hookReasons(outcome);
  if (outcome.decision === 'deny' || outcome.decision === 'halt')
    return settled(refusedByHook(outcome), 'hook', words);
  if (outcome.decision !== 'allow' || !isRuleQuestion(about)) return undefined;
  const { input } = outcome;
  return settled(
    input === undefined ? { kind: 'allowed' } : { kind: 'edited', input, by: 'A hook' },
    'hook',
    words,
  );
}

/** A rule cannot say yes to what a hook or a repetition asks, but it can say no. */
function isRuleQuestion({ options, hook }: Authorised): boolean {
  return !options.mustAsk && hook.decision !== 'ask';
}

/** Why a call fails tells something of the place: only where the model may read, it need not be asked for. */
function mayRead(deps: ToolCallDeps, about: { ready: ReadyCall; resources: readonly Resource[] }): boolean {
  const { name } = about.ready.tool;
  const resources = about.resources.flatMap((resource) => {
    if (resource.kind === 'host') return resource;
    if (resource.kind === 'peer') return [];
    const place = resource.kind === 'path' ? resource.path : resource.cwd;
    return { kind: 'path' as const, path: place, access: 'read' as const };
  });
  const call = {
    tool: name,
    effect: 'read' as const,
    input: about.ready.input,
    resources,
    mode: deps.mode(),
  };
  return deps.gate.decide(call).decision === 'allow';
}

function decideCall(
  deps: ToolCallDeps,
  { ready, resources }: { ready: ReadyCall; resources: readonly Resource[] },
): PermissionDecision {
  const { name, effect } = ready.tool;
  return deps.gate.decide({ tool: name, effect, input: ready.input, resources, mode: deps.mode() });
}

/** Why the person is to be asked; undefined when they need not be. */
function askReasons({
  decision,
  hook,
  options,
  isEdited,
}: Pick<Authorised, 'hook' | 'options' | 'isEdited'> & {
  decision: PermissionDecision;
}): DecisionReason[] | undefined {
  const reasons: DecisionReason[] = [];
  if (options.mustAsk && !isEdited) reasons.push(options.mustAsk);
  if (hook.decision === 'ask') reasons.push(...hookReasons(hook));
  if (decision.decision === 'ask' && hook.decision !== 'allow' && !isEdited)
    reasons.push(...decision.reasons);
  return reasons.length > 0 ? reasons : undefined;
}

async function ask(
  deps: ToolCallDeps,
  asked: {
    asker: PermissionAsker;
    about: Authorised;
    reasons: DecisionReason[];
    resources: readonly Resource[];
    decide: () => PermissionDecision;
    decision: PermissionDecision;
    outlook: ToolView | ToolResult | undefined;
  },
): Promise<Settled> {
  const { asker, about, reasons, decide } = asked;
  const { signal } = about.options;
  if (signal.aborted) {
    const end = { kind: 'refused', status: 'aborted', text: abortedText } as const;
    return { end, by: 'interrupt', decision: 'ask', reasons };
  }
  const request = makeRequest(deps, asked);
  const decideAgain = (): PermissionDecision => {
    const again = decide();
    return isRuleQuestion(about) || again.decision === 'deny' ? again : { decision: 'ask', reasons };
  };
  // Waits before the request is out: the answer may come at once.
  const waiting = asker.wait(request, { signal, decide: decideAgain });
  await deps.emit({ kind: 'permission-request', request });
  tellWaiting(deps, request, signal);
  const end = await waiting;
  const answer = end.kind === 'answered' ? end.answer : null;
  await deps.emit({ kind: 'permission-response', requestId: request.id, answer });
  const by = end.kind === 'answered' ? 'person' : end.kind === 'decided' ? 'rules' : 'interrupt';
  const concluded = await conclude(deps, { asker, end, reasons, decide });
  return { end: concluded, by, answer: answer?.kind, decision: 'ask', reasons };
}

/** The question is out; its hooks hold nothing up. */
function tellWaiting(deps: ToolCallDeps, { tool, title }: PermissionRequest, signal: AbortSignal): void {
  const message = `${tool} wants permission: ${title}`;
  const told = fireHook(
    deps.hooks,
    { event: 'notification', type: 'permission_prompt', message },
    { signal },
  );
  deps.supervise(told.then((outcome) => showNotices(deps, outcome)));
}

async function conclude(
  deps: ToolCallDeps,
  {
    asker,
    end,
    reasons,
    decide,
  }: { asker: PermissionAsker; end: AskEnd; reasons: DecisionReason[]; decide: () => PermissionDecision },
): Promise<Authorisation> {
  if (end.kind === 'aborted') return { kind: 'refused', status: 'aborted', text: abortedText };
  if (end.kind === 'decided')
    return end.decision === 'allow' ? { kind: 'allowed' } : notPermitted(decide().reasons);
  const { answer } = end;
  switch (answer.kind) {
    case 'once':
      return { kind: 'allowed' };
    case 'always':
      await addRule(deps, { answer, asker });
      return { kind: 'allowed' };
    case 'edit':
      return { kind: 'edited', input: answer.input, by: 'The person' };
    case 'reject':
      return refusedByPerson(reasons, answer.feedback?.trim());
  }
}

/** The person said yes: the call runs also when the rule could not be kept. */
async function addRule(
  deps: ToolCallDeps,
  { answer, asker }: { answer: Extract<PermissionAnswer, { kind: 'always' }>; asker: PermissionAsker },
): Promise<void> {
  try {
    await deps.gate.allow(answer.rule, answer.scope);
  } catch (error) {
    const text = `The rule ${answer.rule} was not added, the call runs this once: ${errorText(error)}`;
    await deps.emit({
      kind: 'notice-added',
      notice: { id: deps.ids(), kind: 'notice', level: 'warning', text },
    });
    return;
  }
  asker.decideAgain();
}

function makeRequest(
  deps: ToolCallDeps,
  {
    about,
    reasons,
    resources,
    decision,
    outlook,
  }: {
    about: Authorised;
    reasons: DecisionReason[];
    resources: readonly Resource[];
    decision: PermissionDecision;
    outlook: ToolView | ToolResult | undefined;
  },
): PermissionRequest {
  const { call, ready, options } = about;
  const { tool, input } = ready;
  const commands = resources.flatMap((resource) => (resource.kind === 'command' ? [resource.command] : []));
  const view = outlook && 'status' in outlook ? failureView(outlook) : outlook;
  const rule = options.mustAsk ? undefined : decision.suggestedRule;
  const asked = { tool: tool.name, effect: tool.effect, input, resources, mode: deps.mode() };
  const examples = rule === undefined ? undefined : deps.gate.examples?.(rule, asked);
  return {
    id: deps.ids(),
    callId: call.callId,
    tool: tool.name,
    title: tool.title(input, scopeOf(deps)),
    input,
    cwd: deps.cwd,
    ...(commands.length > 0 ? { command: commands.join('\n') } : {}),
    ...(view ? { view } : {}),
    reasons,
    ...(rule === undefined ? {} : { suggestedRule: rule }),
    ...(examples === undefined ? {} : { ruleExamples: examples }),
  };
}

async function preview(
  deps: ToolCallDeps,
  { call, ready, options }: Authorised,
): Promise<ToolView | ToolResult | undefined> {
  try {
    const context = toolContext(deps, { call, signal: options.signal, progress: () => undefined });
    return await ready.tool.preview?.(ready.input, context);
  } catch (error) {
    log('no preview:', error); // The call itself will say what is wrong.
    return undefined;
  }
}

function failureView({ forModel }: ToolResult): ToolView {
  const texts = forModel.flatMap((content) => (content.kind === 'text' ? [content.text] : []));
  return { kind: 'text', text: `This call would fail: ${texts.join('\n')}` };
}
