import { type PointerEvent, type PointerEventHandler, type ReactNode, useRef, useState } from 'react';
import { chooseDrawnIndexes, middleOf } from '#core/presentation/charts/drawnIndexes.ts';
import { type Plot, secondAt, xOf } from '#core/presentation/charts/geometry.ts';
import type { ChartData, Span, Unit } from '#core/presentation/charts/types.ts';
import { formatElapsed } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { type TimeRange, useChartView } from './ChartView.tsx';
import { valuesAt } from './moment.ts';
import styles from './TimeChart.module.css';

/** Share of all points by which Page Up and Page Down move. */
const PAGE_SHARE = 0.1;
/** Minimum distance of a drag; a shorter movement of the pointer is a click. */
const MIN_DRAG_PX = 6;

/** Returns the index to which a key moves from `index` (-1 before the first move), or null for other keys. */
export function nextIndex(key: string, index: number, length: number): number | null {
  if (length === 0) return null;
  const page = Math.max(1, Math.round(length * PAGE_SHARE));
  const last = length - 1;
  const from = index < 0 ? last : index;
  const clamp = (next: number): number => Math.min(last, Math.max(0, next));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return clamp(from - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return clamp(from + 1);
    case 'PageDown':
      return clamp(from - page);
    case 'PageUp':
      return clamp(from + page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Returns the range of whole spans between two seconds; null if they touch fewer than two spans. */
export function wholeSpans(spans: readonly Span[], one: number, other: number): TimeRange | null {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const insideSpans = spans.filter(({ second, width }) => second < to && second + width > from);
  const [first, last] = [insideSpans[0], insideSpans.at(-1)];
  return first === undefined || last === undefined || first === last ? null : { from: first.second, to: last.second + last.width };
}

interface TimeWalkProps {
  readonly title: string;
  readonly data: ChartData;
  readonly unit: Unit;
  readonly plot: Plot;
  /** The time axis that the chart shows. */
  readonly frame: TimeRange;
  readonly children: ReactNode;
}

/**
 * Adds interactions to a chart that Recharts lacks. Dragging over a range of time, by pointer or with Shift and the arrow keys, zooms all
 * charts of the view. For screen readers, the chart is a slider over time.
 */
export function TimeWalk({ title, data, unit, plot, frame, children }: TimeWalkProps) {
  const { startedAt, zoomTo } = useChartView();
  const stage = useRef<HTMLDivElement>(null);
  const [walked, setWalked] = useState<{ readonly at: number; readonly since: number | null }>({ at: -1, since: null });
  const { from, to } = frame;

  const { range, ...drag } = useDrag({ data, plot, frame }, zoomTo);
  /** Moves the crosshair of all charts in the view. Recharts moves it only for a pointer, so pointer events are simulated. */
  const showCrosshair = (second: number | null): void => {
    const chart = stage.current?.querySelector('.recharts-wrapper');
    if (!chart) return;
    const { left, top } = chart.getBoundingClientRect();
    const place = { clientX: left + xOf(second ?? 0, from, to, plot), clientY: top + plot.top + 1 };
    chart.dispatchEvent(
      new MouseEvent(second === null ? 'mouseout' : 'mousemove', { ...place, bubbles: true, relatedTarget: document.body }),
    );
  };
  const drawn = chooseDrawnIndexes(data.spans, data.series);
  const spanAt = (place: number | null): Span | undefined => (place === null ? undefined : data.spans[drawn[place] ?? -1]);
  const selected = walked.since === null ? null : selectedRange(data.spans, spanAt(walked.since), spanAt(walked.at));
  const shownTimeRange = range ?? selected;
  const moveByKey = (key: string, shift: boolean): boolean => {
    const next = nextIndex(key, walked.at, drawn.length);
    const span = spanAt(next);
    if (next !== null && span !== undefined) {
      setWalked({ at: next, since: shift ? (walked.since ?? (walked.at < 0 ? next : walked.at)) : null });
      showCrosshair(middleOf(span));
      return true;
    }
    if (key === 'Enter' && selected !== null) {
      setWalked({ at: -1, since: null });
      zoomTo(selected);
      return true;
    }
    if (key !== 'Escape' || walked.at < 0) return false;
    setWalked({ at: -1, since: null });
    showCrosshair(null);
    return true;
  };
  const place = drawn[walked.at];
  const position = place === undefined ? formatElapsed(to) : valuesAt(data, place, unit, startedAt);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- [the slider in it does the same by keyboard]
    <div ref={stage} className={styles.stage} {...drag}>
      {children}
      {shownTimeRange === null ? null : <Selection range={shownTimeRange} plot={plot} frame={frame} />}
      <div
        className={styles.walk}
        style={{ left: plot.left, top: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top }}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- [a native range would swallow scrolling by touch and stop inside gaps]
        role="slider"
        tabIndex={0}
        aria-label={words.charts.walk(title)}
        aria-valuemin={Math.floor(from)}
        aria-valuemax={Math.ceil(to)}
        aria-valuenow={Math.round(spanAt(walked.at)?.second ?? to)}
        aria-valuetext={
          selected === null ? position : words.charts.zoom.selected(formatElapsed(selected.from), formatElapsed(selected.to), position)
        }
        onBlur={() => {
          setWalked({ at: -1, since: null });
          showCrosshair(null);
        }}
        onKeyDown={(event) => {
          if (moveByKey(event.key, event.shiftKey)) event.preventDefault();
        }}
      />
    </div>
  );
}

function selectedRange(spans: readonly Span[], one: Span | undefined, other: Span | undefined): TimeRange | null {
  return one === undefined || other === undefined ? null : wholeSpans(spans, middleOf(one), middleOf(other));
}

interface Drag {
  /** The dragged range; null while nothing is dragged. */
  readonly range: TimeRange | null;
  readonly onPointerDown: PointerEventHandler;
  readonly onPointerMove: PointerEventHandler;
  readonly onPointerUp: PointerEventHandler;
  readonly onPointerCancel: PointerEventHandler;
}

/** Lets a pointer drag over a range of time; `onChosen` gets its whole spans. */
function useDrag(
  { data, plot, frame: { from, to } }: Pick<TimeWalkProps, 'data' | 'plot' | 'frame'>,
  onChosen: (range: TimeRange) => void,
): Drag {
  const pressedAt = useRef<number | null>(null);
  const [range, setRange] = useState<TimeRange | null>(null);
  const xIn = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const end = (): void => {
    pressedAt.current = null;
    setRange(null);
  };
  return {
    range,
    onPointerDown: (event) => {
      const x = xIn(event);
      const isMark = event.target instanceof Element && event.target.closest('button') !== null;
      pressedAt.current = event.button !== 0 || isMark || x < plot.left || x > plot.right ? null : x;
    },
    onPointerMove: (event) => {
      const start = pressedAt.current;
      if (start === null || (range === null && Math.abs(xIn(event) - start) < MIN_DRAG_PX)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setRange({ from: secondAt(start, from, to, plot), to: secondAt(xIn(event), from, to, plot) });
    },
    onPointerUp: () => {
      end();
      const chosen = range === null ? null : wholeSpans(data.spans, range.from, range.to);
      if (chosen !== null) onChosen(chosen);
    },
    onPointerCancel: end,
  };
}

interface SelectionProps extends Pick<TimeWalkProps, 'plot' | 'frame'> {
  readonly range: TimeRange;
}

function Selection({ range, plot, frame: { from, to } }: SelectionProps) {
  const [left, right] = [Math.min(range.from, range.to), Math.max(range.from, range.to)].map((second) => xOf(second, from, to, plot));
  const style = { left, width: (right ?? 0) - (left ?? 0), top: plot.top, height: plot.bottom - plot.top };
  return <div className={styles.selection} style={style} />;
}
