import { meanOf } from '#core/statistics/trend.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { GOOD_PER_SECOND } from '#core/base/units.ts';
import { type Measure, MEASURES, formatRelation } from './differences.ts';
import { factorNames } from './format.ts';
import { groupsAlike } from './fit.ts';
import { MIN_REPEATS } from './noise.ts';
import type { Effect, SeriesRow } from './result.ts';

/** Significance level. It is low, because a table of factors makes many tests at once. */
const SIGNIFICANCE_LEVEL = 0.01;
const PERMUTATIONS = 9_999;
const SEED = 1;

/**
 * Compares each value of a factor with the first one, over all cells that differ only in this factor. Uses a stratified permutation test:
 * runs are permuted among the values within each group of such cells, so that other factors and levels have no influence. If variants with
 * the same factors differ in something else, that may be the cause, so their cells give no effect.
 */
export function listEffects(rows: readonly SeriesRow[]): Effect[] {
  return factorNames(rows).flatMap((factor) => {
    const values = [
      ...new Set(rows.flatMap((row) => (getOwn(row.factors, factor) === undefined ? [] : [String(getOwn(row.factors, factor))]))),
    ];
    const [reference, ...others] = values;
    if (reference === undefined) return [];
    return others.map((value) => measureEffect(rows, { factor, reference, value }));
  });
}

interface Contrast {
  readonly factor: string;
  readonly reference: string;
  readonly value: string;
}

function measureEffect(rows: readonly SeriesRow[], contrast: Contrast): Effect {
  const groups = groupsAlike(rows, [contrast.factor])
    .map((cells) => pairCells(cells, contrast))
    .filter(({ from, to }) => from.length > 0 && to.length > 0);
  const comparable = groups.filter((group) => findUnnamedDifference(group) === null);
  const [throughput = null, p95 = null] = MEASURES.map((measure) =>
    computeChange(comparable.flatMap((group) => listValues(group, measure))),
  );
  const twins = comparable.length > 0 ? null : (groups.map(findUnnamedDifference).find((found) => found !== null) ?? null);
  return { ...contrast, throughput, p95, text: writeSentence(contrast, { throughput, p95, twins }) };
}

type Change = Effect['throughput'];

/** Cells that differ only in the factor: those with the reference value, and those with the other value. */
interface Sides<Part> {
  readonly from: readonly Part[];
  readonly to: readonly Part[];
}

function pairCells(cells: readonly SeriesRow[], { factor, reference, value }: Contrast): Sides<SeriesRow> {
  const cellsWithFactor = (wanted: string) => cells.filter(({ factors }) => String(getOwn(factors, factor)) === wanted);
  return { from: cellsWithFactor(reference), to: cellsWithFactor(value) };
}

/**
 * Returns the names of two variants with the same factors on one side that differ in something that no factor names; null if there are
 * none.
 */
function findUnnamedDifference({ from, to }: Sides<SeriesRow>): readonly [string, string] | null {
  for (const side of [from, to]) {
    const [one, other] = new Set(side.map(({ variant }) => variant ?? ''));
    if (one !== undefined && other !== undefined) return [one, other];
  }
  return null;
}

/** Returns a figure of all complete runs on both sides. Returns none if a run lacks it, because the rest would be a biased selection. */
function listValues({ from, to }: Sides<SeriesRow>, measure: Measure): Sides<number>[] {
  const [before, after] = [from, to].map((side) => side.flatMap((row) => computeFigures(row, measure)));
  if (before === undefined || after === undefined || before.length === 0 || after.length === 0) return [];
  const isNumber = (value: number | null) => value !== null;
  return before.every(isNumber) && after.every(isNumber) ? [{ from: before, to: after }] : [];
}

function computeFigures({ runs }: SeriesRow, measure: Measure): (number | null)[] {
  return runs.flatMap(({ state, figures }) => {
    if (state !== 'value' || figures === null) return [];
    const value = measure === 'throughput' ? figures.okPerSecond : figures.p95;
    return [typeof value === 'number' ? value : null];
  });
}

function computeChange(groups: readonly Sides<number>[]): Change {
  if (groups.length === 0) return null;
  const share = meanShare(groups);
  const counts = groups.reduce((sum, { from, to }) => ({ from: sum.from + from.length, to: sum.to + to.length }), { from: 0, to: 0 });
  const ratio = share === 1 ? null : share / (1 - share);
  if (Math.min(counts.from, counts.to) < MIN_REPEATS) return { ratio, judgement: 'tooFew' };
  return { ratio, judgement: computeProbability(groups, Math.abs(share - EQUAL_SHARE)) <= SIGNIFICANCE_LEVEL ? 'differs' : 'withinNoise' };
}

/** Share of each side if the two sides are equal. */
const EQUAL_SHARE = 0.5;

/** Returns the mean over the groups of to / (from + to). A ratio r gives r / (1 + r), which is defined even for a rate of 0. */
function meanShare(groups: readonly Sides<number>[]): number {
  return meanOf(
    groups.map(({ from, to }) => {
      const [before, after] = [meanOf(from), meanOf(to)];
      return before + after === 0 ? EQUAL_SHARE : after / (before + after);
    }),
  );
}

/**
 * Returns the probability of at least this difference when runs are permuted within each group. The real order counts as one permutation.
 */
function computeProbability(groups: readonly Sides<number>[], observed: number): number {
  let drawn = 0;
  let far = 1;
  for (let permutation = 0; permutation < PERMUTATIONS; permutation += 1) {
    const permuted = groups.map(({ from, to }): Sides<number> => {
      const all = [...from, ...to];
      for (let last = all.length - 1; last > 0; last -= 1) {
        const chosen = Math.floor(uniformAt(SEED, drawn) * (last + 1));
        drawn += 1;
        [all[last], all[chosen]] = [all[chosen] ?? 0, all[last] ?? 0];
      }
      return { from: all.slice(0, from.length), to: all.slice(from.length) };
    });
    if (Math.abs(meanShare(permuted) - EQUAL_SHARE) >= observed * (1 - 1e-9)) far += 1;
  }
  return far / (PERMUTATIONS + 1);
}

interface MeasuredEffect {
  readonly throughput: Change;
  readonly p95: Change;
  readonly twins: readonly [string, string] | null;
}

function writeSentence({ factor, reference, value }: Contrast, { throughput, p95, twins }: MeasuredEffect): string {
  const what = `${factor} ${value} instead of ${reference}`;
  if (twins !== null)
    return `${what}: unknown, because “${twins[0]}” and “${twins[1]}” have the same factors although they differ. Name what differs as a factor of its own.`;
  if (throughput === null && p95 === null) return `${what}: unknown, because no two measured cells differ in that alone.`;
  const changes = [
    ...(throughput === null ? [] : [formatThroughputChange(throughput.ratio)]),
    ...(p95?.ratio == null ? [] : [`p95 ${formatRelation('p95', [p95.ratio])}`]),
  ].join(', ');
  const judgements = new Set([throughput, p95].map((change) => change?.judgement));
  if (judgements.has('differs')) return `${what}: ${changes}; more than run-to-run noise.`;
  return judgements.has('tooFew')
    ? `${what}: ${changes}; too few runs to distinguish it from chance.`
    : `${what}: no effect beyond run-to-run noise (${changes}).`;
}

function formatThroughputChange(ratio: number | null): string {
  if (ratio === null) return 'successful responses instead of none';
  return ratio === 0 ? 'no successful responses' : `${formatRelation('throughput', [ratio])} ${GOOD_PER_SECOND}`;
}
