import type { StepPart, StepRequest } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelInfo, ToolCalling } from '#protocol/model-ref.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';
import type { CapabilityStore } from './capabilities/capability-store.ts';
import type { Connection } from './connections.ts';
import { asTextTurns } from './history/text-turns.ts';
import { toolCallingSetting } from './model-facts.ts';
import type { CallProblem } from './text-calls/reading.ts';
import type { TextCallOptions } from './text-calls/text-call-parser.ts';
import { correctionFor, toolPrompt } from './text-calls/tool-prompt.ts';

/** How the calls of an answer came. */
export type CallsSeen = { calls: 'native' | 'written' | 'none'; problem: CallProblem | undefined };

type Notice = Extract<StepPart, { kind: 'notice' }>;

/** How one model is given its tools and how its calls are read; learns from what its server answers. */
export class ToolCallingStyle {
  readonly #info: ModelInfo;
  readonly #connection: Connection;
  readonly #capabilities: CapabilityStore;
  readonly #isAuto: boolean;
  #style: ToolCalling;
  /** Its server has shown that it knows calls, so that one in the text is a slip of the model. */
  #isProven = false;

  constructor({
    info,
    connection,
    capabilities,
  }: {
    info: ModelInfo;
    connection: Connection;
    capabilities: CapabilityStore;
  }) {
    this.#info = info;
    this.#connection = connection;
    this.#capabilities = capabilities;
    this.#isAuto = toolCallingSetting(connection, info.ref.model) === 'auto';
    this.#style = toolCallingOf(info);
  }

  /** What is known of the model now. */
  get info(): ModelInfo {
    const { toolCalling } = this.#info;
    if (toolCalling?.value === this.#style) return this.#info;
    return { ...this.#info, toolCalling: { value: this.#style, origin: 'server' } };
  }

  get canCall(): boolean {
    return this.#style !== 'none';
  }

  /** The request in the form that this model takes. */
  shaped(request: StepRequest): StepRequest {
    if (this.#style !== 'text') return request;
    const [first, ...rest] = request.system;
    // The tools are the same in every project: they stand before what is of this one.
    const tools = request.tools.length > 0 ? [toolPrompt(request.tools)] : [];
    const system = [...(first === undefined ? [] : [first]), ...tools, ...rest];
    return { ...request, system, messages: asTextTurns(request.messages), tools: [] };
  }

  /** Where calls may stand in the text of the answer. Vendors of their own API do not need it. */
  reading({ tools }: StepRequest): TextCallOptions | undefined {
    if (tools.length === 0 || this.#style === 'none') return undefined;
    if (this.#style === 'text') return { tools, isLoose: true };
    if (this.#info.family !== 'openai-compatible') return undefined;
    return { tools, isLoose: this.#isAuto && !this.#isProven };
  }

  /** After a failed call: the notice of a change after which the call is worth another try at once. */
  async afterRefusal(error: ModelError): Promise<Notice | undefined> {
    if (error.class !== 'tools-unsupported' || this.#style !== 'native' || !this.#isAuto) return undefined;
    return this.#switchToText('does not take tools');
  }

  /** An attempt that cannot be read proves nothing: the answer may be about calls. */
  async afterAnswer({ calls }: CallsSeen): Promise<Notice | undefined> {
    if (calls === 'native') this.#isProven = true;
    const isNews = calls === 'written' && this.#style === 'native' && this.#isAuto && !this.#isProven;
    return isNews ? this.#switchToText('returns tool calls as text') : undefined;
  }

  correction({ problem }: CallsSeen, { tools }: StepRequest): string | undefined {
    return problem && correctionFor(problem, { tools, isText: this.#style === 'text' });
  }

  async #switchToText(why: string): Promise<Notice> {
    this.#style = 'text';
    const { provider, model } = this.#info.ref;
    await this.#capabilities.learn({ baseUrl: this.#connection.baseUrl, model }, { toolCalling: 'text' });
    return {
      kind: 'notice',
      level: 'info',
      text:
        `The server of ${provider}/${model} ${why}: its tools go by text from now on ` +
        `(remembered for a week; "tool_calling" in the settings decides otherwise).`,
    };
  }
}
