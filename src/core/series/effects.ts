import { meanOf } from '#core/statistics/trend.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatNumber } from '#core/base/units.ts';
import { factorNames } from './format.ts';
import { groupsAlike } from './fit.ts';
import { ENOUGH_REPEATS } from './noise.ts';
import type { Effect, SeriesRow } from './result.ts';

const MEASURES = ['throughput', 'p95'] as const;
type Measure = (typeof MEASURES)[number];

/** Differences that chance alone would make this often or more seldom matter: a table of factors asks many questions at once. */
const LEVEL = 0.01;
const PERMUTATIONS = 9_999;
const SEED = 1;

/**
 * What each value of a factor changes beside the first one, everything else alike: over all cells that differ in this factor alone. The unit is a
 * run; runs are permuted anew among the values within each such group of cells (a stratified permutation test), so that neither other factors
 * nor levels have a part in it.
 */
export function effectsOf(rows: readonly SeriesRow[]): Effect[] {
  return factorNames(rows).flatMap((factor) => {
    const values = [
      ...new Set(rows.flatMap((row) => (getOwn(row.factors, factor) === undefined ? [] : [String(getOwn(row.factors, factor))]))),
    ];
    const [reference, ...others] = values;
    if (reference === undefined) return [];
    return others.map((value) => effectOf(rows, { factor, reference, value }));
  });
}

interface Contrast {
  readonly factor: string;
  readonly reference: string;
  readonly value: string;
}

function effectOf(rows: readonly SeriesRow[], contrast: Contrast): Effect {
  const [throughput, p95] = MEASURES.map((measure) => changeOf(groupsOf(rows, contrast, measure)));
  return { ...contrast, throughput: throughput ?? null, p95: p95 ?? null, text: sentenceOf(contrast, throughput ?? null, p95 ?? null) };
}

type Change = Effect['throughput'];

/** Logarithms of a figure of the runs of cells that differ in the factor alone: those with the reference, and those with the value. */
interface Group {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function groupsOf(rows: readonly SeriesRow[], { factor, reference, value }: Contrast, measure: Measure): Group[] {
  return groupsAlike(rows, [factor]).flatMap((cells) => {
    const of = (wanted: string): number[] =>
      cells.filter(({ factors }) => String(getOwn(factors, factor)) === wanted).flatMap((row) => logarithmsOf(row, measure));
    const group = { from: of(reference), to: of(value) };
    return group.from.length > 0 && group.to.length > 0 ? [group] : [];
  });
}

function logarithmsOf({ runs }: SeriesRow, measure: Measure): number[] {
  return runs.flatMap(({ state, figures }) => {
    if (state !== 'value' || figures === null) return [];
    const value = measure === 'throughput' ? figures.okPerSecond : figures.p95;
    return typeof value === 'number' && value > 0 ? [Math.log(value)] : [];
  });
}

function changeOf(groups: readonly Group[]): Change {
  if (groups.length === 0) return null;
  const shift = meanShift(groups);
  const counts = groups.reduce((sum, { from, to }) => ({ from: sum.from + from.length, to: sum.to + to.length }), { from: 0, to: 0 });
  const ratio = Math.exp(shift);
  if (Math.min(counts.from, counts.to) < ENOUGH_REPEATS) return { ratio, judgement: 'tooFew' };
  return { ratio, judgement: probabilityOf(groups, Math.abs(shift)) <= LEVEL ? 'differs' : 'withinNoise' };
}

function meanShift(groups: readonly Group[]): number {
  return groups.reduce((sum, { from, to }) => sum + meanOf(to) - meanOf(from), 0) / groups.length;
}

/** How often permuting the runs within each group shifts the mean at least as far; the real order is one of them. */
function probabilityOf(groups: readonly Group[], observed: number): number {
  let drawn = 0;
  let far = 1;
  for (let permutation = 0; permutation < PERMUTATIONS; permutation += 1) {
    const permuted = groups.map(({ from, to }): Group => {
      const all = [...from, ...to];
      for (let last = all.length - 1; last > 0; last -= 1) {
        const chosen = Math.floor(uniformAt(SEED, drawn) * (last + 1));
        drawn += 1;
        [all[last], all[chosen]] = [all[chosen] ?? 0, all[last] ?? 0];
      }
      return { from: all.slice(0, from.length), to: all.slice(from.length) };
    });
    if (Math.abs(meanShift(permuted)) >= observed * (1 - 1e-9)) far += 1;
  }
  return far / (PERMUTATIONS + 1);
}

function sentenceOf({ factor, reference, value }: Contrast, throughput: Change, p95: Change): string {
  const what = `${factor} ${value} instead of ${reference}`;
  if (throughput === null && p95 === null) return `${what}: unknown, because no two measured cells differ in that alone.`;
  const told = [
    ...(throughput === null ? [] : [`successful responses a second ${formatNumber(throughput.ratio)} ×`]),
    ...(p95 === null ? [] : [`p95 ${formatNumber(p95.ratio)} ×`]),
  ].join(', ');
  const judgements = new Set([throughput, p95].map((change) => change?.judgement));
  if (judgements.has('differs')) return `${what}: it mattered: ${told}.`;
  return judgements.has('tooFew')
    ? `${what}: ${told}; too few runs to distinguish it from chance.`
    : `${what}: it did not matter: ${told}, which is smaller than noise.`;
}
