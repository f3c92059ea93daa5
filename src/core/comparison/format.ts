import { formatCount } from '#core/base/units.ts';
import type { Comparison, Dissimilarity, FigureDifference, Pair } from './schema.ts';
import { ASPECT_WORDS, changeWords, formatFigure, intervalWords, JUDGEMENT_WORDS, MEASURE_WORDS, scopeWords } from './words.ts';

/** The table of a pair as cells of text, a heading first. */
export function pairTable({ sides }: Pick<Comparison, 'sides'>, { reference, side, differences }: Pair): string[][] {
  return [
    ['of', 'figure', sides[reference]?.name ?? '', sides[side]?.name ?? '', 'change', '99 % interval', ''],
    ...differences.map((one) => [
      scopeWords(one.scope),
      MEASURE_WORDS[one.measure],
      spreadWords(one, 'from'),
      spreadWords(one, 'to'),
      one.change === null ? '–' : changeWords(one.change, one),
      intervalWords(one) ?? '–',
      judgementWords(one),
    ]),
  ];
}

/** "differs: worse", "smaller than noise". */
export function judgementWords({ judgement, direction }: Pick<FigureDifference, 'judgement' | 'direction'>): string {
  return judgement === 'differs' && direction !== null ? direction : JUDGEMENT_WORDS[judgement];
}

/** The median of a side, and from least to most where it has several runs; "–" where a run does not tell it. */
export function spreadWords({ measure, ...both }: FigureDifference, which: 'from' | 'to'): string {
  const spread = both[which];
  if (spread === null) return '–';
  const { median, least, most } = spread;
  const middle = formatFigure(median, measure);
  return least === most ? middle : `${middle} (${formatFigure(least, measure)} to ${formatFigure(most, measure)})`;
}

/** What is not the same in all runs, one line each: "the load: load.stages[1].connections: 10 / 20". */
export function dissimilarityWords({ aspect, what, values }: Dissimilarity): string {
  return `${ASPECT_WORDS[aspect]}: ${what}: ${values.map((side) => side.join(', ')).join(' / ')}`;
}

/** "“before” (5 runs) against “after” (5 runs)". */
export function comparisonTitle({ sides }: Pick<Comparison, 'sides'>): string {
  return sides.map(({ name, runs }) => `“${name}” (${formatCount(runs.length)} ${runs.length === 1 ? 'run' : 'runs'})`).join(' against ');
}
