import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { formatCount, formatPercent } from '#core/base/units.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import type { Point } from '#core/result/schema.ts';
import { runChart } from '#core/presentation/charts/runSeries.ts';
import { formatValue } from '#core/presentation/charts/units.ts';
import { callKey, useCalls, useConnection } from './backend.ts';
import { ChartGrid } from '#ui/charts/ChartGrid.tsx';
import { ChartView, type TimeRange, ZoomLine } from '#ui/charts/ChartView.tsx';
import { Legend } from '#ui/charts/Legend.tsx';
import { TimeChart } from '#ui/charts/TimeChart.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { type OverlaidRun, overlayData } from '#ui/run/overlay.ts';
import { words } from '#ui/words/words.ts';
import styles from './OverlayCharts.module.css';

/** Maximum number of points: about as many as a chart draws. */
const MAX_POINTS = 600;
const NO_ITEMS: never[] = [];

interface OverlayChartsProps {
  readonly runs: readonly { readonly runId: string; readonly name: string; readonly look: SeriesLook }[];
  readonly texts: { readonly throughput: string; readonly within: string; readonly failures: string; readonly empty: string };
}

/** Charts of several ended runs over time, aligned at their start. Loads the points from the backend. */
export function OverlayCharts({ runs, texts }: OverlayChartsProps) {
  const connection = useConnection();
  const responses = useQueries({
    queries: runs.map(({ runId }) => {
      const input = { runId, maxPoints: MAX_POINTS };
      // The points are cached, because an ended run does not change.
      return { queryKey: callKey('runs.points', input), queryFn: () => connection.call('runs.points', input), staleTime: Infinity };
    }),
  });
  const drawn = runs.flatMap(({ name, look, runId }, at) => {
    const points = responses[at]?.data;
    return points === undefined ? [] : [{ id: runId, name, look, points }];
  });
  const key = drawn.map(({ id, name }) => `${id} ${name}`).join('\n');
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- [the points of an ended run never change, so its id and name say all]
  const ofRange = useCallback((range: TimeRange) => <RangeFigures runs={runs} range={range} />, [key]);
  return <OverlayPlots runs={drawn} texts={texts} computeFigures={ofRange} />;
}

interface OverlayPlotsProps {
  readonly runs: readonly OverlaidRun[];
  readonly texts: OverlayChartsProps['texts'];
  /** Returns the figures of a selected range; by default, there are none. */
  readonly computeFigures?: (range: TimeRange) => ReactNode;
}

/** Works like {@link OverlayCharts}, for given points. */
export function OverlayPlots({ runs, texts, computeFigures }: OverlayPlotsProps) {
  const key = runs.map(({ id, name }) => `${id} ${name}`).join('\n');
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- [the points of an ended run never change, so its id and name say all]
  const { charts, toSecond } = useMemo(() => overlayCharts(runs, texts), [key, texts]);
  return (
    <ChartView
      from={0}
      to={toSecond}
      startedAt={null}
      stages={NO_ITEMS}
      ranges={NO_ITEMS}
      overloaded={NO_ITEMS}
      {...(computeFigures === undefined ? {} : { computeFigures })}
    >
      <Stack gap={12}>
        {runs.length > 1 ? <Legend lines={runs.map(({ id, name, look }) => ({ key: id, name, look }))} /> : null}
        <ChartGrid>
          {charts.map((chart) => (
            <TimeChart key={chart.title} {...chart} height={200} hasLegendAbove={runs.length > 1} empty={texts.empty} />
          ))}
        </ChartGrid>
        <ZoomLine />
      </Stack>
    </ChartView>
  );
}

function overlayCharts(runs: readonly OverlaidRun[], texts: OverlayChartsProps['texts']) {
  const { throughput, p95, failed, toSecond } = overlayData(runs);
  const charts = [
    runChart(texts.throughput, 'perSecond', throughput),
    runChart(texts.within, 'ms', p95),
    runChart(texts.failures, 'perSecond', failed),
  ];
  return { charts, toSecond };
}

interface RangeFiguresProps {
  /** Runs and their names. If there is only one run, its name is empty. */
  readonly runs: readonly { readonly runId: string; readonly name: string }[];
  readonly range: TimeRange;
}

const zoomWords = words.charts.zoom;

/** Throughput, response times and failures of each run in a range of time, from the merged windows of that range. */
export function RangeFigures({ runs, range }: RangeFiguresProps) {
  const responses = useCalls(
    'runs.range',
    runs.map(({ runId }) => ({ runId, ...range })),
  );
  return runs.map(({ runId, name }, index) => {
    const { data, error } = responses[index] ?? {};
    const sentence =
      error?.message ?? (data === undefined ? zoomWords.loading : data.point === null ? zoomWords.none : computeFigures(data.point));
    return (
      <span key={runId} className={styles.figures}>
        {zoomWords.of(name, sentence)}
      </span>
    );
  });
}

function computeFigures({ completed, ok, failed, width, p50, p95 = null }: Point): string {
  const share = formatPercent(failed / Math.max(1, ok + failed));
  return zoomWords.figures(
    formatValue(completed / width, 'perSecond'),
    formatValue(p50, 'ms'),
    formatValue(p95, 'ms'),
    failed === 0 ? formatCount(0) : zoomWords.failedShare(formatCount(failed), share),
  );
}
