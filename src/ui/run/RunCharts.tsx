import { memo, type ReactNode } from 'react';
import type { RunCharts as Charts } from '#core/presentation/charts/runCharts.ts';
import type { RunChart } from '#core/presentation/charts/types.ts';
import { useChartView, ZoomLine } from '../charts/ChartView.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';
import styles from './RunCharts.module.css';

export const SMALL_CHART_HEIGHT = 180;

interface RunChartsProps {
  readonly charts: Charts;
  /** Text that is shown instead of a chart if there is no data. */
  readonly empty: string;
  /** Whether only the two main charts are visible, side by side, as in a result. */
  readonly isShort?: boolean;
  /** Additional charts with the same time axis. They follow the charts that every run has. */
  readonly children?: ReactNode;
}

/**
 * Charts of a run: two large ones, then small ones. In a result, all small charts are collapsed; in a live view, only the least important
 * ones are.
 */
export const RunCharts = memo(function RunCharts({ charts: { main, more, minor }, empty, isShort = false, children }: RunChartsProps) {
  const { overloaded } = useChartView();
  const draw = (all: readonly RunChart[], height?: number): ReactNode =>
    all.map((chart) => (
      <TimeChart
        key={chart.title}
        {...chart}
        {...(chart.data.spans.length === 0 ? { empty } : {})}
        {...(height === undefined ? {} : { height })}
      />
    ));
  const foldedRunCharts = isShort ? [...more, ...minor] : minor;
  const open = isShort ? [] : more;
  return (
    <div className={styles.charts}>
      {overloaded.length > 0 ? (
        <p className={styles.overloaded}>
          <span className={styles.overloadMark} aria-hidden="true" />
          {words.charts.overloaded}
        </p>
      ) : null}
      <div className={isShort ? styles.main : styles.charts}>{draw(main)}</div>
      <ZoomLine />
      {open.length === 0 ? null : <div className={styles.pair}>{draw(open, SMALL_CHART_HEIGHT)}</div>}
      {isShort ? null : children}
      <Disclosure title={words.charts.moreCharts} summary={foldedRunCharts.map(({ title }) => title).join(', ')} level={3}>
        <div className={styles.charts}>
          <div className={styles.pair}>{draw(foldedRunCharts, SMALL_CHART_HEIGHT)}</div>
          {isShort ? children : null}
        </div>
      </Disclosure>
    </div>
  );
});
