import { formatMs, formatNumber, formatPercent, GOOD_PER_SECOND } from '#core/base/units.ts';
import { formatDuet, type DuetResult } from '#core/result/duet.ts';
import { type LevelChange, levelName, levelsName } from './levels.ts';
import { MIN_REPEATS, judgeDifference, type NoiseJudgement } from './noise.ts';
import type { Difference, SeriesResult, SeriesRow } from './result.ts';

/**
 * Compares every variant with the first one at the same level, by successful responses per second and by p95. Responses must be successful,
 * because a proxy that times out everything is quick, too. Omits cells without a complete run.
 */
export function listDifferences(rows: readonly SeriesRow[]): Difference[] {
  const first = rows[0]?.variant ?? null;
  if (first === null) return [];
  return rows.flatMap((row) => {
    const { variant } = row;
    if (variant === null || variant === first) return [];
    const level = levelName(row.level);
    const reference = rows.find((other) => other.variant === first && levelName(other.level) === level);
    return reference === undefined
      ? []
      : MEASURES.flatMap((measure) => pairDifferences({ reference, row, variant, first, level, measure }));
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

function pairDifferences({ reference, row, variant, first, level, measure }: Pair): Difference[] {
  const figure = figureOf(measure);
  const from = reference[figure]?.median;
  const to = row[figure]?.median;
  if (from === undefined || to === undefined) return [];
  const judgement = judgeDifference(listValues(reference, measure), listValues(row, measure));
  const found = { level, reference: first, variant, measure, ratio: from > 0 ? to / from : to > 0 ? null : 1, judgement };
  return [{ ...found, text: formatDifference(found, level, [found.ratio], [to, from]) }];
}

function figureOf(measure: Measure): 'okPerSecond' | 'p95' {
  return measure === 'throughput' ? 'okPerSecond' : 'p95';
}

function listValues({ runs }: SeriesRow, measure: Measure): number[] {
  return runs.flatMap(({ state, figures }) => {
    if (state !== 'value' || figures === null) return [];
    const value = figures[figureOf(measure)];
    return typeof value === 'number' ? [value] : [];
  });
}

/** A sentence about a variant at one or several levels. */
export interface StatedDifference {
  readonly judgement: NoiseJudgement;
  readonly text: string;
}

/** Returns the differences as sentences, in order. Levels with the same result and direction share a sentence. */
export function listStatedDifferences({ differences, rows }: Pick<SeriesResult, 'differences' | 'rows'>): StatedDifference[] {
  const duets = rows.flatMap((row) => row.runs.flatMap(({ figures }) => (figures?.duet == null ? [] : [stateDuet(figures.duet, row)])));
  if (duets.length > 0) return duets;
  const levels = new Map<string, LevelChange>(rows.map(({ level }) => [levelName(level), level]));
  const alike = Map.groupBy(differences, ({ variant, measure, judgement, ratio }) =>
    JSON.stringify([variant, measure, judgement, judgement === 'differs' && describeDirection(ratio)]),
  );
  return [...alike.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    if (others.length === 0) return [{ judgement: first.judgement, text: first.text }];
    const at = levelsName(group.map(({ level }) => levels.get(level) ?? {}));
    const ratios = group.map(({ ratio }) => ratio);
    return [{ judgement: first.judgement, text: formatDifference(first, at, ratios, null) }];
  });
}

function stateDuet(duet: DuetResult, { level }: SeriesRow): StatedDifference {
  const at = levelName(level);
  const judgement = duet.conclusion === 'inconclusive' ? 'tooFew' : duet.conclusion === 'noDifference' ? 'withinNoise' : 'differs';
  return { judgement, text: `${at === '' ? '' : `At ${at}: `}${formatDuet(duet)}` };
}

/** Describes the direction of a difference. There are separate texts for ratios that are 0 or unknown. */
function describeDirection(ratio: number | null): string {
  return ratio === null || ratio === 0 ? String(ratio) : ratio > 1 ? 'more' : 'less';
}

const UNIT_TEXTS: Readonly<Record<Measure, string>> = { throughput: GOOD_PER_SECOND, p95: 'p95' };

/** Formats a difference. `medians`: those of the variant and the reference; null if levels share a sentence. */
function formatDifference(
  { variant, reference, measure, judgement }: Omit<Difference, 'text'>,
  levels: string,
  ratios: readonly (number | null)[],
  medians: readonly number[] | null,
): string {
  const at = levels === '' ? '' : `At ${levels}, `;
  const [one, other] = [`“${variant}”`, `“${reference}”`];
  const figures = medians === null ? '' : ` (${medians.map((value) => formatMeasure(measure, value)).join(' vs ')})`;
  const noise = judgement === 'tooFew' ? '' : ' beyond run-to-run noise';
  const isSame = ratios.every((ratio) => ratio === 1);
  if (judgement === 'withinNoise' || isSame) return `${at}${one} and ${other} do not differ in ${UNIT_TEXTS[measure]}${noise}${figures}.`;
  const chance =
    judgement === 'differs' ? 'more than run-to-run noise.' : `which may be chance: ${MIN_REPEATS} runs of each are needed to decide.`;
  const known = ratios.filter((ratio) => ratio !== null);
  if (known.length < ratios.length) return `${at}${one} has successful responses, ${other} has none, ${chance}`;
  if (known.every((ratio) => ratio === 0)) return `${at}${one} has no successful responses, ${other} has some, ${chance}`;
  const relation = formatRelation(measure, known);
  const conjunction = / as /.test(` ${relation}`) ? 'as' : 'than';
  return measure === 'throughput'
    ? `${at}${one} has ${relation} ${UNIT_TEXTS[measure]} ${conjunction} ${other}${figures}, ${chance}`
    : `${at}p95 is ${relation} with ${one} ${conjunction} with ${other}${figures}, ${chance}`;
}

export const MEASURES = ['throughput', 'p95'] as const;
/** `throughput` counts only successful responses, because a proxy that refuses everything responds quickly, too. */
export type Measure = (typeof MEASURES)[number];

/** Ratio from which a change is written as a multiple: "3.4 times as many" is clearer than "240 % more". */
const MIN_MULTIPLE = 1.9;

const RELATION_TEXTS: Readonly<
  Record<Measure, { readonly more: string; readonly less: string; readonly equal: string; readonly times: string }>
> = {
  throughput: { more: 'more', less: 'fewer', equal: 'as many', times: 'times as many' },
  p95: { more: 'higher', less: 'lower', equal: 'equal', times: 'times as high' },
};

/** Examples: "19 % lower", "3.4 times as many", "20 % to 31 % fewer". All ratios must be on one side of 1. */
export function formatRelation(measure: Measure, ratios: readonly number[]): string {
  const { more, less, equal, times } = RELATION_TEXTS[measure];
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  if (highest >= MIN_MULTIPLE) return `${range(lowest, highest, formatNumber)} ${times}`;
  const [from, to] = highest < 1 ? [1 - highest, 1 - lowest] : [lowest - 1, highest - 1];
  const changed = range(from, to, (share) => formatPercent(share, 2));
  return Number.parseFloat(changed) === 0 ? equal : `${changed} ${highest < 1 ? less : more}`;
}

function range(lowest: number, highest: number, format: (value: number) => string): string {
  const [from, to] = [format(lowest), format(highest)];
  return from === to ? from : `${from} to ${to}`;
}

function formatMeasure(measure: Measure, value: number): string {
  return measure === 'throughput' ? formatNumber(value) : formatMs(value);
}
