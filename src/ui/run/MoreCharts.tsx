import { useMemo } from 'react';
import type { Plan } from '#core/plan/schema.ts';
import type { Point } from '#core/report/result.ts';
import type { WatchedReading } from '#core/report/watchedReadings.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import type { ChartData } from '../charts/types.ts';
import { SERIES } from '../styles/series.ts';
import { words } from '../words/words.ts';
import { backlogData } from './runSeries.ts';

const HEIGHT = 180;

interface MoreChartsProps {
  readonly plan: Plan;
  readonly points: readonly Point[];
  /** Whether anything was waited for by asking again and again. */
  readonly hasWaits: boolean;
  readonly watched: readonly WatchedReading[];
}

/** Charts of what only some runs have: results that are waited for, and numbers read off beside the load. */
export function MoreCharts({ plan, points, hasWaits, watched }: MoreChartsProps) {
  const backlog = useMemo(() => (hasWaits ? backlogData(points) : null), [hasWaits, points]);
  const charts = useMemo(() => watchedCharts(plan, watched), [plan, watched]);
  return (
    <>
      {backlog === null ? null : <TimeChart title={words.charts.titles.backlog} unit="count" data={backlog} height={HEIGHT} />}
      {charts.map(({ name, limit, data }) => (
        <TimeChart
          key={name}
          title={name}
          unit="count"
          data={data}
          limits={limit === undefined ? [] : [{ value: limit, label: words.charts.limit(String(limit)) }]}
          height={HEIGHT}
        />
      ))}
    </>
  );
}

/** One chart for each number that was read at all. A reading stands until the next one was due. */
function watchedCharts(plan: Plan, watched: readonly WatchedReading[]): { name: string; limit: number | undefined; data: ChartData }[] {
  return (plan.watch ?? []).flatMap(({ name, limit, everySeconds }) => {
    const readings = watched.flatMap(({ second, values: { [name]: value } }) => (value === undefined ? [] : [{ second, value }]));
    if (readings.length === 0) return [];
    const spans = readings.map(({ second }, index) => ({
      second,
      width: Math.min(2 * everySeconds, (readings[index + 1]?.second ?? second + everySeconds) - second),
    }));
    const values = readings.map(({ value }) => value);
    return [{ name, limit, data: { spans, series: [{ id: name, name, label: name, look: SERIES.inFlight, shape: 'line', values }] } }];
  });
}
