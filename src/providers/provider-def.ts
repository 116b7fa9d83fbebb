import type { ModelInfo, ProviderFamily } from '#protocol/model-ref.ts';
import type { Connection } from './connections.ts';
import type { HistoryRules } from './history/to-prompt.ts';
import type { SdkModel, SdkOptions, SdkPrompt } from './language-model.ts';
import type { ServerFacts } from './model-facts.ts';
import type { ProviderType } from './settings.ts';
import type { WireDialect } from './wire/dialect.ts';
import type { WireRequest } from './wire/wire.ts';

/** What one call adds to the request beside its messages and tools. */
type CallExtras = {
  providerOptions?: SdkOptions;
  /** Overrides the effort of the model reference; null switches it off for this call. */
  effort?: null;
  /** Sent although nobody asked for a limit. */
  maxOutputTokens?: number;
};

type CallInput = {
  info: ModelInfo;
  connection: Connection;
  prompt: SdkPrompt;
  threadId: string;
  maxOutputTokens: number | undefined;
};

/** `signal` ends the wait for the list itself, `details` the wait for more about what is in it. */
export type Patience = { signal: AbortSignal; details: AbortSignal };

export type ServerModel = { id: string; name?: string; facts: ServerFacts };

/** How one kind of API is reached. Everything that is special about it stands in its own file. */
export type ProviderDef = {
  type: ProviderType;
  family(connection: Connection): ProviderFamily;
  dialect(connection: Connection, server: ServerFacts): WireDialect;
  /** Loads the SDK's package for this API on first use. */
  connect(connection: Connection, modelId: string, wireFetch: typeof fetch): Promise<SdkModel>;
  history(
    connection: Connection,
    modelId: string,
  ): Pick<HistoryRules, 'toolImages' | 'system' | 'reasoning' | 'needsReasoningField' | 'unsignedCall'>;
  extras(input: CallInput): CallExtras;
  rewrite?(connection: Connection, server: ServerFacts): ((request: WireRequest) => WireRequest) | undefined;
  /** The models that the server lists; rejects when it cannot be asked. */
  list?(connection: Connection, patience: Patience): Promise<readonly ServerModel[]>;
  /** What the server says of one model; undefined when it knows no such model. Rejects when it cannot be asked. */
  inspect?(connection: Connection, modelId: string, signal: AbortSignal): Promise<ServerFacts | undefined>;
};

export function defineProvider(def: ProviderDef): ProviderDef {
  return def;
}
