import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { callKey, useConnection } from './backend.ts';
import { ChartGrid } from '#ui/charts/ChartGrid.tsx';
import { ChartView } from '#ui/charts/ChartView.tsx';
import { TimeChart } from '#ui/charts/TimeChart.tsx';
import { overlayData } from '#ui/run/overlay.ts';

/** About as many points as a chart draws. */
const MAX_POINTS = 600;
const NOTHING: never[] = [];

interface OverlayChartsProps {
  readonly runs: readonly { readonly runId: string; readonly name: string; readonly look: SeriesLook }[];
  readonly texts: { readonly throughput: string; readonly within: string; readonly failures: string; readonly empty: string };
}

/** Charts of several ended runs, aligned at second 0: throughput, response times and failures. */
export function OverlayCharts({ runs, texts }: OverlayChartsProps) {
  const connection = useConnection();
  const responses = useQueries({
    queries: runs.map(({ runId }) => {
      const input = { runId, maxPoints: MAX_POINTS };
      // An ended run does not change.
      return { queryKey: callKey('runs.points', input), queryFn: () => connection.call('runs.points', input), staleTime: Infinity };
    }),
  });
  const drawn = runs.flatMap(({ name, look, runId }, at) => {
    const points = responses[at]?.data;
    return points === undefined ? [] : [{ id: runId, name, look, points }];
  });
  const key = drawn.map(({ id, name }) => `${id} ${name}`).join('\n');
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- [the points of an ended run never change, so its id and name say all]
  const data = useMemo(() => overlayData(drawn), [key]);
  const charts = [
    [texts.throughput, 'perSecond', data.throughput],
    [texts.within, 'ms', data.p95],
    [texts.failures, 'perSecond', data.failed],
  ] as const;
  return (
    <ChartView from={0} to={data.toSecond} startedAt={null} stages={NOTHING} ranges={NOTHING} overloaded={NOTHING}>
      <ChartGrid>
        {charts.map(([title, unit, lines]) => (
          <TimeChart key={title} title={title} unit={unit} data={lines} height={200} hasKeyAbove={runs.length > 1} empty={texts.empty} />
        ))}
      </ChartGrid>
    </ChartView>
  );
}
