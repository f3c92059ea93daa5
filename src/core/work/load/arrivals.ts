import { type RateCurve, rateCurve, secondOfAmount } from './rateCurve.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** `uniform`: evenly along the curve. `poisson`: independent arrivals whose expected rate is the curve. */
export type Spacing = { readonly kind: 'uniform' } | { readonly kind: 'poisson'; readonly seed: number };

/**
 * The seconds at which arrivals are due, one after another, for one of `count` threads. Thread `index` takes the arrivals index, index +
 * count, index + 2·count … of the whole schedule, so that the threads together produce the schedule of a single thread.
 * Uniform: arrival k is due when the integral of the rate reaches k + ½, in the middle of its unit. The number of arrivals is therefore the
 * integral rounded to the nearest whole number, whatever the rounding errors, and a ramp from 0 does not begin with an arrival.
 * Poisson: the sums of independent exponential gaps of mean 1 are the arrivals of a Poisson process of rate 1. The inverse of the integral
 * turns them into arrivals of a process with the wanted rate (Çinlar, Introduction to Stochastic Processes, 1975, 4.7). Gap k depends only
 * on the seed and k. Every thread adds up all gaps in the same order and uses its own.
 */
export class ArrivalSchedule {
  /** Index of the next arrival in the whole schedule. */
  nextIndex: number;
  /** Stage in which the next arrival is due. */
  nextStage = 0;
  /** Second at which the next arrival is due; Infinity if there is none. */
  nextSecond = 0;
  private readonly curve: RateCurve;
  private readonly spacing: Spacing;
  private readonly stride: number;
  private readonly last: number;
  private piece = 0;
  private sum = 0;
  private summed = 0;

  constructor(curve: RateCurve, spacing: Spacing, thread: { readonly index: number; readonly count: number } = { index: 0, count: 1 }) {
    this.curve = curve;
    this.spacing = spacing;
    this.stride = thread.count;
    this.nextIndex = thread.index;
    this.last = countUniformArrivals(curve) - 1;
    this.settle();
  }

  /** Moves to the next arrival. */
  advance(): void {
    this.nextIndex += this.stride;
    this.settle();
  }

  private settle(): void {
    const amount = this.arrivalsBefore(this.nextIndex);
    if (amount > this.curve.amount) {
      this.nextSecond = Number.POSITIVE_INFINITY;
      return;
    }
    while ((this.curve.pieces[this.piece]?.endAmount ?? Number.POSITIVE_INFINITY) < amount) this.piece += 1;
    this.nextSecond = secondOfAmount(this.curve, amount, this.piece);
    this.nextStage = this.curve.pieces[this.piece]?.stage ?? this.nextStage;
  }

  /** Returns the value of the integral at an arrival; Infinity after the last arrival. */
  private arrivalsBefore(index: number): number {
    if (this.spacing.kind === 'uniform') {
      if (index > this.last) return Number.POSITIVE_INFINITY;
      return Math.min(index + 0.5, this.curve.amount);
    }
    while (this.summed <= index && this.sum <= this.curve.amount) {
      this.sum -= Math.log(uniformAt(this.spacing.seed, this.summed));
      this.summed += 1;
    }
    return this.sum;
  }
}

export function countUniformArrivals(curve: RateCurve): number {
  return Math.round(curve.amount);
}

/**
 * Returns the number of arrivals in each of the `stages`. For a uniform schedule, it is calculated: an arrival whose unit spans two stages
 * belongs to the stage that contains the unit's middle. A Poisson schedule is iterated, which takes time in proportion to its length.
 */
export function arrivalsByStage(curve: RateCurve, spacing: Spacing, stages: number): number[] {
  const counts = Array.from({ length: stages }, () => 0);
  if (spacing.kind === 'poisson') {
    const schedule = new ArrivalSchedule(curve, spacing);
    for (; Number.isFinite(schedule.nextSecond); schedule.advance()) counts[schedule.nextStage] = (counts[schedule.nextStage] ?? 0) + 1;
    return counts;
  }
  let before = 0;
  for (const piece of curve.pieces) {
    const until = Math.round(piece.endAmount);
    counts[piece.stage] = (counts[piece.stage] ?? 0) + until - before;
    before = until;
  }
  return counts;
}

/**
 * Maximum length of a Poisson schedule. Counting one requires iteration, and this many arrivals take about 0.5 s. The plan check rejects
 * longer schedules.
 */
export const MAX_POISSON_ARRIVALS = 10_000_000;

/** Schedule of the arrivals of a plan. */
export interface Schedule {
  readonly curve: RateCurve;
  readonly spacing: Spacing;
  /** Number of arrivals per stage. */
  readonly perStage: readonly number[];
}

const schedules = new WeakMap<Plan, Schedule>();

/**
 * Returns the schedule of a plan with the model `arrivals`; null for other models. It is cached, because counting a Poisson schedule takes
 * time in proportion to its length. Beyond {@link MAX_POISSON_ARRIVALS}, it has expected numbers, and no run can start with it.
 */
export function planSchedule(plan: Plan): Schedule | null {
  const { load, seed } = plan;
  if (load.model !== 'arrivals') return null;
  const known = schedules.get(plan);
  if (known) return known;
  const curve = rateCurve(load.stages);
  const spacing: Spacing = load.spacing === 'poisson' ? { kind: 'poisson', seed } : { kind: 'uniform' };
  const counted: Spacing = curve.amount > MAX_POISSON_ARRIVALS ? { kind: 'uniform' } : spacing;
  const schedule = { curve, spacing, perStage: arrivalsByStage(curve, counted, load.stages.length) };
  schedules.set(plan, schedule);
  return schedule;
}
