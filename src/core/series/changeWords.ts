import { formatMs, formatNumber, formatPercent } from '#core/base/units.ts';

export const MEASURES = ['throughput', 'p95'] as const;
/** `throughput` is that of successful responses: a proxy that refuses everything responds quickly too. */
export type Measure = (typeof MEASURES)[number];

/** Ratio from which a change is written as a multiple: "3.4 times as many" is clearer than "240 % more". */
const MIN_MULTIPLE = 1.9;

const RELATIONS: Readonly<
  Record<Measure, { readonly more: string; readonly less: string; readonly equal: string; readonly times: string }>
> = {
  throughput: { more: 'more', less: 'fewer', equal: 'as many', times: 'times as many' },
  p95: { more: 'higher', less: 'lower', equal: 'equal', times: 'times as high' },
};

/** Examples: "19 % lower", "3.4 times as many", "20 % to 31 % fewer". All ratios must be on one side of 1. */
export function relationWords(measure: Measure, ratios: readonly number[]): string {
  const { more, less, equal, times } = RELATIONS[measure];
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  if (most >= MIN_MULTIPLE) return `${range(least, most, formatNumber)} ${times}`;
  const [from, to] = most < 1 ? [1 - most, 1 - least] : [least - 1, most - 1];
  const changed = range(from, to, (share) => formatPercent(share, 2));
  return Number.parseFloat(changed) === 0 ? equal : `${changed} ${most < 1 ? less : more}`;
}

function range(least: number, most: number, format: (value: number) => string): string {
  const [from, to] = [format(least), format(most)];
  return from === to ? from : `${from} to ${to}`;
}

export function formatMeasure(measure: Measure, value: number): string {
  return measure === 'throughput' ? formatNumber(value) : formatMs(value);
}
