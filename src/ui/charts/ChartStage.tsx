import { memo, useMemo } from 'react';
import { drawnRows } from '#core/presentation/charts/drawnRows.ts';
import { getPlot } from '#core/presentation/charts/geometry.ts';
import type { ChartBand, ChartData, Limit, Unit } from '#core/presentation/charts/types.ts';
import { valueAxis } from '#core/presentation/charts/valueAxis.ts';
import type { TimeFrame } from './ChartView.tsx';
import { CrosshairLayer } from './CrosshairLayer.tsx';
import { PlotPicture } from './PlotPicture.tsx';
import { RangeMarks } from './RangeMarks.tsx';
import styles from './TimeChart.module.css';

interface ChartStageProps {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly data: ChartData;
  readonly bands: readonly ChartBand[];
  readonly limits: readonly Limit[];
  readonly isLogarithmic: boolean;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly frame: TimeFrame;
  /** Whether the chart is on the screen or near it; otherwise it is not updated. */
  readonly isNear: boolean;
}

/** The drawing of a chart with its overlays. It is drawn and updated only while it is near the screen. */
export const ChartStage = memo(
  function ChartStage({ id, title, unit, data, bands, limits, isLogarithmic, width, height, frame, isNear }: ChartStageProps) {
    const rows = useMemo(() => (isNear ? drawnRows(data) : []), [isNear, data]);
    const axis = useMemo(() => valueAxis(data, limits, unit, isLogarithmic), [data, limits, unit, isLogarithmic]);
    const hasNames = frame.stages.length > 1 || isLogarithmic;
    const plot = useMemo(() => getPlot({ width, height, hasNames }), [width, height, hasNames]);
    if (!isNear) return null;
    return (
      <>
        <div aria-hidden="true" className={styles.picture}>
          <PlotPicture
            id={id}
            rows={rows}
            series={data.series}
            bands={bands}
            limits={limits}
            unit={unit}
            axis={axis}
            logarithmic={isLogarithmic}
            plot={plot}
            frame={frame}
          />
        </div>
        <CrosshairLayer id={id} title={title} data={data} unit={unit} axis={axis} logarithmic={isLogarithmic} plot={plot} />
        <RangeMarks title={title} plot={plot} />
      </>
    );
  },
  (before, next) => !next.isNear || isSame(before, next),
);

/** Compares all properties; both objects have the same keys. */
function isSame(before: ChartStageProps, next: ChartStageProps): boolean {
  const others = new Map<string, unknown>(Object.entries(before));
  return Object.entries(next).every(([name, value]) => Object.is(others.get(name), value));
}
