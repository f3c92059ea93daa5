import { useMemo } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { WatchedReading } from '#core/result/readings.ts';
import { watchedCharts } from '#core/presentation/charts/watchedCharts.ts';
import { backlogData, cacheData } from '#core/presentation/charts/runSeries.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import { words } from '../words/words.ts';

const HEIGHT = 180;

interface MoreChartsProps {
  readonly plan: Plan;
  readonly points: readonly Point[];
  /** Whether anything was waited for by asking again and again. */
  readonly hasWaits: boolean;
  readonly watched: readonly WatchedReading[];
}

/** Charts of what only some runs have: answers from a cache, results that are waited for, and numbers read off beside the load. */
export function MoreCharts({ plan, points, hasWaits, watched }: MoreChartsProps) {
  const backlog = useMemo(() => (hasWaits ? backlogData(points) : null), [hasWaits, points]);
  const cache = useMemo(() => (points.some(({ cache }) => cache !== undefined) ? cacheData(points) : null), [points]);
  const charts = useMemo(() => watchedCharts(plan, watched), [plan, watched]);
  return (
    <>
      {cache === null ? null : <TimeChart title={words.charts.titles.cache} unit="share" data={cache} height={HEIGHT} />}
      {backlog === null ? null : <TimeChart title={words.charts.titles.backlog} unit="count" data={backlog} height={HEIGHT} />}
      {charts.map(({ name, limits, data }) => (
        <TimeChart key={name} title={name} unit="count" data={data} limits={limits} height={HEIGHT} />
      ))}
    </>
  );
}
