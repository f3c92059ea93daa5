import { formatCount } from '#core/base/units.ts';
import type { ComparedSide } from './comparedRun.ts';
import { selectBetween, findDissimilarities, planRefusals, listRefusals } from './refusal.ts';
import { listDifferences, MIN_RUNS_PER_SIDE, isPredictable } from './differences.ts';
import { listReasons, writeSentence, requireCompleteSide, type MeasuredSide } from './conclusion.ts';
import { type Aspect, type Comparison, COMPARISON_SCHEMA, type Dissimilarity, type Pair } from './schema.ts';

/** Maximum share of run pairs in which one side's run was first. Above it, changes over time may explain a difference. */
const MAX_FIRST_SHARE = 0.75;

/** Compares every side with the first one. Needs at least two sides, each with a run. */
export function compareSides(sides: readonly ComparedSide[], asked: Aspect | null): Comparison {
  return buildComparison(sides, asked, false);
}

/**
 * Compares runs with their baseline. They must be of the same plan. A single run suffices if the baseline has enough runs to show their
 * variation.
 */
export function compareWithBaseline(baseline: ComparedSide, now: ComparedSide): Comparison {
  return buildComparison([baseline, now], null, true);
}

function buildComparison(sides: readonly ComparedSide[], asked: Aspect | null, isBaseline: boolean): Comparison {
  const dissimilar = findDissimilarities(sides.map(({ runs }) => runs.map(({ conditions }) => conditions)));
  return {
    schema: COMPARISON_SCHEMA,
    asked,
    sides: sides.map(({ name, runs }) => ({ name, runs: runs.map(({ figures: _figures, conditions: _conditions, ...head }) => head) })),
    dissimilar,
    pairs: sides.slice(1).map((_side, index) => comparePair({ sides, side: index + 1, dissimilar, asked, isBaseline })),
  };
}

interface PairInput {
  readonly sides: readonly ComparedSide[];
  readonly side: number;
  readonly dissimilar: readonly Dissimilarity[];
  readonly asked: Aspect | null;
  /** Whether the first side is a baseline: see {@link compareWithBaseline}. */
  readonly isBaseline: boolean;
}

function comparePair({ sides, side, dissimilar, asked, isBaseline }: PairInput): Pair {
  const first = requireCompleteSide(sides[0]);
  const second = requireCompleteSide(sides[side]);
  const differing = selectBetween(dissimilar, 0, side);
  const plans = isBaseline ? planRefusals(differing) : [];
  const refused =
    plans.length > 0 ? plans : listRefusals({ dissimilar: differing, asked, names: [first.name, second.name], places: [0, side] });
  const differences = listDifferences({
    first: first.whole.map(({ figures }) => figures),
    second: second.whole.map(({ figures }) => figures),
    isRefused: refused.length > 0,
    mayPredict: isBaseline,
  });
  const isEnough = Math.min(first.whole.length, second.whole.length) >= MIN_RUNS_PER_SIDE;
  const claimed = differences.filter(({ judgement }) => judgement === 'differs');
  const isPredicted = isBaseline && isPredictable(first.whole.length, second.whole.length);
  const conclusion = refused.length > 0 ? 'refused' : isEnough || isPredicted ? (claimed.length > 0 ? 'differs' : 'withinNoise') : 'tooFew';
  const isInterleaved = isEnough ? areInterleaved(first, second) : null;
  return {
    reference: 0,
    side,
    conclusion,
    sentence: writeSentence(conclusion, { first, second, claimed, differences, isBaseline }),
    reasons: [
      ...refused,
      ...(isPredicted && refused.length === 0 ? [formatPrediction(first, second)] : []),
      ...listReasons({ first, second, differing, asked, isInterleaved, differences, isRefused: refused.length > 0 }),
    ],
    isInterleaved,
    differences,
  };
}

function formatPrediction(first: MeasuredSide, second: MeasuredSide): string {
  const few = second.whole.length === 1 ? 'One run is' : `${formatCount(second.whole.length)} runs are`;
  return `${few} held against how far the ${formatCount(first.whole.length)} of “${first.name}” are apart. They were made at another time, so whatever else changed since is part of the difference.`;
}

/** Returns whether the sides alternated: the share of pairs in which the first side's run began first is not extreme. */
function areInterleaved(first: MeasuredSide, second: MeasuredSide): boolean {
  const pairs = first.whole.flatMap((one) => second.whole.map((other) => (one.startedAt < other.startedAt ? 1 : 0)));
  const share = pairs.reduce<number>((sum, isFirst) => sum + isFirst, 0) / pairs.length;
  return share <= MAX_FIRST_SHARE && share >= 1 - MAX_FIRST_SHARE;
}
