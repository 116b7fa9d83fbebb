import { taskEffect } from '#engine/hida/task-effect.ts';
import { hidaText } from '../hida-text.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** What the newest request of the session's thread was taken for, and what that means. */
export async function hidaReport(session: InteractiveSession): Promise<string> {
  const [state, composition] = await Promise.all([session.state(), session.composition()]);
  const { model, mode } = state;
  const { hida } = composition.settings.values;
  const tools = composition.toolsFor({ canAsk: true, mode });
  const effect = taskEffect(state, {
    tools,
    info: model && (await composition.catalogue.info(model)),
    threshold: hida.confidence_threshold,
  });
  return hidaText(effect, { isOn: hida.enabled, openedOn: composition.isByTask, tools: tools.length });
}
