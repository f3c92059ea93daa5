import { formatNumber, GOOD_PER_SECOND } from '#core/base/units.ts';
import { type Level, levelName, levelsName } from './levels.ts';
import { ENOUGH_REPEATS, judgeDifference, type NoiseJudgement } from './noise.ts';
import type { Difference, SeriesResult, SeriesRow } from './result.ts';

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
  const judgement = judgeDifference(valuesOf(reference, measure), valuesOf(row, measure));
  const found = { level, reference: first, variant, measure, ratio: to / from, judgement };
  return [{ ...found, text: differenceWords(found, level, [found.ratio]) }];
}

function valuesOf({ runs }: SeriesRow, measure: Measure): number[] {
  return runs.flatMap(({ state, figures }) => {
    if (state !== 'value' || figures === null) return [];
    const value = measure === 'throughput' ? figures.okPerSecond : figures.p95;
    return typeof value === 'number' ? [value] : [];
  });
}

/** What is said of a variant, of one level or of several. */
export interface SaidDifference {
  readonly judgement: NoiseJudgement;
  readonly text: string;
}

/** The differences in sentences, in their order. What is the same at several levels, in the same direction where it is no chance, is said once for all of them. */
export function saidDifferences({ differences, rows }: Pick<SeriesResult, 'differences' | 'rows'>): SaidDifference[] {
  const levels = new Map<string, Level>(rows.map(({ level }) => [levelName(level), level]));
  const alike = Map.groupBy(differences, ({ variant, measure, judgement, ratio }) =>
    JSON.stringify([variant, measure, judgement, judgement === 'differs' && ratio > 1]),
  );
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const at = levelsName(group.map(({ level }) => levels.get(level) ?? {}));
    const ratios = group.map(({ ratio }) => ratio);
    return [{ judgement: first.judgement, text: differenceWords(first, at, ratios) }];
  });
}

const JUDGEMENT_WORDS: Readonly<Record<NoiseJudgement, string>> = {
  differs: 'beyond normal run-to-run variation.',
  withinNoise: 'within normal run-to-run variation.',
  tooFew: `too few repeats to distinguish it from chance (${ENOUGH_REPEATS} of each are needed).`,
};

function differenceWords(
  { variant, reference, measure, judgement }: Omit<Difference, 'text'>,
  levels: string,
  ratios: readonly number[],
): string {
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(formatNumber);
  const at = levels === '' ? '' : ` at ${levels}`;
  const [what, of] = measure === 'throughput' ? [GOOD_PER_SECOND, 'those'] : ['p95', 'that'];
  return `“${variant}”${at}: ${what} ${least === most ? least : `${least} to ${most}`} × ${of} of “${reference}”; ${JUDGEMENT_WORDS[judgement]}`;
}
