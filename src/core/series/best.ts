import { ENOUGH_REPEATS, judgeDifference } from './noise.ts';
import type { SeriesResult, SeriesRow } from './result.ts';

/** Which cell did best, as far as it can be told. */
export interface Best {
  /** Set only where the repeats suffice to tell it from every other. */
  readonly best: SeriesResult['best'];
  /** Why none is marked although one led; null where there is nothing to say. */
  readonly note: string | null;
}

/**
 * The cell with the most good answers a second, among those whose every run ended by itself and missed no objective. It is marked only
 * when it is more than chance: enough repeats, and from each other one a difference that the rank-sum test calls real.
 */
export function bestOf(rows: readonly SeriesRow[], hasEnded: boolean): Best {
  if (!hasEnded) return { best: null, note: null };
  const eligible = rows.filter(isEligible).toSorted((one, other) => (other.okPerSecond?.median ?? 0) - (one.okPerSecond?.median ?? 0));
  const [first, ...others] = eligible;
  if (rows.length === 1 || rows.every(({ values }) => values === 0)) return { best: null, note: null };
  if (first === undefined || (first.okPerSecond?.median ?? 0) === 0)
    return { best: null, note: 'No cell ran to its end without missing an objective, so none is called the best.' };
  const led = `“${first.cell}” gave the most good answers a second`;
  if (first.values < ENOUGH_REPEATS)
    return {
      best: null,
      note: `${led}; with fewer than ${ENOUGH_REPEATS} repeats of each cell that may be chance, so none is called the best.`,
    };
  const near = others.filter((other) => judgeDifference(goodRates(first), goodRates(other)) !== 'differs');
  if (near.length > 0)
    return {
      best: null,
      note: `${led}, but not so many more that chance is ruled out beside ${near.map(({ cell }) => `“${cell}”`).join(', ')}.`,
    };
  return {
    best: {
      cell: first.cell,
      reason: `It gave the most good answers a second of all cells that ran to their end and missed no objective, in ${first.values} repeats more than chance would.`,
    },
    note: null,
  };
}

function isEligible({ runs, values }: SeriesRow): boolean {
  return (
    values > 0 && values === runs.length && runs.every(({ figures }) => figures?.outcome === 'holds' || figures?.outcome === 'measured')
  );
}

function goodRates({ runs }: SeriesRow): number[] {
  return runs.flatMap(({ figures }) => (figures?.okPerSecond == null ? [] : [figures.okPerSecond]));
}
