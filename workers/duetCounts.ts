import { emptyDuetCount } from '#core/measurement/windowFold.ts';
import type { DuetCount } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { DuetSlots, type DuetSide, sidesOfRequests } from '#core/work/journey/duet.ts';

/** Logarithms of times are added up in millionths: sums of whole numbers do not depend on their order. */
const LOGARITHM_SCALE = 1_000_000;

/**
 * Counts the responses of both variants of a duet by the pair of slots in which their requests were scheduled. Times are since second 0 of
 * the run.
 */
export class DuetCounts {
  readonly slots: DuetSlots;
  private readonly sides: readonly (DuetSide | null)[];
  private readonly counted: readonly boolean[];
  private pending: DuetCount[] = [];

  constructor(duet: NonNullable<Plan['duet']>, plan: Plan, runId: string) {
    this.slots = new DuetSlots(duet, runId);
    this.sides = sidesOfRequests(plan);
    this.counted = plan.load.stages.map((stage) => stage.counted);
  }

  /** Whether a stage is compared. Start-up phases are not. */
  isCompared(stage: number): boolean {
    return this.counted[stage] === true;
  }

  responded(step: number, startedUs: number, responseUs: number, isOk: boolean): void {
    if (!isOk) return this.failed(step, startedUs);
    const count = this.find(step, startedUs);
    if (count === null) return;
    count.ok += 1;
    count.logarithms += Math.round(Math.log(Math.max(1, responseUs)) * LOGARITHM_SCALE);
  }

  /** A request without a response belongs to the slot in which it failed. */
  failed(step: number, atUs: number): void {
    const count = this.find(step, atUs);
    if (count !== null) count.failed += 1;
  }

  /** Returns and resets the counts since the last call. */
  take(): DuetCount[] {
    const taken = this.pending;
    this.pending = [];
    return taken;
  }

  private find(step: number, atUs: number): DuetCount | null {
    const side = this.sides[step] ?? null;
    if (side === null) return null;
    const { pair } = this.slots.at(atUs);
    // Almost all responses belong to the newest pair.
    const known = this.pending.findLast((count) => count.pair === pair && count.side === side);
    if (known !== undefined) return known;
    const count = emptyDuetCount(pair, side);
    this.pending.push(count);
    return count;
  }
}
