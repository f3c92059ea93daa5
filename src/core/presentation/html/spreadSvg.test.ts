import { expect, it } from 'vitest';
import { percentilesFigure } from './spreadSvg.ts';

/** Of n answers, at 20 places of each power of ten. */
function lineOf(decades: number) {
  const points = Array.from({ length: 20 * decades }, (_, step) => ({ percentile: 100 * (1 - 10 ** (-step / 20)), ms: 10 + step }));
  return { kind: 'response' as const, name: 'response time', points: [...points, { percentile: 100, ms: 500 }] };
}
const labelsOf = (decades: number): string[] =>
  [
    ...percentilesFigure({ kind: 'percentiles', title: 'Times', about: 'of all', lines: [lineOf(decades)], summary: '' }).text.matchAll(
      />(\S+\s%)<\/text>/g,
    ),
  ].map(([, label]) => label?.replace('\u00A0', ' ') ?? '');

it('names as many shares of the answers as have room beside each other', () => {
  expect(labelsOf(3)).toEqual(['50 %', '90 %', '99 %']);
  expect(labelsOf(7), 'of ten million').toEqual(['50 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %']);
});
