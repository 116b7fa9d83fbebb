import type { Clock } from '#lib/clock.ts';
import type { IdSource } from '#lib/ids.ts';
import { DaySpending } from './context/day-spending.ts';
import { RunSpending } from './context/run-spending.ts';
import type { EngineSettings } from './settings.ts';
import type { Supervisor } from './supervisor.ts';
import type { LiveThread } from './thread/live-thread.ts';

type Counted = {
  home: string;
  clock: Clock;
  settings: EngineSettings;
  /** What all threads of this run have spent; without it, this one is all there is. */
  spending?: RunSpending | undefined;
  thread: LiveThread;
  ids: IdSource;
  supervisor: Supervisor;
};

/** Every call that costs something is written down for the budget of the day, whether there is one or not. */
export function countSpending({ home, clock, settings, spending, thread, ids, supervisor }: Counted): {
  daySpending: DaySpending;
  runSpending: RunSpending;
} {
  const runSpending = spending ?? new RunSpending();
  const daySpending = new DaySpending({
    home,
    clock,
    onUnwritten: (why) => {
      if (settings.max_budget_usd?.day === undefined) return;
      const text = `What is spent cannot be written down (${why}), so max_budget_usd.day counts this session alone.`;
      const notice = { id: ids(), kind: 'notice', level: 'warning', text } as const;
      thread.emit({ kind: 'notice-added', notice }, thread.state.turnId);
    },
  });
  thread.watch((event) => {
    if (event.kind !== 'message-end' && event.kind !== 'compaction-end') return;
    if (!event.costUsd) return;
    runSpending.add(event.costUsd);
    daySpending.add(event.costUsd);
    supervisor.add(daySpending.settled());
  });
  return { daySpending, runSpending };
}
