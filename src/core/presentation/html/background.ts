import { MAX_LABEL_LENGTH, type Plot, xOf, yOf } from '../charts/geometry.ts';
import { type Axis, needsLogarithm, timeTicks, valueAxis } from '../charts/valueAxis.ts';
import type { ReportChart } from '../document/model.ts';
import { formatElapsed, formatTick } from '../charts/units.ts';
import { chooseFreeEnd, labelLines } from '../charts/layOutLabels.ts';
import { chartNames } from '../charts/names.ts';
import { GRID_COLOR, INK_COLOR, LINE_COLOR, markup, type Markup, NO_MARKUP, QUIET_INK_COLOR, TONES, UNCOUNTED_COLOR } from './markup.ts';

/** Width of a chart in SVG units. On paper, the text is 680 units wide, and 11 units are 8 points. */
export const CHART_WIDTH = 680;
const HEIGHTS = { large: 178, small: 158 } as const;
const MARGIN_LEFT = 58;
const AXIS_HEIGHT = 22;
/** Half the width of the label “1:00:00” at the end of the axis. */
const MARGIN = 28;
const LABELS_WIDTH = 112;
/** Width of a character in a chart, in the widest font. */
export const LETTER_WIDTH = 6.6;

/** Maximum number of names that fit at the ends of lines. */
const MAX_END_LABELS = 6;

export interface ChartLayout {
  readonly plot: Plot;
  readonly axis: Axis;
  readonly logarithmic: boolean;
  /** Whether names are at the ends of lines. If not, they are in a list above. */
  readonly hasEndLabels: boolean;
  readonly hasStageNames: boolean;
  x(second: number): number;
  y(value: number): number;
}

export function layOutChart({ data, limits, unit, frame }: ReportChart, size: keyof typeof HEIGHTS): ChartLayout {
  const height = HEIGHTS[size];
  const hasEndLabels = data.series.length <= MAX_END_LABELS && data.series.every(({ label }) => label.length <= MAX_LABEL_LENGTH);
  const hasStageNames = frame.stages.length > 1;
  const logarithmic = unit === 'ms' && needsLogarithm(data, limits, unit);
  const axis = valueAxis(data, limits, unit, logarithmic);
  const plot: Plot = {
    width: CHART_WIDTH,
    height,
    left: MARGIN_LEFT,
    right: CHART_WIDTH - (hasEndLabels ? LABELS_WIDTH : MARGIN),
    top: hasStageNames || logarithmic ? 22 : 8,
    bottom: height - AXIS_HEIGHT,
  };
  return {
    plot,
    axis,
    logarithmic,
    hasEndLabels,
    hasStageNames,
    x: (second) => xOf(second, 0, frame.to, plot),
    y: (value) => yOf(value, axis, logarithmic, plot),
  };
}

const LINE_HEIGHT = 13;
const TIME_TICKS = 8;
const OVERLOAD_MARK_HEIGHT = 5;
/** Approximate length of a label such as “limit 500 ms”, in characters. */
const LIMIT_LABEL_LENGTH = 12;

/** White outline that keeps labels legible over lines. */
const HALO = markup` paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round"`;

/** Rounds pixels to one decimal, which keeps files small. */
export const roundPixels = (value: number): number => Math.round(value * 10) / 10;

/** Draws everything behind the data: stages, ranges of findings, grid and axes. */
export function background(chart: ReportChart, layout: ChartLayout): Markup {
  return markup`${stages(chart, layout)}${breaches(chart, layout)}${ranges(chart, layout)}${valueGrid(chart, layout)}${timeAxis(chart, layout)}`;
}

function stages({ frame }: ReportChart, { plot, x, hasStageNames }: ChartLayout): Markup[] {
  return frame.stages.map(({ name, from, to, counted }, index) => {
    const left = roundPixels(x(from));
    const width = roundPixels(Math.max(0, x(to) - x(from)));
    const fits = [chartNames.stageTitle(name, counted), name].find((text) => text.length * LETTER_WIDTH + 8 <= width);
    const shade = counted
      ? NO_MARKUP
      : markup`<rect x="${left}" y="${plot.top}" width="${width}" height="${plot.bottom - plot.top}" fill="${UNCOUNTED_COLOR}"/>`;
    const border = index === 0 ? NO_MARKUP : markup`<path d="M${left} ${plot.top - 10}V${plot.bottom}" stroke="${LINE_COLOR}"/>`;
    const title =
      hasStageNames && fits !== undefined
        ? markup`<text x="${left + 4}" y="${plot.top - 7}" fill="${QUIET_INK_COLOR}">${fits}</text>`
        : NO_MARKUP;
    return markup`${shade}${border}${title}`;
  });
}

