import { levelOf } from '../load/stages.ts';
import { countedStages, judgedStages, stageName } from '../plan/names.ts';
import type { ObjectiveResult, Verdict } from '../report/result.ts';

import { percentileRank, valueAtRank } from '../stats/histogram.ts';
import { milliseconds } from '../stats/latency.ts';
import { formatCount, formatMs, formatNumber, formatPortion, formatSeconds, formatShare } from '../units.ts';
import type { JudgeInput } from './input.ts';
import { goodRate } from './kinds/throughput.ts';
import { provesNothing } from './otherPlans.ts';
import { fromWords, levelWords, loadWords, rateWords } from './words.ts';

/** The answer in one sentence for somebody who has never tested anything. It starts with the outcome. */
export function sentenceOf(outcome: Verdict['outcome'], objectives: readonly ObjectiveResult[], input: JudgeInput): string {
  switch (outcome) {
    case 'holds':
      return holds(input);
    case 'breaks':
      return breaks(objectives, input);
    case 'inconclusive':
      return notKnown(objectives, input);
    case 'measured':
      return measured(input);
    default:
      return outcome satisfies never;
  }
}

/** A busy generator offers less than the planned connections, so then only the rate that was reached is spoken of. */
function holds(input: JudgeInput): string {
  const { claim } = input.plan;
  const rate = highestRate(input);
  const sickSeconds = input.evidence.sickness().seconds;
  if (sickSeconds > 0) {
    const kept =
      claim === '' ? `Holds at ${rateWords(rate)}: every limit was kept` : `Holds for ${claim}: every limit was kept at ${rateWords(rate)}`;
    return `${kept}. This computer could not keep up for ${formatSeconds(sickSeconds)}, so that is a lower bound.`;
  }
  if (claim !== '') return `Holds for ${claim}: ${loadWords(input.plan)} got ${rateWords(rate)}, and every limit was kept.`;
  return `Holds with ${loadWords(input.plan)}: they got ${rateWords(rate)}, and every limit was kept.`;
}

function breaks(objectives: readonly ObjectiveResult[], input: JudgeInput): string {
  const missed = objectives.filter(({ outcome }) => outcome === 'breaks');
  const [worst] = missed.toSorted((a, b) => excess(b) - excess(a));
  if (!worst) return 'Breaks.';
  const stage = input.plan.load.stages.findIndex((_, index) => stageName(input.plan, index) === worst.stage);
  const found = input.plan.load.stages[stage];
  const load = found ? levelWords(levelOf(found)) : loadWords(input.plan);
  const from = fromWords(worst.fromSecond, input.evidence.loadedSeconds(stage)?.from ?? 0);
  const others = missed.length > 1 ? ` ${missed.length - 1} more ${missed.length === 2 ? 'limit was' : 'limits were'} missed.` : '';
  const claimed = input.plan.claim === '' ? '' : `for ${input.plan.claim} `;
  return `Breaks ${claimed}with ${load}: ${from}${missWords(worst)}.${heldBelow(objectives, input, stage)}${others}`;
}

function missWords({ objective, step, measured, counted, over }: ObjectiveResult): string {
  const of = step === null ? '' : ` of “${step}”`;
  switch (objective.kind) {
    case 'responseTime':
      if (counted !== null && over === counted)
        return `not one of ${formatCount(counted)} answers${of} was good and came within ${formatMs(objective.limitMs)}`;
      return `more than ${formatShare((100 - objective.percentile) / 100)} answers${of} took longer than ${formatMs(objective.limitMs)} or failed`;
    case 'errors':
      if (counted !== null && over === counted) return `not one of ${formatCount(counted)} requests${of} was answered well`;
      return objective.maxShare === 0 ? `requests${of} failed` : `more than ${formatShare(objective.maxShare)} requests${of} failed`;
    case 'throughput':
      return `only ${typeof measured === 'number' ? formatNumber(measured) : 'a part'} of the ${formatNumber(objective.minPerSecond)} good answers a second${of} came`;
    case 'apdex':
      return `the Apdex${of} was ${typeof measured === 'number' ? measured.toFixed(2) : 'lower'} where ${objective.min.toFixed(2)} is wanted`;
    default:
      return objective satisfies never;
  }
}

