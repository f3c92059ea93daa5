import { linearAxis, logAxis, type Axis } from './ticks.ts';
import type { ChartData, Limit, Unit } from './types.ts';

const TICKS = 5;

/** The value axis of a chart: high enough for every series (stacked ones together) and for limits that are not far above them. */
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
  for (const { value } of limits) if (highest === 0 || value <= FAR * highest) highest = Math.max(highest, value * 1.05);
  return logarithmic && highest > 0 ? logAxis(Math.min(lowest, highest), highest) : linearAxis(highest, TICKS, unit === 'count');
}

/** A limit further above the data than this would press the data flat; it is named in the chart's heading instead of drawn. */
const FAR = 4;
