import { useMemo } from 'react';
import { watchedReadings } from '#core/diagnosis/watched.ts';
import type { Point, RunResult } from '#core/report/result.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import type { ChartData } from '../charts/types.ts';
import { backlogData } from '../run/runSeries.ts';
import { SERIES } from '../styles/series.ts';
import { words } from '../words/words.ts';

const HEIGHT = 180;

/** Charts of what only some runs have: results that are waited for, and numbers read off beside the load. */
export function MoreCharts({ result, points }: { readonly result: RunResult; readonly points: readonly Point[] }) {
  const backlog = useMemo(() => (result.waits.length === 0 ? null : backlogData(points)), [result, points]);
  const watched = useMemo(() => watchedCharts(result), [result]);
  return (
    <>
      {backlog === null ? null : <TimeChart title={words.charts.titles.backlog} unit="count" data={backlog} height={HEIGHT} />}
      {watched.map(({ name, limit, data }) => (
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
function watchedCharts({ plan, generators }: RunResult): { name: string; limit: number | undefined; data: ChartData }[] {
  return (plan.watch ?? []).flatMap(({ name, limit, everySeconds }) => {
    const readings = watchedReadings(generators, name);
    if (readings.length === 0) return [];
    const spans = readings.map(({ second }, index) => ({
      second,
      width: Math.min(2 * everySeconds, (readings[index + 1]?.second ?? second + everySeconds) - second),
    }));
    const values = readings.map(({ value }) => value);
    return [{ name, limit, data: { spans, series: [{ id: name, name, label: name, look: SERIES.inFlight, shape: 'line', values }] } }];
  });
}
