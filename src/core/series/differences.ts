import { formatNumber } from '#core/base/units.ts';
import { levelName } from './levels.ts';
import { ENOUGH_REPEATS, judgeDifference, type NoiseJudgement } from './noise.ts';
import type { Difference, SeriesRow } from './result.ts';

const MEASURES = ['throughput', 'p95'] as const;
type Measure = (typeof MEASURES)[number];

/**
 * Every variant beside the first one at the same level, in good answers a second (a proxy that gives everything up answers quickly too) and in p95. None where either has no
 * whole run.
 */
export function differencesOf(rows: readonly SeriesRow[]): Difference[] {
  const first = rows[0]?.variant ?? null;
  if (first === null) return [];
  return rows.flatMap((row) => {
    const { variant } = row;
    if (variant === null || variant === first) return [];
    const level = levelName(row.level);
    const reference = rows.find((other) => other.variant === first && levelName(other.level) === level);
    return reference === undefined ? [] : MEASURES.flatMap((measure) => differenceOf({ reference, row, variant, first, level, measure }));
  });
}

interface Pair {
  readonly reference: SeriesRow;
  readonly row: SeriesRow;
  readonly variant: string;
  readonly first: string;
  readonly level: string;
  readonly measure: Measure;
}

function differenceOf({ reference, row, variant, first, level, measure }: Pair): Difference[] {
  const figure = measure === 'throughput' ? 'okPerSecond' : measure;
  const from = reference[figure]?.median ?? 0;
  const to = row[figure]?.median;
  if (from <= 0 || to === undefined) return [];
  const ratio = to / from;
  const judgement = judgeDifference(valuesOf(reference, measure), valuesOf(row, measure));
  const at = level === '' ? '' : ` at ${level}`;
  const what = measure === 'throughput' ? 'good answers a second' : 'the time of 19 of 20 (p95)';
  return [
    {
      level,
      reference: first,
      variant,
      measure,
      ratio,
      judgement,
      text: `“${variant}”${at}: ${what} ${formatNumber(ratio)} × those of “${first}”; ${JUDGEMENT_WORDS[judgement]}`,
    },
  ];
}

const JUDGEMENT_WORDS: Readonly<Record<NoiseJudgement, string>> = {
  differs: 'more than runs of the same cell differ among themselves.',
  withinNoise: 'within the difference between runs of the same cell.',
  tooFew: `too few repeats to tell it from chance (${ENOUGH_REPEATS} of each would).`,
};

function valuesOf({ runs }: SeriesRow, measure: Measure): number[] {
  return runs.flatMap(({ state, figures }) => {
    if (state !== 'value' || figures === null) return [];
    const value = measure === 'throughput' ? figures.okPerSecond : figures.p95;
    return typeof value === 'number' ? [value] : [];
  });
}
