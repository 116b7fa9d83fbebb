import type { HookEvent } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';

type EventName = HookEvent['event'];
type EventOf<Name extends EventName> = Extract<HookEvent, { event: Name }>;
export type HookFields = Readonly<Record<string, JsonValue>>;

/** What the runner knows beside the event. */
export type HookSurroundings = {
  cwd: string;
  /** A hook kept this turn from ending before. */
  isResumed: boolean;
};

export type MergeRule = {
  /** Decisions that count; a `deny` or `halt` that does not is shown to the person instead. */
  decisions: readonly ('allow' | 'ask' | 'deny' | 'halt')[];
  takesInput: boolean;
  takesContext: boolean;
  /** The result of the call may be replaced. */
  takesOutput: boolean;
  /** Plain text on standard output is context. */
  takesPlainText: boolean;
  /** The hook is a gate: when it gives no verdict at all, the person is asked. */
  isGate: boolean;
};

/** One event: its names in both dialects, what a hook is told, and which part of its reply counts. */
export type HookEventDef<Name extends EventName = EventName> = {
  event: Name;
  /** What stands before the dot in a pattern such as `session.*`. */
  group: string;
  names: readonly string[];
  claudeNames: readonly string[];
  /** One sentence for the docs: when it happens. */
  when: string;
  /** At least one occurrence for each name. */
  samples: readonly EventOf<Name>[];
  /** True when this occurrence goes by that name, of either dialect. */
  isAbout(event: EventOf<Name>, name: string): boolean;
  /** Every name of the tool; null = the event is not about a tool. */
  tools(event: EventOf<Name>): readonly string[] | null;
  /** What Claude's matcher is compared with; null = it counts for nothing here. */
  subjects(event: EventOf<Name>): readonly string[] | null;
  fields(event: EventOf<Name>, surroundings: HookSurroundings): HookFields;
  claudeFields(event: EventOf<Name>, surroundings: HookSurroundings): HookFields;
  merge: MergeRule;
};

type Given = 'event' | 'group' | 'names' | 'claudeNames' | 'when' | 'samples' | 'fields';

const watcher: MergeRule = {
  decisions: [],
  takesInput: false,
  takesContext: false,
  takesOutput: false,
  takesPlainText: false,
  isGate: false,
};

/**
 * Keeps the event's type while it is written; everywhere else definitions take any event of their name. What is left
 * out is that of an event which is not about a tool and which hooks can only watch.
 */
export function defineHookEvent<Name extends EventName>({
  merge,
  ...def
}: Pick<HookEventDef<Name>, Given> &
  Partial<Omit<HookEventDef<Name>, Given | 'merge'>> & { merge?: Partial<MergeRule> }): HookEventDef {
  const whole: HookEventDef<Name> = {
    isAbout: () => true,
    tools: () => null,
    subjects: () => null,
    claudeFields: def.fields,
    ...def,
    merge: { ...watcher, ...merge },
  };
  return whole as unknown as HookEventDef;
}
