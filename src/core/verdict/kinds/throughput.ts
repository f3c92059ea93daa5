import { recordedRequests } from '#core/journey/requests.ts';
import type { Objective } from '#core/plan/schema.ts';
import { isAfter, isDuring, spanOf } from '#core/report/spans.ts';
import { formatNumber, formatSeconds } from '#core/units.ts';
import { missedFrom } from '../excess.ts';
import { isComplete, type JudgeInput } from '../input.ts';
import type { Judgement, Scope } from '../objectives.ts';

/** In a run that was cut short, this many seconds have to show a miss: the first ones are still finding their pace. */
const LEAST_SECONDS = 5;

/**
 * "at least 200 requests/s": good answers per second over the time the stage was loaded. A busy generator can only make it
 * less, so a rate that is reached is reached (and a lower bound); one that is missed is then not known to be the target's.
 */
export function judgeThroughput(objective: Extract<Objective, { kind: 'throughput' }>, input: JudgeInput, scope: Scope): Judgement {
  const facts = { limit: objective.minPerSecond, unit: 'perSecond', counted: null, over: null, shareLow: null, shareHigh: null } as const;
  const rate = goodRate(input, scope);
  if (rate === null) {
    return {
      ...facts,
      outcome: 'unknown',
      unknownBecause: 'notMeasured',
      measured: null,
      reason: 'Nothing was measured of it.',
      fromSecond: null,
    };
  }
  const { perSecond, seconds, sick } = rate;
  const found = `${formatNumber(perSecond)} good answers a second over ${formatSeconds(seconds)}, where ${formatNumber(objective.minPerSecond)} are needed`;
  if (perSecond >= objective.minPerSecond) {
    const bound = sick ? ' This computer could not keep up all the time, so that is a lower bound.' : '';
    return { ...facts, outcome: 'holds', unknownBecause: null, measured: perSecond, reason: `${found}.${bound}`, fromSecond: null };
  }
  if (sick) {
    const reason = `${found}. This computer could not keep up all the time: with a faster one it may be more.`;
    return { ...facts, outcome: 'unknown', unknownBecause: 'generator', measured: perSecond, reason, fromSecond: null };
  }
  if (!isComplete(input) && seconds < LEAST_SECONDS) {
    return {
      ...facts,
      outcome: 'unknown',
      unknownBecause: 'tooFew',
      measured: perSecond,
      reason: `${found}. That is too short to tell.`,
      fromSecond: null,
    };
  }
  const blocks = rate.blocks.map(({ second, width, ok }) => ({ second, amount: objective.minPerSecond * width - ok }));
  return {
    ...facts,
    outcome: 'breaks',
    unknownBecause: null,
    measured: perSecond,
    reason: `Only ${found}.`,
    fromSecond: missedFrom(blocks),
  };
}

export interface GoodRate {
  readonly perSecond: number;
  readonly seconds: number;
  /** Whether the generator was sick in any of those seconds, or could not begin what was due. */
  readonly sick: boolean;
  readonly blocks: readonly { readonly second: number; readonly width: number; readonly ok: number }[];
}

/** Good answers per second while a stage was loaded; null when it never was. */
export function goodRate({ plan, end, evidence }: JudgeInput, { stage, step }: Scope): GoodRate | null {
  const span = spanOf(plan, stage, end, evidence.loadedSeconds(stage));
  const seconds = span ? span.to - span.from : 0;
  if (seconds <= 0) return null;
  const steps = step === null ? recordedRequests(plan).map((_, index) => index) : [step];
  const bySecond = new Map<number, { second: number; width: number; ok: number }>();
  let sick = false;
  const own = steps.flatMap((index) => evidence.of(stage, index).blocks).filter(({ second }) => !isAfter(plan, stage, span, second));
  const carried = steps
    .flatMap((index) => [...evidence.otherBlocks(stage, index)])
    .filter(({ second }) => isDuring(plan, stage, span, second));
  for (const block of [...own, ...carried]) {
    if (block.sick.length > 0 || block.notStartedGenerator > 0) sick = true;
    const seen = bySecond.get(block.second);
    bySecond.set(block.second, { second: block.second, width: block.width, ok: (seen?.ok ?? 0) + block.ok });
  }
  const blocks = [...bySecond.values()];
  return { perSecond: blocks.reduce((sum, { ok }) => sum + ok, 0) / seconds, seconds, sick, blocks };
}
