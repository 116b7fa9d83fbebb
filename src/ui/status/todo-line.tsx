import { Row } from '../frame/row.tsx';
import type { UiStore } from '../store/ui-store.ts';
import { useStore } from '../store/use-store.ts';
import { span } from '../theme/span.ts';
import { todoRow } from './activity-row.ts';

/** The plan, below the activity. */
export function TodoLine({ store, width, margin }: { store: UiStore; width: number; margin: number }) {
  const todos = useStore(store, ({ thread }) => thread.todos);
  // In line with the text of the activity, behind its mark.
  return <Row spans={[span(' '.repeat(margin + 2)), ...todoRow(todos, width - margin * 2 - 2)]} />;
}
