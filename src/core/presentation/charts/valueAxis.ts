import { medianOf } from '#core/statistics/trend.ts';
import type { ChartData, Limit, Unit } from './types.ts';

/** Range of an axis and its marks. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** Returns an axis from 0 to a round number at or above `highest`, with about `count` round marks. `whole`: marks have no fractions. */
export function linearAxis(highest: number, count: number, whole = false): Axis {
  const reach = highest > 0 ? highest : 1;
  const step = Math.max(roundStep(reach / count), whole ? 1 : 0);
  const steps = Math.ceil(reach / step - 1e-9);
  return { from: 0, to: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12))) };
}

/** Returns the smallest of 1, 2, 5, 10 … × a power of ten that is at least `minStep`. */
function roundStep(minStep: number): number {
  const power = 10 ** Math.floor(Math.log10(minStep));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= minStep * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const DECADE_STEPS = [1, 2, 5];

/** Returns a logarithmic axis for positive values, with marks at 1, 2, 5 of each decade, or only at decades if there are over three. */
export function logAxis(lowest: number, highest: number): Axis {
  const low = Math.floor(Math.log10(lowest) + 1e-9);
  const high = Math.ceil(Math.log10(highest) - 1e-9);
  const candidates: number[] = [];
  for (let power = low; power <= high; power++)
    for (const factor of high - low > 3 ? [1] : DECADE_STEPS) candidates.push(Number((factor * 10 ** power).toPrecision(3)));
  const from = candidates.findLast((tick) => tick <= lowest * (1 + 1e-9)) ?? 10 ** low;
  const above = candidates.find((tick) => tick >= highest * (1 - 1e-9) && tick > from);
  const to = above ?? from * 10;
  return { from, to, ticks: candidates.filter((tick) => tick >= from && tick <= to) };
}

const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400];

/** Returns at most `count` marks of a time axis, at steps of a clock. */
export function timeTicks(from: number, to: number, count: number): number[] {
  const minStep = Math.max(to - from, 1) / Math.max(1, count);
  const step = TIME_STEPS.find((candidate) => candidate >= minStep) ?? Math.ceil(minStep / 86_400) * 86_400;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

interface RoundLevel {
  readonly ms: number;
  /** Distance from the lowest end in rows, which may be fractional. */
  readonly row: number;
}

/**
 * Returns round times as marks of rows on a logarithmic scale: 1, 2 and 5 of each decade, only 1 if there are many decades, or both ends if
 * fewer than two would remain. `edgesMs`: ascending row boundaries, one more than there are rows.
 */
export function roundLevels(edgesMs: readonly number[]): RoundLevel[] {
  const [lowest, highest] = [edgesMs[0], edgesMs.at(-1)];
  if (lowest === undefined || highest === undefined || highest <= lowest) return [];
  const rowOf = (ms: number): number => ((edgesMs.length - 1) * Math.log(ms / lowest)) / Math.log(highest / lowest);
  const round = logAxis(lowest, highest).ticks.filter((tick) => tick >= lowest * (1 - 1e-3) && tick <= highest * (1 + 1e-3));
  return (round.length < 2 ? [lowest, highest] : round).map((ms) => ({ ms, row: rowOf(ms) }));
}

const MAX_TICKS = 5;

/** Returns the value axis of a chart, which covers every series (stacked ones as a sum) and limits that are not far above them. */
export function valueAxis({ spans, series }: ChartData, limits: readonly Limit[], unit: Unit, logarithmic: boolean): Axis {
  const stacked = series.filter(({ shape }) => shape === 'stacked');
  let highest = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < spans.length; index++) {
    let sum = 0;
    for (const { values } of stacked) sum += values[index] ?? 0;
    highest = Math.max(highest, sum);
    for (const { values, shape } of series) {
      const value = values[index] ?? null;
      if (value === null || shape === 'stacked') continue;
      highest = Math.max(highest, value);
      if (value > 0) lowest = Math.min(lowest, value);
    }
  }
  for (const { value } of limits)
    if (highest === 0 || value <= MAX_LIMIT_TO_VALUE_RATIO * highest) highest = Math.max(highest, value * 1.05);
  return logarithmic && highest > 0 ? logAxis(Math.min(lowest, highest), highest) : linearAxis(highest, MAX_TICKS, unit === 'count');
}

/** Minimum median of a line as a share of the axis. A line with a lower median is flattened. */
const MIN_MEDIAN_SHARE = 0.05;

/**
 * Returns whether a linear axis would flatten the usual times: the median of the lowest line is below 5 % of the axis, because of rare high
 * values or a limit.
 */
export function needsLogarithm(data: ChartData, limits: readonly Limit[], unit: Unit): boolean {
  const middles = data.series.flatMap(({ values, shape }) => {
    const positiveValues = shape === 'line' ? values.flatMap((value) => (value !== null && value > 0 ? [value] : [])) : [];
    return positiveValues.length === 0 ? [] : [medianOf(positiveValues.toSorted((one, other) => one - other))];
  });
  return middles.length > 0 && Math.min(...middles) < MIN_MEDIAN_SHARE * valueAxis(data, limits, unit, false).to;
}

/** Maximum ratio of a limit to the data. A higher limit would flatten the data, so only the chart's heading names it. */
const MAX_LIMIT_TO_VALUE_RATIO = 4;
