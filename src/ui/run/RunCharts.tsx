import { memo, useMemo } from 'react';
import type { Point } from '#core/report/result.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import { ChartView } from '../charts/ChartView.tsx';
import type { Limit, ShadedRange, StageBand } from '../charts/types.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';
import styles from './RunCharts.module.css';
import { bytesData, errorData, inFlightData, LATENCY_BANDS, latencyData, statusData, throughputData } from './runSeries.ts';

interface RunChartsProps {
  readonly points: readonly Point[];
  /** End of the time axis, in seconds of the run. */
  readonly toSecond: number;
  readonly startedAt: string | null;
  readonly stages: readonly StageBand[];
  readonly limits: { readonly throughput: readonly Limit[]; readonly latency: readonly Limit[] };
  readonly ranges?: readonly ShadedRange[];
  /** What stands in place of a chart as long as there is nothing to draw. */
  readonly empty: string;
}

const NO_RANGES: readonly ShadedRange[] = [];
const { titles, noErrors, moreCharts, moreChartsSummary } = words.charts;

/**
 * The charts of a run: two big ones, two small ones, and the rest one disclosure below. Memoized: a live view is told more often
 * than it gets new points.
 */
export const RunCharts = memo(function RunCharts({
  points,
  toSecond,
  startedAt,
  stages,
  limits,
  ranges = NO_RANGES,
  empty,
}: RunChartsProps) {
  const data = useMemo(
    () => ({
      throughput: throughputData(points),
      latency: latencyData(points),
      status: statusData(points),
      errors: errorData(points),
      inFlight: inFlightData(points),
      bytes: bytesData(points),
    }),
    [points],
  );
  const sick = useMemo(() => points.filter((point) => point.sick.length > 0), [points]);
  const noFailure = points.length > 0 ? noErrors : empty;
  return (
    <ChartView from={0} to={toSecond} startedAt={startedAt} stages={stages} ranges={ranges} sick={sick}>
      <div className={styles.charts}>
        {sick.length > 0 ? (
          <p className={styles.sick}>
            <span className={styles.sickMark} aria-hidden="true" />
            {words.charts.sick}
          </p>
        ) : null}
        <TimeChart title={titles.throughput} unit="perSecond" data={data.throughput} limits={limits.throughput} empty={empty} />
        <TimeChart
          title={titles.latency}
          unit="ms"
          data={data.latency}
          bands={LATENCY_BANDS}
          limits={limits.latency}
          canBeLogarithmic
          empty={empty}
        />
        <div className={styles.pair}>
          <TimeChart title={titles.status} unit="perSecond" data={data.status} height={180} empty={empty} />
          <TimeChart title={titles.errors} unit="perSecond" data={data.errors} height={180} empty={noFailure} />
        </div>
        <Disclosure title={moreCharts} summary={moreChartsSummary} level={3}>
          <div className={styles.pair}>
            <TimeChart title={titles.inFlight} unit="count" data={data.inFlight} height={180} empty={empty} />
            <TimeChart title={titles.bytes} unit="bytesPerSecond" data={data.bytes} height={180} empty={empty} />
          </div>
        </Disclosure>
      </div>
    </ChartView>
  );
});
