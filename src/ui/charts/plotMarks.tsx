import { type Plot, xOf, yOf } from '#core/presentation/charts/geometry.ts';
import { chooseFreeEnd, labelLines } from '#core/presentation/charts/layOutLabels.ts';
import type { ShadedRange, Span, StageBand } from '#core/presentation/charts/types.ts';
import type { Axis } from '#core/presentation/charts/valueAxis.ts';
import { words } from '../words/words.ts';
import type { TimeFrame } from './ChartView.tsx';

/** Estimated width of a character in a label, in pixels. */
const CHARACTER_WIDTH = 6.4;
/** Approximate width of a label such as “limit 500 ms”, in pixels. */
const LIMIT_WIDTH = 80;
/** Minimum width of a shade in pixels, so that a single second of a long run stays visible. */
const MIN_SHADE_WIDTH = 2;
const BREACH_OPACITY = 0.16;
/** Opacities for the seconds of the selected finding. */
const FAINT_OPACITY = 0.1;
const STRONG_OPACITY = 0.28;
/** Maximum share of the plot that is shaded strongly. A larger range is shaded faintly, so that the data stays readable. */
const MAX_STRONG_SHARE = 0.6;

interface HaloTextProps {
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly isStrong?: boolean;
  /** The end of the text that is at `x`: its start or its end. */
  readonly anchor?: 'start' | 'end';
  readonly children: string;
}

/** Text over the data of a chart, with an outline in the background colour. */
function HaloText({ x, y, color, isStrong = false, anchor = 'start', children }: HaloTextProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={12}
      fontWeight={isStrong ? 600 : undefined}
      textAnchor={anchor}
      fill={color}
      stroke="var(--surface-card)"
      strokeWidth={3}
      paintOrder="stroke"
    >
      {children}
    </text>
  );
}

interface SecondsProps {
  readonly id: string;
  readonly spans: readonly Span[];
  readonly tone: ShadedRange['tone'] | 'overloaded';
  readonly plot: Plot;
  readonly axis: Axis;
  readonly isLogarithmic: boolean;
  readonly frame: TimeFrame;
  /** Side of a limit that is shaded; default: both sides. */
  readonly side?: 'above' | 'below';
  readonly limit?: number;
  /** Height in pixels above the time axis; default: the whole plot. */
  readonly height?: number;
}

/** Shades spans of time with one path, because a separate ReferenceArea for each of hundreds of seconds would take too long. */
export function Seconds({ spans, tone, plot, axis, isLogarithmic, frame: { from, to }, side, limit = 0, height }: SecondsProps) {
  const edge = yOf(limit, axis, isLogarithmic, plot);
  const top = height === undefined ? (side === 'below' ? edge : plot.top) : plot.bottom - height;
  const bottom = side === 'above' ? edge : plot.bottom;
  const places = spans.flatMap(({ second, width }) => {
    const [start, end] = [Math.max(second, from), Math.min(second + width, to)];
    if (start >= end) return [];
    const x = xOf(start, from, to, plot);
    return [{ x, width: Math.max(MIN_SHADE_WIDTH, xOf(end, from, to, plot) - x) }];
  });
  if (places.length === 0) return null;
  const covered = places.reduce((sum, { width }) => sum + width, 0);
  const shown = covered < MAX_STRONG_SHARE * (plot.right - plot.left) ? STRONG_OPACITY : FAINT_OPACITY;
  return (
    <path
      d={places.map(({ x, width }) => `M${x} ${top}h${width}V${bottom}h${-width}z`).join('')}
      fill={tone === 'overloaded' ? 'var(--series-status-4xx)' : `var(--text-${tone})`}
      fillOpacity={tone === 'overloaded' ? 1 : side === undefined ? shown : BREACH_OPACITY}
    />
  );
}

interface LimitLabelProps {
  readonly text: string;
  readonly plot: Plot;
  readonly frame: TimeFrame;
  /** Position of the limit, which Recharts passes. */
  readonly viewBox?: { readonly y?: number };
}

