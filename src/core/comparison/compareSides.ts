import type { ComparedSide } from './comparedRun.ts';
import { dissimilarities } from './conditions.ts';
import { differencesOf, ENOUGH_RUNS } from './differences.ts';
import { reasonsOf, sentenceOf, wholeSide, type WholeSide } from './conclusion.ts';
import { between, refusals } from './refusal.ts';
import { COMPARISON_SCHEMA, type Aspect, type Comparison, type Dissimilarity, type Pair } from './schema.ts';

/** In how many of the pairs of their runs one side may have been first, before time itself may have made the difference. */
const MOST_IN_ORDER = 0.75;

/** Every side beside the first one. At least two sides, each with a run. */
export function compareSides(sides: readonly ComparedSide[], asked: Aspect | null): Comparison {
  const dissimilar = dissimilarities(sides.map(({ runs }) => runs.map(({ conditions }) => conditions)));
  return {
    schema: COMPARISON_SCHEMA,
    asked,
    sides: sides.map(({ name, runs }) => ({ name, runs: runs.map(({ figures: _figures, conditions: _conditions, ...head }) => head) })),
    dissimilar,
    pairs: sides.slice(1).map((_side, index) => pairOf({ sides, side: index + 1, dissimilar, asked })),
  };
}

interface PairInput {
  readonly sides: readonly ComparedSide[];
  readonly side: number;
  readonly dissimilar: readonly Dissimilarity[];
  readonly asked: Aspect | null;
}

function pairOf({ sides, side, dissimilar, asked }: PairInput): Pair {
  const first = wholeSide(sides[0]);
  const second = wholeSide(sides[side]);
  const differing = between(dissimilar, 0, side);
  const refused = refusals({ dissimilar: differing, asked, names: [first.name, second.name], places: [0, side] });
  const differences = differencesOf({
    first: first.whole.map(({ figures }) => figures),
    second: second.whole.map(({ figures }) => figures),
    isRefused: refused.length > 0,
  });
  const isEnough = Math.min(first.whole.length, second.whole.length) >= ENOUGH_RUNS;
  const claimed = differences.filter(({ judgement }) => judgement === 'differs');
  const conclusion = refused.length > 0 ? 'refused' : isEnough ? (claimed.length > 0 ? 'differs' : 'withinNoise') : 'tooFew';
  const isInterleaved = isEnough ? areInTurn(first, second) : null;
  return {
    reference: 0,
    side,
    conclusion,
    sentence: sentenceOf(conclusion, { first, second, claimed, differences }),
    reasons: [...refused, ...reasonsOf({ first, second, differing, asked, isInterleaved, differences, isRefused: refused.length > 0 })],
    isInterleaved,
    differences,
  };
}

/** Whether neither side was made mostly before the other: the share of pairs in which the first side's run began first. */
function areInTurn(first: WholeSide, second: WholeSide): boolean {
  const pairs = first.whole.flatMap((one) => second.whole.map((other) => (one.startedAt < other.startedAt ? 1 : 0)));
  const share = pairs.reduce<number>((sum, isFirst) => sum + isFirst, 0) / pairs.length;
  return share <= MOST_IN_ORDER && share >= 1 - MOST_IN_ORDER;
}
