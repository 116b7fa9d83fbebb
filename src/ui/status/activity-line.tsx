import { useAnimation } from 'ink';
import type { Clock } from '#lib/clock.ts';
import { Row } from '../frame/row.tsx';
import type { UiStore } from '../store/ui-store.ts';
import { hasEqualFields, useStore } from '../store/use-store.ts';
import { span } from '../theme/span.ts';
import { type Activity, activityOf } from './activity.ts';
import { activityRow } from './activity-row.ts';

const spinnerMs = 120;
/** Where nothing else has to move, the seconds do. */
const secondsMs = 1_000;

/** What is going on. Its timer runs only while it is on the screen, and moves nothing but this row. */
export function ActivityLine({ store, clock, width, margin }: ActivityLineProps) {
  const activity = useStore(store, ({ thread }) => activityOf(thread), isSameActivity);
  const { frame } = useAnimation({
    interval: activity?.kind === 'person' || activity?.kind === 'writing' ? secondsMs : spinnerMs,
    isActive: activity !== null,
  });
  if (!activity) return <Row spans={[]} />;
  const spans = activityRow(activity, { width: width - margin * 2, frame, now: clock.now() });
  return <Row spans={[span(' '.repeat(margin)), ...spans]} />;
}

type ActivityLineProps = {
  readonly store: UiStore;
  readonly clock: Clock;
  readonly width: number;
  readonly margin: number;
};

function isSameActivity(a: Activity | null, b: Activity | null): boolean {
  return a === b || (a !== null && b !== null && hasEqualFields(a, b));
}
