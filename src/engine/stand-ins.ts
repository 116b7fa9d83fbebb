import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { FallbackPlan, ModelDirectory } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ModelSeat } from './model-seat.ts';

/** Who answers now, null when nobody is left; and the models that could not take over, with why. */
export type TakeOver = { ref: ModelRef | null; skipped: { name: string; why: string }[] };

/** A model that failed is let alone until then. */
type Rest = { until: number; failures: number };

type Candidate = FallbackPlan['models'][number];

const longestRestMs = 3_600_000;

/**
 * The models that stand in for the chosen one, in the order of the settings. One that failed rests for a while, so
 * that no two fail to and fro within a turn.
 */
export class StandIns {
  readonly #seat: ModelSeat;
  readonly #directory: ModelDirectory;
  readonly #clock: Clock;
  /** By name in the settings and by reference. */
  readonly #rests = new Map<string, Rest>();
  /** References of the names that were looked up. */
  readonly #known = new Map<string, string>();
  /** The chosen model is back and has not answered yet. */
  #isOnTrial = false;

  constructor({ seat, directory, clock }: { seat: ModelSeat; directory: ModelDirectory; clock: Clock }) {
    this.#seat = seat;
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Tries that a call with this model has before another one takes over; undefined when there is no other. */
  tries(current: ModelRef): number | undefined {
    const plan = this.#directory.fallback?.();
    if (!plan || this.#candidates(plan, current).length === 0) return undefined;
    return this.#isOnTrial ? 1 : plan.afterFailures;
  }

  isStandIn(ref: ModelRef): boolean {
    const { chosen } = this.#seat;
    return chosen !== null && formatModelRef(chosen) !== formatModelRef(ref);
  }

  /** After a call that ended well. */
  answered(ref: ModelRef): void {
    if (!this.isStandIn(ref)) this.#isOnTrial = false;
    this.#rests.delete(formatModelRef(ref));
  }

  /**
   * The next model that is not resting takes the seat. When there is none, the chosen model gets it back, so that the
   * person goes on with that one.
   */
  async takeOver(failed: ModelRef, error: ModelError): Promise<TakeOver> {
    const plan = this.#directory.fallback?.();
    const skipped: TakeOver['skipped'] = [];
    if (!plan || plan.models.length === 0) return { ref: null, skipped };
    this.#isOnTrial = false;
    this.#letRest(formatModelRef(failed), plan, error.retryAfterMs);
    for (const candidate of this.#candidates(plan, failed)) {
      try {
        const ref = await candidate.resolve();
        const text = formatModelRef(ref);
        this.#known.set(candidate.name, text);
        if (text === formatModelRef(failed) || this.#isResting(text)) continue;
        const reason = this.isStandIn(ref) ? 'fallback' : 'return';
        await this.#seat.succeed(ref, { reason, from: failed });
        return { ref, skipped };
      } catch (error) {
        this.#letRest(candidate.name, plan);
        skipped.push({ name: candidate.name, why: errorText(error) });
      }
    }
    await this.#giveBack(failed);
    return { ref: null, skipped };
  }

  /** The chosen model has rested and may answer again, if the settings want that. */
  get isReturnDue(): boolean {
    const { chosen, seated } = this.#seat;
    if (!chosen || !seated || !this.isStandIn(seated) || this.#isResting(formatModelRef(chosen)))
      return false;
    return this.#directory.fallback?.().returns === true;
  }

  /** Puts the chosen model back and gives it; null when it does not open. */
  async comeBack(): Promise<ModelRef | null> {
    const plan = this.#directory.fallback?.();
    const { chosen, seated } = this.#seat;
    if (!plan || !chosen || !seated) return null;
    try {
      await this.#seat.succeed(chosen, { reason: 'return', from: seated });
      this.#isOnTrial = true;
      return chosen;
    } catch {
      // The one that stands in goes on; the next turn looks again.
      this.#letRest(formatModelRef(chosen), plan);
      return null;
    }
  }

  async #giveBack(failed: ModelRef): Promise<void> {
    const { chosen } = this.#seat;
    this.#rests.clear();
    if (!chosen || !this.isStandIn(failed)) return;
    // If it does not open any more, the next turn says so.
    await this.#seat.succeed(chosen, { reason: 'return', from: failed }).catch(() => undefined);
  }

  /** All but the current one and those that rest; the chosen model first. */
  #candidates(plan: FallbackPlan, current: ModelRef): Candidate[] {
    if (plan.models.length === 0) return [];
    const { chosen } = this.#seat;
    const first = chosen ? [{ name: formatModelRef(chosen), resolve: async () => chosen }] : [];
    const others = [...first, ...plan.models].filter(({ name }) => {
      const text = this.#known.get(name) ?? name;
      return text !== formatModelRef(current) && !this.#isResting(name) && !this.#isResting(text);
    });
    return others;
  }

  #isResting(key: string): boolean {
    return (this.#rests.get(key)?.until ?? 0) > this.#clock.now();
  }

  /** Twice as long each time, at most an hour unless the server asks for more. */
  #letRest(key: string, plan: FallbackPlan, askedMs = 0): void {
    const failures = (this.#rests.get(key)?.failures ?? 0) + 1;
    const ms = Math.max(askedMs, Math.min(plan.restMs * 2 ** (failures - 1), longestRestMs));
    this.#rests.set(key, { until: this.#clock.now() + ms, failures });
  }
}
