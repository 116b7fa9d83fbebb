import type { LanguageModel } from 'ai';

/**
 * The AI SDK's types, named once. Only its model interface is used, never `streamText`: that one makes the
 * same call at 2.6 times the CPU for each token and 65 MB more memory, for a loop and tools that are ours anyway.
 */
export type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
export type SdkCall = Parameters<SdkModel['doStream']>[0];
export type SdkPrompt = SdkCall['prompt'];
export type SdkMessage = SdkPrompt[number];
type StreamOf<Result> = Result extends { stream: ReadableStream<infer Part> } ? Part : never;
export type SdkPart = StreamOf<Awaited<ReturnType<SdkModel['doStream']>>>;
export type SdkAssistantPart = Exclude<Extract<SdkMessage, { role: 'assistant' }>['content'], string>[number];
export type SdkUserPart = Exclude<Extract<SdkMessage, { role: 'user' }>['content'], string>[number];
export type SdkToolPart = Extract<SdkMessage, { role: 'tool' }>['content'][number];
export type SdkToolOutput = Extract<SdkToolPart, { type: 'tool-result' }>['output'];
export type SdkOptions = NonNullable<SdkCall['providerOptions']>;
