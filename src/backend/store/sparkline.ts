import { ratePoints } from '#core/result/pointSeries.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import type { RunSummary } from './runTable.ts';

const SPARKLINE_VALUES = 40;

/** Returns the completed requests per second over the run in at most 40 values. Several points become their mean. */
export function sparklineOf(points: readonly Pick<Point, 'completed' | 'width'>[]): number[] {
  const size = Math.max(1, Math.ceil(points.length / SPARKLINE_VALUES));
  const values: number[] = [];
  for (let start = 0; start < points.length; start += size) {
    let completed = 0;
    let seconds = 0;
    for (const point of points.slice(start, start + size)) {
      completed += point.completed;
      seconds += point.width;
    }
    values.push(seconds > 0 ? Math.round((completed / seconds) * 10) / 10 : 0);
  }
  return values;
}

/** Returns the columns that lists show of a result. The 95th percentile counts failed and outstanding requests as "never". */
export function summaryOf(result: RunResult): RunSummary {
  return {
    outcome: result.verdict.outcome,
    sentence: result.verdict.sentence,
    requests: result.ledger.requests.sent,
    completedPerSecond: result.rates.completedPerSecond,
    p95: result.latency.errorAdjusted.p95,
    sparkline: sparklineOf(ratePoints(result.windows)),
    rules: result.verdict.rules ?? null,
  };
}
