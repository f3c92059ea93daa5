import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { formatOverload } from '#core/result/generatorNames.ts';
import type { StageTime } from '#core/result/stageTimes.ts';
import { formatNumber, formatSeconds, GOOD_PER_SECOND } from '#core/base/units.ts';
import type { LoadedBlock } from '../evidence.ts';
import { findFailingSecond } from '#core/statistics/latency.ts';
import { isComplete, type JudgeInput, type Judgement, completeJudgement, type Scope } from '../input.ts';

/** Minimum number of seconds of a run that was cut short in which throughput can fail, because the load rises in the first seconds. */
const MIN_SECONDS = 5;

/**
 * Judges "at least 200 requests/s": successful responses per second while the load of the stage was running. An overloaded generator only
 * reduces throughput. A rate that was reached is therefore a lower bound and passes; a missed rate is unknown.
 */
export function judgeThroughput(criterion: Extract<Criterion, { kind: 'throughput' }>, input: JudgeInput, scope: Scope): Judgement {
  const rate = goodRate(input, scope);
  const facts = { limit: criterion.minPerSecond, unit: 'perSecond', measured: rate?.perSecond ?? null } as const;
  if (rate === null) return completeJudgement({ ...facts, outcome: 'unknown', unknownBecause: 'notMeasured', reason: 'No usable data.' });
  const { perSecond, seconds, isOverloaded } = rate;
  const found = `${formatNumber(perSecond)} ${GOOD_PER_SECOND} over ${formatSeconds(seconds)}, ${formatNumber(criterion.minPerSecond)} required`;
  const slow = `${capitalizeStart(formatOverload(input.generators))} at times, so real throughput may be higher.`;
  const reason = isOverloaded ? `${found}. ${slow}` : `${found}.`;
  if (perSecond >= criterion.minPerSecond) return completeJudgement({ ...facts, outcome: 'passed', reason });
  if (isOverloaded) return completeJudgement({ ...facts, outcome: 'unknown', unknownBecause: 'generator', reason });
  if (!isComplete(input) && seconds < MIN_SECONDS)
    return completeJudgement({ ...facts, outcome: 'unknown', unknownBecause: 'tooFew', reason: `${found}. That is too short to decide.` });
  const blocks = rate.blocks.map(({ second, width, ok }) => ({ second, amount: criterion.minPerSecond * width - ok }));
  return completeJudgement({ ...facts, outcome: 'failed', reason: `Only ${found}.`, fromSecond: findFailingSecond(blocks) });
}

export interface GoodRate {
  readonly perSecond: number;
  readonly seconds: number;
  /** Whether the generator was overloaded, or could not start what was due, in any second. */
  readonly isOverloaded: boolean;
  /** Blocks in order of time. `width` is the part of each window within the load of the stage. */
  readonly blocks: readonly LoadedBlock[];
}

/** Returns successful responses per second while the load of a stage was running; null if the stage was never reached. */
export function goodRate({ plan, stageTimes, evidence }: JudgeInput, { stage, step }: Scope): GoodRate | null {
  const span = stageTimes[stage] ?? null;
  if (span === null || span.to <= span.from) return null;
  const seconds = span.to - span.from;
  const steps = step === null ? listRecordedRequests(plan).map((_, index) => index) : [step];
  const own = steps.flatMap((index) => evidence.of(stage, index).blocks).filter(({ second }) => second < span.to);
  const isOverloaded = own.some((block) => block.overloadedBy.length > 0 || block.notStartedGenerator > 0);
  const blocks = new Map(own.map((block) => [block.second, { ...overlapIn(span, block), ok: 0, pages: 0 }]));
  for (const block of steps.flatMap((index) => evidence.blocksUnderLoad(stage, index))) {
    const known = blocks.get(block.second);
    blocks.set(block.second, { ...overlapIn(span, block), ok: (known?.ok ?? 0) + block.ok, pages: (known?.pages ?? 0) + block.pages });
  }
  const inOrder = [...blocks.values()].sort((a, b) => a.second - b.second);
  return { perSecond: inOrder.reduce((sum, { ok }) => sum + ok, 0) / seconds, seconds, isOverloaded, blocks: inOrder };
}

/** Returns the part of a window in which the load of a stage was running. */
function overlapIn({ from, to }: StageTime, { second, width }: { second: number; width: number }): { second: number; width: number } {
  return { second, width: Math.max(0, Math.min(second + width, to) - Math.max(second, from)) };
}
