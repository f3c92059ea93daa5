import { LONGEST_LABEL, type Plot, xOf, yOf } from '../charts/geometry.ts';
import { type Axis, needsLogarithm, valueAxis } from '../charts/valueAxis.ts';
import type { ReportChart } from '../document/model.ts';

/** Units of a chart's picture; on paper 680 of them are the width of the text, and 11 are 8 points. */
export const CHART_WIDTH = 680;
const HEIGHTS = { large: 178, small: 158 } as const;
const LEFT = 58;
const AXIS_HEIGHT = 22;
/** Half of “1:00:00” under the end of the axis. */
const MARGIN = 28;
const LABELS_WIDTH = 112;
/** Of the text in a picture, at its size, in the widest of the fonts. */
export const LETTER_WIDTH = 6.6;

/** More lines do not fit beside the ends of the lines. */
const MOST_LABELS = 6;

export interface ChartLayout {
  readonly plot: Plot;
  readonly axis: Axis;
  readonly logarithmic: boolean;
  /** Names stand beside the ends of the lines; else in a list above. */
  readonly hasEndLabels: boolean;
  readonly hasStageNames: boolean;
  x(second: number): number;
  y(value: number): number;
}

export function layoutOf({ data, limits, unit, frame }: ReportChart, size: keyof typeof HEIGHTS): ChartLayout {
  const height = HEIGHTS[size];
  const hasEndLabels = data.series.length <= MOST_LABELS && data.series.every(({ label }) => label.length <= LONGEST_LABEL);
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
