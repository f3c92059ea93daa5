import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react';
import { formatElapsed } from '#core/presentation/charts/units.ts';
import type { ShadedRange, Span, StageBand } from '#core/presentation/charts/types.ts';
import { Button } from '../components/Button.tsx';
import { words } from '../words/words.ts';
import { LegendScope } from './Legend.tsx';
import styles from './ChartView.module.css';

/** Part of the time axis, in seconds of the run. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Time axis and background that all charts of a view share. */
export interface TimeFrame extends TimeRange {
  /** Time of second 0 as ISO 8601; null if unknown. */
  readonly startedAt: string | null;
  readonly stages: readonly StageBand[];
  readonly ranges: readonly ShadedRange[];
  /** Seconds in which the load generator was overloaded. */
  readonly overloaded: readonly Span[];
}

interface SharedView extends TimeFrame {
  /** Id of the charts that share a crosshair. Recharts shows it in all charts with the same id. */
  readonly syncId: string;
  /** The range of time that all charts show; null for the whole run. */
  readonly zoom: TimeRange | null;
  zoomTo(range: TimeRange | null): void;
  /** Shades the seconds of the finding with this label in all charts; null shades the seconds of the finding that the page has selected. */
  point(label: string | null): void;
  readonly computeFigures: ((range: TimeRange) => ReactNode) | undefined;
}

const ViewContext = createContext<SharedView | null>(null);

/** Returns what the charts of a view share. Throws if the chart is not inside a ChartView. */
export function useChartView(): SharedView {
  const view = useContext(ViewContext);
  if (view === null) throw new Error('ChartView is missing above this chart');
  return view;
}

interface ChartViewProps extends TimeFrame {
  /** Returns the figures of a range, for the line below zoomed charts. Must be the same function in each render. */
  readonly computeFigures?: (range: TimeRange) => ReactNode;
  readonly children: ReactNode;
}

/** Provides what the charts inside share: time axis, zoom, background, crosshair, and the lines that are switched off. */
export function ChartView({ children, computeFigures, from, to, startedAt, stages, ranges, overloaded }: ChartViewProps) {
  const syncId = useId();
  const [pointed, point] = useState<string | null>(null);
  const [zoom, zoomTo] = useState<TimeRange | null>(null);
  useEffect(() => {
    if (zoom === null) return;
    const leaveZoom = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) zoomTo(null);
    };
    document.addEventListener('keydown', leaveZoom);
    return () => document.removeEventListener('keydown', leaveZoom);
  }, [zoom]);
  const view = useMemo(
    (): SharedView => ({
      from,
      to,
      startedAt,
      stages,
      ranges: pointed === null ? ranges : ranges.map((range) => ({ ...range, look: range.label === pointed ? 'shown' : 'marked' })),
      overloaded,
      syncId,
      zoom,
      zoomTo,
      point,
      computeFigures,
    }),
    [from, to, startedAt, stages, ranges, overloaded, syncId, zoom, pointed, computeFigures],
  );
  return (
    <ViewContext value={view}>
      <LegendScope>{children}</LegendScope>
    </ViewContext>
  );
}

const texts = words.charts.zoom;

/** Shows the range of zoomed charts, its figures, and a button that ends the zoom. Renders nothing for the whole run. */
export function ZoomLine() {
  const { zoom, zoomTo, computeFigures } = useChartView();
  return (
    <output className={zoom === null ? styles.none : styles.zoom}>
      {zoom === null ? null : (
        <>
          <strong className={styles.range}>{texts.range(formatElapsed(zoom.from), formatElapsed(zoom.to))}</strong>
          <span className={styles.figures}>{computeFigures?.(zoom)}</span>
          <Button size="small" onPress={() => zoomTo(null)}>
            {texts.leave}
          </Button>
        </>
      )}
    </output>
  );
}
