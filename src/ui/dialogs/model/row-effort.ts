import type { Effort, ModelMarks, ModelRef } from '#protocol/model-ref.ts';
import { isAmong, type ModelRow, modelId, refOf } from './model-rows.ts';

/** Efforts that the person set in the picker, by the id of the row; null = the model's own. */
export type RowEfforts = Readonly<Record<string, Effort | null>>;

type EffortSources = {
  readonly efforts: RowEfforts;
  readonly current: ModelRef | null;
  readonly marks: ModelMarks;
};

/** The effort that a row would be chosen with: the one just set, else the one it has now or had last. */
export function rowEffort({ efforts, current, marks }: EffortSources, row: ModelRow): Effort | null {
  const ref = refOf(row);
  if (!ref) return null;
  const set = efforts[modelId(ref)];
  if (set !== undefined) return set;
  if (ref.effort) return ref.effort;
  const known = [...(current ? [current] : []), ...marks.recent].find((each) => isAmong([each], ref));
  return known?.effort ?? null;
}

/** The reference that choosing the row means. */
export function rowRef(sources: EffortSources, row: ModelRow): ModelRef | undefined {
  const ref = refOf(row);
  if (!ref) return undefined;
  const effort = rowEffort(sources, row);
  return { provider: ref.provider, model: ref.model, ...(effort ? { effort } : {}) };
}

export function rowLevels(row: ModelRow | undefined): readonly Effort[] {
  return row?.kind === 'choice' ? (row.choice.info?.efforts?.value ?? []) : [];
}

/** One level further; below the lowest it is left to the model. undefined where there are no levels. */
export function steppedEffort(
  row: ModelRow,
  { from, by }: { from: Effort | null; by: 1 | -1 },
): Effort | null | undefined {
  const levels = [null, ...rowLevels(row)];
  if (levels.length === 1) return undefined;
  return levels[Math.max(0, Math.min(levels.length - 1, levels.indexOf(from) + by))] ?? null;
}
