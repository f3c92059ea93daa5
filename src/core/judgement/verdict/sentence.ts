import { recordedRequests } from '#core/plan/requests.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { countedStages, judgedStages, stageName } from '#core/plan/names.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { lateGeneratorNames, generatorNames, sickGeneratorNames } from '#core/result/generatorNames.ts';
import type { ObjectiveResult, Verdict } from '#core/result/schema.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import { formatCount, formatMs, formatNumber, formatPortion, formatSeconds, formatShare } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';
import { goodRate } from './kinds/throughput.ts';
import { neverWorked, neverWorkedWords } from './neverWorked.ts';
import { provesNothing } from './otherPlans.ts';
import { offeredIn, owedIn, owedWords, rateWordsAt } from './offered.ts';
import { atLevel, capitalized, fromWords, highestLevel, levelWords, lowerStart, rateWords, OUTCOME_TITLES } from './words.ts';

/** The answer in one sentence for somebody who has never tested anything. It starts with the outcome. */
export function sentenceOf(outcome: Verdict['outcome'], objectives: readonly ObjectiveResult[], input: JudgeInput): string {
  return `${OUTCOME_TITLES[outcome]}${restOf(outcome, objectives, input)}`;
}

/** What follows the outcome: begins with a blank, a colon or a full stop. */
function restOf(outcome: Verdict['outcome'], objectives: readonly ObjectiveResult[], input: JudgeInput): string {
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

/** In a closed model a busy generator offers less than planned, so then only the rate that was reached is spoken of. */
function holds(input: JudgeInput): string {
  const { claim } = input.plan;
  const rate = rateWords(highestRate(input));
  const level = highestLevel(input.plan);
  const sickSeconds = input.evidence.sickness().seconds;
  const slow = `${atStart(sickGeneratorNames(input.generators))} could not keep up for ${formatSeconds(sickSeconds)}`;
  if (level.unit === 'arrivalsPerSecond') {
    const sick = sickSeconds > 0 ? ` ${slow}, which can only have made times longer.` : '';
    const kept = `${rate} came, and every limit was kept.${sick}`;
    return claim === '' ? ` ${atLevel(level)}: ${kept}` : ` for ${claim}: ${atLevel(level)} ${kept}`;
  }
  if (sickSeconds > 0) {
    const kept = claim === '' ? ` at ${rate}: every limit was kept` : ` for ${claim}: every limit was kept at ${rate}`;
    return `${kept}. ${slow}, so that is a lower bound.`;
  }
  if (claim !== '') return ` for ${claim}: ${levelWords(level)} got ${rate}, and every limit was kept.`;
  return ` ${atLevel(level)}: they got ${rate}, and every limit was kept.`;
}

function breaks(objectives: readonly ObjectiveResult[], input: JudgeInput): string {
  const { plan } = input;
  const missed = objectives.filter(({ outcome }) => outcome === 'breaks');
  const [worst] = missed.toSorted((a, b) => excess(b) - excess(a));
  if (!worst) return '.';
  const stage = plan.load.stages.findIndex((_, index) => stageName(plan, index) === worst.stage);
  const found = plan.load.stages[stage];
  const load = atLevel(found ? levelOf(found) : highestLevel(plan));
  const from = fromWords(worst.fromSecond, input.evidence.loadedSeconds(stage)?.from ?? 0, rateWordsAt(plan, stage, worst.fromSecond));
  const step = recordedRequests(plan).findIndex(({ name }) => name === worst.step);
  const owed = owedIn(worst, input, stage, step);
  const miss = owed === null ? missWords(worst) : owedWords(owed, plan, stage);
  const others = missed.length > 1 ? ` ${missed.length - 1} more ${missed.length === 2 ? 'limit was' : 'limits were'} missed.` : '';
  const claimed = plan.claim === '' ? '' : `for ${plan.claim} `;
  return ` ${claimed}${load}: ${from}${miss}.${heldBelow(objectives, input, stage)}${others}`;
}

function missWords({ objective, step, measured, counted, over }: ObjectiveResult): string {
  const of = step === null ? '' : ` of “${step}”`;
  switch (objective.kind) {
    case 'responseTime':
      if (counted !== null && over === counted)
        return `not one of ${formatCount(counted)} ${objective.of === 'pages' ? 'pages' : 'answers'}${of} was good and came within ${formatMs(objective.limitMs)}`;
      return `more than ${formatShare((100 - objective.percentile) / 100)} ${objective.of === 'pages' ? 'whole pages' : 'answers'}${of} took longer than ${formatMs(objective.limitMs)} or failed`;
    case 'errors':
      if (counted !== null && over === counted) return `not one of ${formatCount(counted)} requests${of} was answered well`;
      if (objective.of === 'pages')
        return `${objective.maxShare === 0 ? '' : `more than ${formatShare(objective.maxShare)} `}pages${of} were incomplete`;
      return objective.maxShare === 0 ? `requests${of} failed` : `more than ${formatShare(objective.maxShare)} requests${of} failed`;
    case 'throughput':
      return `only ${typeof measured === 'number' ? formatNumber(measured) : 'a part'} of the ${formatNumber(objective.minPerSecond)} good answers a second${of} came`;
    case 'apdex':
      return `the Apdex${objective.of === 'pages' ? ' of whole pages' : ''}${of} was ${typeof measured === 'number' ? measured.toFixed(2) : 'lower'} where ${objective.min.toFixed(2)} is wanted`;
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
  return highest ? ` ${capitalized(atLevel(highest))} it held.` : '';
}

function notKnown(objectives: readonly ObjectiveResult[], input: JudgeInput): string {
  if (['preparing', 'running', 'draining'].includes(input.head.state)) return ' yet: the run is still going.';
  const unknown = objectives.find(({ outcome }) => outcome === 'unknown');
  const [stuck] = unknown === undefined ? neverWorked(input) : [];
  if (stuck) return `: every limit was kept, yet ${neverWorkedWords(stuck)}.`;
  switch (unknown?.unknownBecause) {
    case 'generator':
      return `: ${generatorWords(unknown, input)}`;
    case 'tooFew':
      if (provesNothing(unknown.objective)) return ': no number of requests can prove that none ever fails.';
      return unknown.counted === null
        ? ': the run was too short to decide.'
        : `: ${formatCount(unknown.counted)} requests are too few to decide.`;
    case 'tooClose':
      return ': what was measured lies too close to the limit to call.';
    case 'interrupted':
      return input.balances
        ? ': the run did not go to its end, and up to there no limit was proven to be missed.'
        : ': not every request is accounted for, and no limit was proven to be missed.';
    case 'notThere':
      return `: ${lowerStart(unknown.reason)}`;
    case 'notOffered':
      return ': less than the planned load was offered, and nothing holds at a load that was not offered.';
    default:
      return ': nothing was measured that could decide it.';
  }
}

function generatorWords(unknown: ObjectiveResult, input: JudgeInput): string {
  const stage = input.plan.load.stages.findIndex((_, index) => stageName(input.plan, index) === unknown.stage);
  const offered = offeredIn(input, stage);
  if (offered !== null && offered.notStartedGenerator > 0)
    return `${lateGeneratorNames(input.generators)} could not begin ${formatCount(offered.notStartedGenerator)} of ${formatCount(offered.planned)} arrivals, and nothing holds at a load that was not offered.`;
  const { seconds } = input.evidence.sickness();
  if (seconds === 0) return `${generatorNames(input.generators)} sent requests later than planned, and that decides the outcome.`;
  return `${sickGeneratorNames(input.generators)} could not keep up for ${formatSeconds(seconds)} of the run, and that decides the outcome.`;
}

function measured(input: JudgeInput): string {
  const stages = judgedStages(input.plan);
  const steps = recordedRequests(input.plan).map((_, step) => step);
  const cells = stages.flatMap((stage) => steps.map((step) => input.evidence.of(stage, step)));
  const sent = cells.reduce((sum, cell) => sum + cell.started, 0);
  const good = cells.reduce((sum, cell) => sum + cell.goodTimes.totalCount, 0);
  if (sent === 0) return ': no request was sent.';
  if (good === 0) return `: not one of ${formatCount(sent)} requests was answered well. No limits were set.`;
  const only = cells.length === 1 ? cells[0] : undefined;
  const within = only
    ? `, ${formatPortion(95)} within ${formatMs(milliseconds(valueAtRank(only.goodTimes, percentileRank(95, good))))}`
    : '';
  const failed = sent > good ? `; ${formatShare((sent - good) / sent)} requests failed` : '';
  const level = highestLevel(input.plan);
  const rate = rateWords(highestRate(input));
  const got = level.unit === 'arrivalsPerSecond' ? `${atLevel(level)} ${rate} came` : `${levelWords(level)} got ${rate}`;
  const notBegun = stages.reduce((sum, stage) => sum + input.evidence.journeysOf(stage).notStartedTarget, 0);
  const owed = notBegun > 0 ? `; ${formatCount(notBegun)} arrivals could not begin because too many answers were owed` : '';
  return `: ${got}${within}${failed}${owed}. No limits were set.`;
}

/** Good answers per second of the fastest counted stage. */
function highestRate(input: JudgeInput): number | null {
  const rates = judgedStages(input.plan).flatMap((stage) => goodRate(input, { stage, step: null })?.perSecond ?? []);
  return rates.length === 0 ? null : Math.max(...rates);
}