/** The label of a limit, at the end of the limit's line with fewer marks of findings. */
export function LimitLabel({ text, plot, frame: { ranges, from, to }, viewBox }: LimitLabelProps) {
  const y = viewBox?.y ?? 0;
  const marks = ranges.map((range) => xOf(range.from, from, to, plot));
  const anchor = chooseFreeEnd(marks, LIMIT_WIDTH, [plot.left, plot.right]);
  return (
    <HaloText
      x={anchor === 'end' ? plot.right - 4 : plot.left + 4}
      y={y - plot.top > 18 ? y - 4 : y + 14}
      anchor={anchor}
      color="var(--text-failed)"
    >
      {text}
    </HaloText>
  );
}

interface StageNameProps {
  readonly stage: StageBand;
  readonly plot: Plot;
  readonly frame: TimeFrame;
  /** Position of the stage's start, which Recharts passes. */
  readonly viewBox?: { readonly x?: number };
}

/** The name of a stage, shown above the plot if it fits. */
export function StageName({ stage: { name, counted, to: end }, plot, frame: { from, to }, viewBox }: StageNameProps) {
  const x = viewBox?.x ?? 0;
  const room = xOf(Math.min(end, to), from, to, plot) - x;
  const fitting = [words.charts.stageTitle(name, counted), name].find((text) => text.length * CHARACTER_WIDTH + 20 <= room);
  if (fitting === undefined) return null;
  return (
    <text x={x + 4} y={plot.top - 8} fontSize={12} fill="var(--chart-axis)">
      {fitting}
    </text>
  );
}

/** Distance between rows of marks, in pixels. */
const LINE_HEIGHT = 18;
export const MARK_HEIGHT = 16;
const MIN_WIDTH = 16;
const TICK_GAP = 3;

interface MarkPlace {
  readonly range: ShadedRange;
  /** Position of the range's start, in pixels. */
  readonly x: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/**
 * Places the mark of each visible range to the right of the range's start, or to the left near the end of the plot. Where marks would
 * overlap, one is moved to a lower row.
 */
export function markPlaces({ ranges, from, to }: Pick<TimeFrame, 'ranges' | 'from' | 'to'>, plot: Plot): MarkPlace[] {
  const beside = ranges.flatMap((range) => {
    if (range.to < from || range.from > to) return [];
    const x = xOf(Math.max(range.from, from), from, to, plot);
    const width = Math.max(MIN_WIDTH, range.label.length * CHARACTER_WIDTH + 8);
    const room = width + 2 * TICK_GAP;
    return [{ range, x, from: x + room > plot.right && x - room > plot.left ? x - room : x, width: room }];
  });
  const lines = labelLines(beside);
  return beside.map(({ range, x, from: left, width }, index) => ({
    range,
    x,
    left: left + TICK_GAP,
    top: plot.top + 1 + (lines[index] ?? 0) * LINE_HEIGHT,
    width: width - 2 * TICK_GAP,
  }));
}

/** Returns whether a label is short enough to be the number of a finding, which is drawn in a disc. Other labels are plain text. */
export const isNumber = (label: string): boolean => label.length <= 2;

/** Draws the label of each range at its start, in front of the data. */
export function RangeLabels({ plot, frame }: { readonly plot: Plot; readonly frame: TimeFrame }) {
  return markPlaces(frame, plot).map(({ range: { label, from, tone }, x, left, top, width }) => {
    const color = `var(--text-${tone})`;
    return (
      <g key={`${label} ${from}`}>
        {/* A short tick only: a line through the whole chart would be read as an event. */}
        <path d={`M${x} ${top - 1}v${MARK_HEIGHT + 1}`} stroke={color} fill="none" />
        {isNumber(label) ? (
          <>
            <rect x={left} y={top} width={width} height={MARK_HEIGHT} rx={MARK_HEIGHT / 2} fill={color} />
            <text x={left + width / 2} y={top + 12} fontSize={12} fontWeight={600} textAnchor="middle" fill="var(--surface-card)">
              {label}
            </text>
          </>
        ) : (
          <HaloText x={left + 1} y={top + 12} color={color} isStrong>
            {label}
          </HaloText>
        )}
      </g>
    );
  });
}
