import type { ModelInfo } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef, ToolSchema } from '#protocol/tool.ts';
import { findTools } from './find-tools.ts';
import { offersOf } from './hida/ready-tools.ts';
import { alwaysReady } from './hida/task-kinds.ts';
import { toolSchemas } from './turn/tool-schemas.ts';

/** With more tools than this the rarely needed ones wait until they are looked for. */
const maxOffered = 20;
const searchTool = 'tool_search';

export type ToolOffer = {
  /** What the model is told of; found tools stand last, in the order of the finds, so that what is before them stays. */
  schemas(situation: OfferSituation): ToolSchema[];
  find(query: string): ToolSchema[];
};

export type OfferSituation = {
  info: ModelInfo | null;
  isHistoryShortened: boolean;
  /** Names that searches have brought, oldest first. */
  found: readonly string[];
};

/** Which of a thread's tools a model is offered. `byTask`: all but the few that every task needs wait to be brought. */
export function toolOffer(tools: readonly ToolDef[], { byTask = false } = {}): ToolOffer {
  const canSearch = tools.some(({ name }) => name === searchTool);
  const isMany = canSearch && (byTask || tools.length > maxOffered);
  const waits = ({ name, isDeferred = false }: ToolDef) =>
    isMany && (byTask ? !alwaysReady.has(name) : isDeferred);
  const deferred = toolSchemas(tools.filter(waits));
  const names = deferred.map(({ name }) => name);
  const core = tools
    .filter((tool) => (tool.name === searchTool ? isMany : !waits(tool)))
    .map((tool) =>
      tool.name === searchTool ? { ...tool, prose: `${tool.prose.trim()} ${names.join(', ')}.` } : tool,
    );
  return {
    schemas: ({ info, isHistoryShortened, found }) => {
      const wanted = info?.editTool?.value ?? 'edit_file';
      const hasWanted = core.some(({ editTool }) => editTool === wanted);
      const offered = core.filter(
        ({ needsShortenedHistory, editTool }) =>
          (!needsShortenedHistory || isHistoryShortened) && (!editTool || !hasWanted || editTool === wanted),
      );
      const brought = found.flatMap((name) => deferred.find((schema) => schema.name === name) ?? []);
      return [...toolSchemas(offered), ...brought];
    },
    find: (query) => (query.trim() === '' ? deferred : findTools(deferred, query)),
  };
}

/** What searches of this thread have brought, oldest first. */
export function foundTools(messages: ThreadState['messages']): string[] {
  return [...new Set(messages.flatMap(offersOf))];
}
