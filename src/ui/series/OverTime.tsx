import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SeriesRow } from '#core/series/result.ts';
import { callKey, useConnection } from '../app/backend.ts';
import { ChartView } from '../charts/ChartView.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { variantLook } from '#core/charts/looks.ts';
import { words } from '../words/words.ts';
import { overlayData, typicalRun } from './overlay.ts';
import styles from './SeriesPage.module.css';

const MAX_POINTS = 600;
const NOTHING: never[] = [];
const texts = words.series.charts;

/** One run of each variant, all from the same second 0. `rows` are of one level. */
export function OverTime({ rows, names }: { readonly rows: readonly SeriesRow[]; readonly names: readonly string[] }) {
  const connection = useConnection();
  const runs = rows.flatMap((row) => {
    const runId = typicalRun(row)?.runId ?? null;
    return runId === null ? [] : [{ name: row.variant ?? row.cell, index: Math.max(0, names.indexOf(row.variant ?? '')), runId }];
  });
  const answers = useQueries({
    queries: runs.map(({ runId }) => {
      const input = { runId, maxPoints: MAX_POINTS };
      // A run that has ended stays as it is.
      return { queryKey: callKey('runs.points', input), queryFn: () => connection.call('runs.points', input), staleTime: Infinity };
    }),
  });
  const drawn = runs.flatMap(({ name, index, runId }, at) => {
    const points = answers[at]?.data;
    return points === undefined ? [] : [{ id: runId, name, look: variantLook(index), points }];
  });
  const key = drawn.map(({ id }) => id).join(' ');
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- [the points of an ended run never change, so its id says all]
  const data = useMemo(() => overlayData(drawn), [key]);
  return (
    <ChartView from={0} to={data.toSecond} startedAt={null} stages={NOTHING} ranges={NOTHING} sick={NOTHING}>
      <div className={styles.charts}>
        <TimeChart title={texts.throughput} unit="perSecond" data={data.throughput} height={200} empty={texts.empty} />
        <TimeChart title={texts.p90} unit="ms" data={data.p90} height={200} empty={texts.empty} />
        <TimeChart title={texts.failures} unit="perSecond" data={data.failed} height={200} empty={texts.empty} />
      </div>
    </ChartView>
  );
}
