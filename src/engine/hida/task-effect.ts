import type { ModelInfo } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { fixedEstimate } from '../context/token-estimate.ts';
import { foundTools, toolOffer } from '../tool-offer.ts';
import type { TaskGuess } from './classify.ts';
import { broughtTools, taskOf, waitingTools } from './ready-tools.ts';

export type TaskEffect = {
  /** null before the first request. */
  guess: TaskGuess | null;
  /** Tools that the model is told of when the task decides, and what they take in each call. */
  ready: readonly string[];
  readyTokens: number;
  /** The same when it does not. */
  usualTokens: number;
};

/** What deciding by the task means for a thread as it stands now. Tokens are estimates. */
export function taskEffect(
  { messages, rewrite }: Pick<ThreadState, 'messages' | 'rewrite'>,
  { tools, info, threshold }: { tools: readonly ToolDef[]; info: ModelInfo | null; threshold: number },
): TaskEffect {
  const situation = { info, isHistoryShortened: rewrite !== null };
  const byTask = toolOffer(tools, { byTask: true });
  const brought = broughtTools(messages, { waiting: waitingTools(tools, byTask), threshold });
  const ready = byTask.schemas({ ...situation, found: brought });
  const usual = toolOffer(tools).schemas({ ...situation, found: foundTools(messages) });
  return {
    guess: taskOf(messages, { threshold }),
    ready: ready.map(({ name }) => name),
    readyTokens: fixedEstimate({ system: [], tools: ready }),
    usualTokens: fixedEstimate({ system: [], tools: usual }),
  };
}
