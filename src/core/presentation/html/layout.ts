import { MAX_LABEL_LENGTH, type Plot, xOf, yOf } from '../charts/geometry.ts';
import { type Axis, needsLogarithm, valueAxis } from '../charts/valueAxis.ts';
import type { ReportChart } from '../document/model.ts';

/** Width of a chart in SVG units. On paper, 680 units are the text width, and 11 units are 8 points. */
export const CHART_WIDTH = 680;
const HEIGHTS = { large: 178, small: 158 } as const;
const LEFT = 58;
const AXIS_HEIGHT = 22;
/** Half the width of “1:00:00” at the end of the axis. */
const MARGIN = 28;
const LABELS_WIDTH = 112;
/** Width of a character in a chart, in the widest of the fonts. */
export const LETTER_WIDTH = 6.6;

/** Maximum number of names that fit at the ends of lines. */
const MAX_END_LABELS = 6;

export interface ChartLayout {
  readonly plot: Plot;
  readonly axis: Axis;
  readonly logarithmic: boolean;
  /** Whether names are at the ends of lines; otherwise in a list above. */
  readonly hasEndLabels: boolean;
  readonly hasStageNames: boolean;
  x(second: number): number;
  y(value: number): number;
}

export function layoutOf({ data, limits, unit, frame }: ReportChart, size: keyof typeof HEIGHTS): ChartLayout {
  const height = HEIGHTS[size];
  const hasEndLabels = data.series.length <= MAX_END_LABELS && data.series.every(({ label }) => label.length <= MAX_LABEL_LENGTH);
  const hasStageNames = frame.stages.length > 1;
  const logarithmic = unit === 'ms' && needsLogarithm(data, limits, unit);
  const axis = valueAxis(data, limits, unit, logarithmic);
  const plot: Plot = {
    width: CHART_WIDTH,
    height,
    left: LEFT,
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
