import { APDEX_SAMPLES } from '#core/review/checks/criteria.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { overloadedGeneratorNames } from '#core/result/generatorNames.ts';
import { apdexWord } from '#core/statistics/apdex.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { CONFIDENCE } from '#core/statistics/bounds.ts';
import { failingFrom } from '#core/statistics/missedFrom.ts';
import type { JudgeInput, Judgement, Scope } from '../input.ts';
import { type DoubtfulBlock, type OtherLimits, reading, withoutDoubt } from '../shareLimit.ts';
import { blocksOver, countedIn, otherLimits, noneCounted } from './counts.ts';

/** Both shares must be right at once, so each gets half of the error probability (Bonferroni). */
const EACH_CONFIDENCE = 1 - (1 - CONFIDENCE) / 2;

/**
 * Apdex_T = (satisfied + tolerating / 2) / all = 1 − (share slower than T + share slower than 4T) / 2, with failures counted as slower (Apdex specification
 * 1.1). The bounds are combined from the exact bounds of the two shares.
 */
export function judgeApdex(criterion: Extract<Criterion, { kind: 'apdex' }>, input: JudgeInput, { stage, step }: Scope): Judgement {
  const cell = input.evidence.of(stage, step ?? 0);
  const notSatisfied = blocksOver(cell, criterion.thresholdMs, input);
  const frustrated = blocksOver(cell, 4 * criterion.thresholdMs, input);
  const counted = countedIn(notSatisfied);
  const things = criterion.of ?? 'requests';
  const facts = { limit: criterion.min, unit: 'apdex', counted, over: null, shareLow: null, shareHigh: null } as const;
  if (counted === 0) {
    return {
      ...facts,
      outcome: 'unknown',
      unknownBecause: 'notMeasured',
      measured: null,
      reason: noneCounted(things),
      fromSecond: null,
    };
  }
  const measured = apdexOf(notSatisfied, frustrated, counted, strictly);
  const few = counted < APDEX_SAMPLES ? ` It rests on fewer than ${APDEX_SAMPLES} ${things}.` : '';
  const found = `Apdex ${measured.toFixed(2)} (${apdexWord(measured)}) for ${formatMs(criterion.thresholdMs)} from ${formatCount(counted)} ${things}, ${criterion.min.toFixed(2)} required`;
  const shares = [
    { blocks: notSatisfied, others: otherLimits(cell, criterion.thresholdMs) },
    { blocks: frustrated, others: otherLimits(cell, 4 * criterion.thresholdMs) },
  ];
  const lenient = decide(criterion.min, shares, leniently);
  const strict = decide(criterion.min, shares, strictly);
  const certain = (): Judgement['outcome'] =>
    decide(
      criterion.min,
      shares.map((share) => withoutDoubt(share.blocks, share.others)),
      leniently,
    );
  if (lenient !== strict || (strict === 'unknown' && notSatisfied.some(({ maybe }) => maybe > 0) && certain() === 'passed')) {
    const reason = `${found}. Slow seconds of ${overloadedGeneratorNames(input.generators)} may be the cause, and whether they count decides the outcome.`;
    return { ...facts, outcome: 'unknown', unknownBecause: 'generator', measured, reason, fromSecond: null };
  }
  if (strict === 'unknown') {
    const because = counted < APDEX_SAMPLES ? 'tooFew' : 'tooClose';
    return { ...facts, outcome: strict, unknownBecause: because, measured, reason: `${found}: too close to call.${few}`, fromSecond: null };
  }
  const excess = notSatisfied.map((block, index) => {
    const late = frustrated[index];
    return { second: block.second, amount: (strictly(block) + (late ? strictly(late) : 0)) / 2 - (1 - criterion.min) * block.counted };
  });
  return {
    ...facts,
    outcome: strict,
    unknownBecause: null,
    measured,
    reason: `${found}.${few}`,
    fromSecond: strict === 'failed' ? failingFrom(excess) : null,
  };
}

const strictly = ({ surely, maybe }: DoubtfulBlock): number => surely + maybe;
const leniently = ({ surely }: DoubtfulBlock): number => surely;

type Over = (block: DoubtfulBlock) => number;

interface Share {
  readonly blocks: readonly DoubtfulBlock[];
  readonly others: OtherLimits;
}

/** `shares`: not satisfied, and frustrated. */
function decide(min: number, shares: readonly Share[], over: Over): Judgement['outcome'] {
  const bounds = shares.map(({ blocks, others }) => reading(blocks, over, EACH_CONFIDENCE, others).bounds);
  if (1 - bounds.reduce((sum, { high }) => sum + high, 0) / 2 >= min) return 'passed';
  return 1 - bounds.reduce((sum, { low }) => sum + low, 0) / 2 < min ? 'failed' : 'unknown';
}

function apdexOf(notSatisfied: readonly DoubtfulBlock[], frustrated: readonly DoubtfulBlock[], counted: number, over: Over): number {
  const sum = (blocks: readonly DoubtfulBlock[]): number => blocks.reduce((total, block) => total + over(block), 0);
  return 1 - (sum(notSatisfied) + sum(frustrated)) / (2 * counted);
}
