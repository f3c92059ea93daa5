import { AXIS_HEIGHT, AXIS_WIDTH } from '#core/presentation/charts/geometry.ts';

const TICKS = { type: 'number', interval: 0, tick: { fontSize: 12, fill: 'var(--chart-axis)' } } as const;

/**
 * Properties of all horizontal axes. With an `interval` of 0, Recharts does not measure labels; that is possible because the ticks are
 * known to fit.
 */
export const HORIZONTAL_AXIS = { ...TICKS, height: AXIS_HEIGHT } as const;

/** Properties of all value axes. */
export const VALUE_AXIS = { ...TICKS, axisLine: false, tickLine: false, width: AXIS_WIDTH } as const;

/** Properties of the line at the pointer. */
export const CURSOR = { stroke: 'var(--chart-crosshair)' } as const;