/** Marks the seconds that violate a criterion, from its line to the edge on the failed side. */
function breaches({ limits }: ReportChart, { plot, axis, x, y }: ChartLayout): Markup[] {
  return limits.flatMap(({ value, breaches: found }) => {
    if (found === undefined || value < axis.from) return [];
    const [top, bottom] = found.side === 'above' ? [plot.top, y(value)] : [y(value), plot.bottom];
    return found.spans.map(({ second, width }) => {
      const left = roundPixels(x(second));
      return markup`<rect x="${left}" y="${roundPixels(top)}" width="${roundPixels(Math.max(2, x(second + width) - left))}" height="${roundPixels(bottom - top)}" fill="${TONES.failed}" fill-opacity="0.14"/>`;
    });
  });
}

function ranges({ frame }: ReportChart, { plot, x }: ChartLayout): Markup[] {
  const lines = labelLines(frame.ranges.map(({ from, label }) => ({ from: x(from), width: label.length * LETTER_WIDTH + 10 })));
  return frame.ranges.map(({ from, label, tone }, index) => {
    const color = TONES[tone];
    const left = roundPixels(x(from));
    const top = plot.top + (lines[index] ?? 0) * LINE_HEIGHT;
    const y = top + 11;
    // Right of the plot are the names of the lines.
    const isAtEnd = left + 4 + label.length * LETTER_WIDTH > plot.right;
    const text = isAtEnd ? markup`x="${left - 4}" text-anchor="end"` : markup`x="${left + 4}"`;
    return markup`<path d="M${left} ${top}v${LINE_HEIGHT}" stroke="${color}"/><text ${text} y="${y}" fill="${color}" font-weight="600"${HALO}>${label}</text>`;
  });
}

function valueGrid({ unit }: ReportChart, { plot, axis, logarithmic, y }: ChartLayout): Markup {
  const ticks = axis.ticks.map((tick) => {
    const at = roundPixels(y(tick));
    return markup`<path d="M${plot.left} ${at}H${plot.right}" stroke="${GRID_COLOR}"/><text x="${plot.left - 6}" y="${at + 3.5}" text-anchor="end" fill="${QUIET_INK_COLOR}">${formatTick(tick, unit)}</text>`;
  });
  const kind = logarithmic ? markup`<text x="0" y="${plot.top - 12}" fill="${QUIET_INK_COLOR}">${chartNames.logScale}</text>` : NO_MARKUP;
  return markup`${ticks}${kind}`;
}

function timeAxis({ frame }: ReportChart, { plot, x }: ChartLayout): Markup {
  const marks = timeTicks(0, frame.to, TIME_TICKS).map((second) => {
    const at = roundPixels(x(second));
    return markup`<path d="M${at} ${plot.bottom}v4" stroke="${QUIET_INK_COLOR}"/><text x="${at}" y="${plot.bottom + 15}" text-anchor="middle" fill="${QUIET_INK_COLOR}">${formatElapsed(second)}</text>`;
  });
  return markup`<path d="M${plot.left} ${plot.bottom}H${plot.right}" stroke="${QUIET_INK_COLOR}"/>${marks}`;
}

/** Draws limits, and the seconds in which the load generator was overloaded, in front of the data. */
export function foreground({ limits, frame }: ReportChart, { plot, axis, x, y }: ChartLayout): Markup {
  const marks = frame.ranges.map(({ from }) => x(from));
  const anchor = chooseFreeEnd(marks, LIMIT_LABEL_LENGTH * LETTER_WIDTH, [plot.left, plot.right]);
  const edge = anchor === 'end' ? plot.right - 4 : plot.left + 4;
  const lines = limits
    .filter(({ value }) => value >= axis.from && value <= axis.to)
    .map(({ value, label }) => {
      const at = roundPixels(y(value));
      return markup`<path d="M${plot.left} ${at}H${plot.right}" stroke="${INK_COLOR}" stroke-width="1.2" stroke-dasharray="7 3"/><text x="${edge}" y="${at - 3}" text-anchor="${anchor}" fill="${INK_COLOR}" font-weight="600"${HALO}>${label}</text>`;
    });
  const overloaded = frame.overloaded.map(({ second, width }) => {
    const left = roundPixels(x(second));
    return markup`<rect x="${left}" y="${plot.bottom - OVERLOAD_MARK_HEIGHT}" width="${roundPixels(Math.max(1, x(second + width) - x(second)))}" height="${OVERLOAD_MARK_HEIGHT}" fill="${INK_COLOR}"/>`;
  });
  return markup`${lines}${overloaded}`;
}
