/** An axis: what it reaches from and to, and where it is marked. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** An axis from 0 to a round number at or above `highest`, marked at about `count` round numbers. `whole`: no fractions. */
export function linearAxis(highest: number, count: number, whole = false): Axis {
  const reach = highest > 0 ? highest : 1;
  const step = Math.max(roundStep(reach / count), whole ? 1 : 0);
  const steps = Math.ceil(reach / step - 1e-9);
  return { from: 0, to: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12))) };
}

/** The smallest of 1, 2, 5, 10 … times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const FINE = [1, 2, 5];

/** A logarithmic axis around positive values; marked at 1, 2, 5 of each decade, or at decades only when there are more than three. */
export function logAxis(lowest: number, highest: number): Axis {
  const low = Math.floor(Math.log10(lowest) + 1e-9);
  const high = Math.ceil(Math.log10(highest) - 1e-9);
  const candidates: number[] = [];
  for (let power = low; power <= high; power++)
    for (const factor of high - low > 3 ? [1] : FINE) candidates.push(Number((factor * 10 ** power).toPrecision(3)));
  const from = candidates.findLast((tick) => tick <= lowest * (1 + 1e-9)) ?? 10 ** low;
  const above = candidates.find((tick) => tick >= highest * (1 - 1e-9) && tick > from);
  const to = above ?? from * 10;
  return { from, to, ticks: candidates.filter((tick) => tick >= from && tick <= to) };
}

const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400];

/** Marks of a time axis between two seconds of a run, at most `count` of them, at steps that a clock has. */
export function timeTicks(from: number, to: number, count: number): number[] {
  const least = Math.max(to - from, 1) / Math.max(1, count);
  const step = TIME_STEPS.find((candidate) => candidate >= least) ?? Math.ceil(least / 86_400) * 86_400;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}