/** How far beyond its limit a miss is, for naming the worst first. */
function excess({ objective, measured, shareLow, limit }: ObjectiveResult): number {
  switch (objective.kind) {
    case 'responseTime':
      return (shareLow ?? 0) / ((100 - objective.percentile) / 100);
    case 'errors':
      return (shareLow ?? 0) / Math.max(objective.maxShare, 1e-9);
    case 'throughput':
      return typeof measured === 'number' && measured > 0 ? limit / measured : Number.POSITIVE_INFINITY;
    case 'apdex':
      return typeof measured === 'number' && measured > 0 ? limit / measured : Number.POSITIVE_INFINITY;
    default:
      return objective satisfies never;
  }
}

/** A level is only said to hold when it was run and all of its objectives held. */
function heldBelow(objectives: readonly ObjectiveResult[], { plan }: JudgeInput, brokenStage: number): string {
  const broken = plan.load.stages[brokenStage];
  if (!broken) return '';
  const held = countedStages(plan).flatMap((index) => {
    const stage = plan.load.stages[index];
    const results = objectives.filter((result) => result.stage === stageName(plan, index));
    if (!stage || results.length === 0 || results.some(({ outcome }) => outcome !== 'holds')) return [];
    return levelOf(stage).highest < levelOf(broken).highest ? [levelOf(stage)] : [];
  });
  const [highest] = held.toSorted((a, b) => b.highest - a.highest);
  return highest ? ` With ${levelWords(highest)} it held.` : '';
}

function notKnown(objectives: readonly ObjectiveResult[], input: JudgeInput): string {
  if (['preparing', 'running', 'draining'].includes(input.head.state)) return 'Not known yet: the run is still going.';
  const unknown = objectives.find(({ outcome }) => outcome === 'unknown');
  switch (unknown?.unknownBecause) {
    case 'generator':
      return `Not known: this computer could not keep up for ${formatSeconds(input.evidence.sickness().seconds)} of the run, and that decides the outcome.`;
    case 'tooFew':
      if (provesNothing(unknown.objective)) return 'Not known: no number of requests can prove that none ever fails.';
      return unknown.counted === null
        ? 'Not known: the run was too short to decide.'
        : `Not known: ${formatCount(unknown.counted)} requests are too few to decide.`;
    case 'tooClose':
      return 'Not known: what was measured lies too close to the limit to call.';
    case 'interrupted':
      return input.balances
        ? 'Not known: the run did not go to its end, and up to there no limit was proven to be missed.'
        : 'Not known: not every request is accounted for, and no limit was proven to be missed.';
    case 'notOffered':
      return 'Not known: less than the planned load was offered, and nothing holds at a load that was not offered.';
    default:
      return 'Not known: nothing was measured that could decide it.';
  }
}

function measured(input: JudgeInput): string {
  const stages = judgedStages(input.plan);
  const steps = input.plan.journey.map((_, step) => step);
  const cells = stages.flatMap((stage) => steps.map((step) => input.evidence.of(stage, step)));
  const sent = cells.reduce((sum, cell) => sum + cell.started, 0);
  const good = cells.reduce((sum, cell) => sum + cell.goodTimes.totalCount, 0);
  if (sent === 0) return 'Measured: no request was sent.';
  if (good === 0) return `Measured: not one of ${formatCount(sent)} requests was answered well. No limits were set.`;
  const only = cells.length === 1 ? cells[0] : undefined;
  const within = only
    ? `, ${formatPortion(95)} within ${formatMs(milliseconds(valueAtRank(only.goodTimes, percentileRank(95, good))))}`
    : '';
  const failed = sent > good ? `; ${formatShare((sent - good) / sent)} requests failed` : '';
  return `Measured: ${loadWords(input.plan)} got ${rateWords(highestRate(input))}${within}${failed}. No limits were set.`;
}

/** Good answers per second of the fastest counted stage. */
function highestRate(input: JudgeInput): number | null {
  const rates = judgedStages(input.plan).flatMap((stage) => goodRate(input, { stage, step: null })?.perSecond ?? []);
  return rates.length === 0 ? null : Math.max(...rates);
}
