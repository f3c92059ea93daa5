import type { Axis } from './valueAxis.ts';

/** Position of the plot in its picture, in CSS pixels. */
export interface Plot {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const AXIS_HEIGHT = 24;
export const AXIS_WIDTH = 58;
/** Half the width of the label “1:00:00” under the end of the axis. */
const MARGIN_RIGHT = 24;
const MARGIN_TOP = 10;
const NAMES_HEIGHT = 18;

interface PlotInput {
  readonly width: number;
  readonly height: number;
  /** Whether there are names of stages or of the scale above the plot. */
  readonly hasNames: boolean;
}

export function plotArea({ width, height, hasNames }: PlotInput): Plot {
  return {
    width,
    height,
    left: AXIS_WIDTH,
    right: Math.max(AXIS_WIDTH + 20, width - MARGIN_RIGHT),
    top: MARGIN_TOP + (hasNames ? NAMES_HEIGHT : 0),
    bottom: height - AXIS_HEIGHT,
  };
}

/** Maximum number of characters of a label. Longer labels would be cut off beside lines. */
export const MAX_LABEL_LENGTH = 12;

/** Returns the x position of a second of the run, in pixels. */
export function xOf(second: number, from: number, to: number, plot: Plot): number {
  return plot.left + ((second - from) / Math.max(to - from, 1e-9)) * (plot.right - plot.left);
}

/** Returns the second at an x position, limited to the axis. */
export function secondAt(x: number, from: number, to: number, plot: Plot): number {
  const share = (x - plot.left) / Math.max(plot.right - plot.left, 1);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}

/** Returns the y position of a value, in pixels. */
export function yOf(value: number, axis: Axis, logarithmic: boolean, plot: Plot): number {
  const share = logarithmic
    ? Math.log(Math.max(value, axis.from) / axis.from) / Math.log(axis.to / axis.from)
    : (value - axis.from) / (axis.to - axis.from);
  return plot.bottom - Math.min(1, Math.max(0, share)) * (plot.bottom - plot.top);
}
