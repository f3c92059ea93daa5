import type { Plan } from '#core/plan/schema/plan.ts';
import type { WatchedReading } from '#core/result/readings.ts';
import { SERIES } from './looks.ts';
import { chartNames } from './names.ts';
import type { ChartData, Limit } from './types.ts';

/** A number that is read off beside the load. */
export interface WatchedChart {
  readonly name: string;
  readonly limits: readonly Limit[];
  readonly data: ChartData;
}

/** One chart for each number that was read at all. A reading stands until the next one was due. */
export function watchedCharts({ watch = [] }: Pick<Plan, 'watch'>, watched: readonly WatchedReading[]): WatchedChart[] {
  return watch.flatMap(({ name, limit, everySeconds }): WatchedChart[] => {
    const readings = watched.flatMap(({ second, values: { [name]: value } }) => (value === undefined ? [] : [{ second, value }]));
    if (readings.length === 0) return [];
    const spans = readings.map(({ second }, index) => ({
      second,
      width: Math.min(2 * everySeconds, (readings[index + 1]?.second ?? second + everySeconds) - second),
    }));
    const values = readings.map(({ value }) => value);
    const limits = limit === undefined ? [] : [{ value: limit, label: chartNames.limit(String(limit)) }];
    return [{ name, limits, data: { spans, series: [{ id: name, name, label: name, look: SERIES.inFlight, shape: 'line', values }] } }];
  });
}
