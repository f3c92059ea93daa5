import { expect, it } from 'vitest';
import { percentilesFigure } from './plots.ts';

/** Returns a line with 20 points per decade of rarity. */
function formatLine(decades: number) {
  const points = Array.from({ length: 20 * decades }, (_, step) => ({ percentile: 100 * (1 - 10 ** (-step / 20)), ms: 10 + step }));
  return { kind: 'response' as const, name: 'response time', points: [...points, { percentile: 100, ms: 500 }] };
}
const listLabels = (decades: number): string[] =>
  [
    ...percentilesFigure({ kind: 'percentiles', title: 'Times', about: 'of all', lines: [formatLine(decades)], summary: '' }).text.matchAll(
      />(\S+\s%)<\/text>/g,
    ),
  ].map(([, label]) => label?.replace('\u00A0', ' ') ?? '');

it('percentilesFigure: labels only as many shares as fit', () => {
  expect(listLabels(3)).toEqual(['50 %', '90 %', '99 %']);
  expect(listLabels(7), 'of ten million').toEqual(['50 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %']);
});
