import { memo, type ReactNode, useMemo } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { Limit, ShadedRange, StageBand } from '#core/presentation/charts/types.ts';
import { plannedRates, waitingLimits } from '#core/presentation/charts/limits.ts';
import { listens } from '#core/judgement/verdict/streams.ts';
import {
  splitCharts,
  bytesData,
  errorData,
  inFlightData,
  latencyBands,
  latencyData,
  notStartedData,
  statusData,
  type StreamChart,
  streamCharts,
  reportsServiceApart,
  throughputData,
} from '#core/presentation/charts/runSeries.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import { ChartView } from '../charts/ChartView.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';
import styles from './RunCharts.module.css';

interface RunChartsProps {
  /** Undefined until a live view has received it. */
  readonly plan: Plan | undefined;
  readonly points: readonly Point[];
  /** End of the time axis, in seconds of the run. */
  readonly toSecond: number;
  readonly startedAt: string | null;
  readonly stages: readonly StageBand[];
  readonly limits: { readonly throughput: readonly Limit[]; readonly latency: readonly Limit[] };
  readonly ranges?: readonly ShadedRange[];
  /** Text shown instead of a chart without data. */
  readonly empty: string;
  /** Whether only the two main charts are open, side by side, as in a result. */
  readonly isShort?: boolean;
  /** Further charts with the same time axis, after those of every run. */
  readonly children?: ReactNode;
}

const NO_RANGES: readonly ShadedRange[] = [];
const NO_LIMITS: readonly Limit[] = [];
const { titles, noErrors, moreCharts, moreChartsSummary, moreBesideStreamsSummary, inFlightSummary, bytesSummary, latencyUnits } =
  words.charts;

/**
 * The charts of a run: two large ones (of streams, if the users listen to them), then small ones. The rarer small ones, and in a result all
 * of them, are folded. Memoized: a live view receives updates more often than new points.
 */
export const RunCharts = memo(function RunCharts({
  plan,
  points,
  toSecond,
  startedAt,
  stages,
  limits,
  ranges = NO_RANGES,
  empty,
  isShort = false,
  children,
}: RunChartsProps) {
  const data = useMemo(
    () => ({
      throughput: throughputData(points, plan ? plannedRates(plan, points) : null),
      latency: latencyData(points, plan),
      status: statusData(points),
      errors: errorData(points),
      inFlight: inFlightData(points),
      notStarted: notStartedData(points),
      bytes: bytesData(points),
    }),
    [points, plan],
  );
  const bands = useMemo(() => latencyBands(data.latency), [data.latency]);
  const waiting = useMemo(() => (plan ? waitingLimits(plan, points) : NO_LIMITS), [plan, points]);
  const isOpen = plan?.load.model === 'arrivals';
  const inFlight = <TimeChart title={titles.inFlight} unit="count" data={data.inFlight} limits={waiting} height={180} empty={empty} />;
  const bytes = <TimeChart title={titles.bytes} unit="bytesPerSecond" data={data.bytes} height={180} empty={empty} />;
  const noFailure = points.length > 0 ? noErrors : empty;
  const notStarted =
    isOpen && data.notStarted.series.length > 0 ? (
      <TimeChart title={titles.notStarted} unit="perSecond" data={data.notStarted} height={180} />
    ) : null;
  const streams = useMemo(() => streamCharts(points), [points]);
  const { main, more } = splitCharts(streams);
  const isListening = plan !== undefined && listens(plan) && streams.length > 0;
  const requests = (
    <div className={isShort ? styles.main : styles.charts}>
      <TimeChart title={titles.throughput} unit="perSecond" data={data.throughput} limits={limits.throughput} empty={empty} />
      <TimeChart
        title={titles.latency}
        unit="ms"
        about={reportsServiceApart(points) ? latencyUnits.response : latencyUnits.service}
        data={data.latency}
        bands={bands}
        limits={limits.latency}
        canBeLogarithmic
        empty={empty}
      />
    </div>
  );
  const responses = (
    <div className={styles.pair}>
      <TimeChart title={titles.status} unit="perSecond" data={data.status} height={180} empty={empty} />
      <TimeChart title={titles.errors} unit="perSecond" data={data.errors} height={180} empty={noFailure} />
    </div>
  );
  const overloaded = useMemo(() => points.filter((point) => point.overloadedBy.length > 0), [points]);
  return (
    <ChartView from={0} to={toSecond} startedAt={startedAt} stages={stages} ranges={ranges} overloaded={overloaded}>
      <div className={styles.charts}>
        {overloaded.length > 0 ? (
          <p className={styles.overloaded}>
            <span className={styles.overloadMark} aria-hidden="true" />
            {words.charts.overloaded}
          </p>
        ) : null}
        {isListening ? <StreamCharts charts={isShort ? main : streams} className={styles.main} /> : null}
        {isListening && isShort ? null : requests}
        {isShort ? (
          <Disclosure title={moreCharts} summary={isListening ? moreBesideStreamsSummary : moreChartsSummary} level={3}>
            <div className={styles.charts}>
              {isListening ? (
                <>
                  <StreamCharts charts={more} className={styles.charts} />
                  {requests}
                </>
              ) : null}
              {responses}
              <div className={styles.pair}>
                {inFlight}
                {notStarted}
                {bytes}
              </div>
              {children}
            </div>
          </Disclosure>
        ) : (
          <>
            {responses}
            {isOpen ? (
              <div className={styles.pair}>
                {inFlight}
                {notStarted}
              </div>
            ) : null}
            {children}
            <Disclosure title={moreCharts} summary={isOpen ? bytesSummary : inFlightSummary} level={3}>
              <div className={styles.pair}>
                {isOpen ? null : inFlight}
                {bytes}
              </div>
            </Disclosure>
          </>
        )}
      </div>
    </ChartView>
  );
});

function StreamCharts({ charts, className }: { readonly charts: readonly StreamChart[]; readonly className: string | undefined }) {
  return (
    <div className={className}>
      {charts.map(({ title, unit, about, data }) => (
        <TimeChart key={title} title={title} unit={unit} about={about} data={data} />
      ))}
    </div>
  );
}
