import { isTaken } from '#core/work/journey/flow/executions.ts';
import { capitalize } from '#core/base/text.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { findWalkField } from '#core/work/journey/walked.ts';
import { correctPlanned, findPlannedJourneys } from '#core/work/load/planned.ts';
import { requestsOf } from '#core/work/load/stages.ts';
import { COUNTED_NOUNS, countedNoun, describeCriterion } from '#core/plan/criteria.ts';
import { listWatched } from '#core/plan/watchPages.ts';
import { listCountedStages, stageName, stepName } from '#core/plan/names.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { formatLateNames, formatOverloadedNames } from '#core/result/generatorNames.ts';
import { ALL_PAGES, pageStep, visitStep, watchPageBehind } from '#core/measurement/pageCell.ts';
import { stepNumberOfEvents, stepNumberOfStreams } from '#core/measurement/streamCell.ts';
import { formatCount, formatMs, type TimeMs } from '#core/base/units.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import { judgeApdex, judgeShareCriterion } from './kinds/shares.ts';
import { judgeThroughput } from './kinds/throughput.ts';
import { isComplete, type JudgeInput, type Judgement, type Scope } from './input.ts';
import { findUnavailable, isUnused, formatUnavailable } from './items.ts';
import { listBlocksOver, countRequests, findOtherLimits } from './kinds/counts.ts';
import type { CellEvidence } from './evidence.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/** Judges "p95 ≤ 800 ms": at most 5 % of the requests may be slower, fail or have no response. */
function judgeResponseTime(criterion: Extract<Criterion, { kind: 'responseTime' }>, input: JudgeInput, { stage, step }: Scope): Judgement {
  const cell = input.evidence.of(stage, step ?? 0);
  const blocks = listBlocksOver(cell, criterion.maxMs, input);
  const counted = countRequests(blocks);
  return judgeShareCriterion({
    blocks,
    others: findOtherLimits(cell, criterion.maxMs),
    things: countedNoun(nameCriterion(criterion, input, { stage, step }), input.plan.journey),
    slowGeneratorNames: formatOverloadedNames(input.generators),
    notBegun: cell.notStartedTarget,
    allowance: (100 - criterion.percentile) / 100,
    overWords: `took longer than ${formatMs(criterion.maxMs)} or ${criterion.of === 'events' ? 'were missed' : 'failed'}`,
    measured: errorAdjusted(cell, criterion.percentile, counted),
    limit: criterion.maxMs,
    unit: 'ms',
  });
}

/**
 * Returns the percentile of the response times, where a failed request counts as one that never responds; `'never'` if the percentile falls
 * on a failure.
 */
function errorAdjusted({ goodTimes }: CellEvidence, percentile: number, counted: number): TimeMs {
  const rank = percentileRank(percentile, counted);
  return rank > goodTimes.totalCount ? 'never' : milliseconds(valueAtRank(goodTimes, rank));
}

/** Judges "errors < 1 %": at most that share of the requests may lack a successful response. */
function judgeErrors(criterion: Extract<Criterion, { kind: 'errors' }>, input: JudgeInput, { stage, step }: Scope): Judgement {
  const cell = input.evidence.of(stage, step ?? 0);
  const blocks = listBlocksOver(cell, null, input);
  const counted = countRequests(blocks);
  const things = countedNoun(nameCriterion(criterion, input, { stage, step }), input.plan.journey);
  const failed = blocks.reduce((sum, block) => sum + block.surely + block.maybe, 0);
  return judgeShareCriterion({
    blocks,
    others: findOtherLimits(cell, null),
    things,
    slowGeneratorNames: formatOverloadedNames(input.generators),
    notBegun: cell.notStartedTarget,
    allowance: criterion.maxShare,
    overWords: things === 'pages' ? 'failed' : COUNTED_NOUNS[things].failed,
    measured: counted === 0 ? null : failed / counted,
    limit: criterion.maxShare,
    unit: 'share',
  });
}

export function judgeCriterion(criterion: Criterion, input: JudgeInput): CriterionResult[] {
  return listScopes(criterion, input).map(({ stage, step }) => ({
    criterion,
    text: describeCriterion(nameCriterion(criterion, input, { stage, step }), input.plan.journey),
    stage: stageName(input.plan, stage),
    step: step === null || step === ALL_PAGES ? null : stepName(input.plan, step),
    ...addUnavailableReason(
      preventPrematurePass(addSlowedReason(judgeKind(criterion, input, { stage, step }), input, { stage, step }), input, stage),
      input,
      step,
    ),
  }));
}

function listScopes(criterion: Criterion, { plan, evidence }: JudgeInput): Scope[] {
  const stages = listCountedStages(plan).filter((stage) => criterion.stage === undefined || criterion.stage === stageName(plan, stage));
  const requests = listRecordedRequests(plan)
    .map((request, index) => ({ ...request, index }))
    .filter(({ isMeasured }) => isMeasured);
  const about = requests.filter(({ step }) => criterion.step === undefined || criterion.step === plan.journey[step]?.name);
  if (criterion.kind === 'throughput' && criterion.step === undefined) return stages.map((stage) => ({ stage, step: null }));
  if ('of' in criterion && criterion.of === 'pages') {
    const page = plan.journey.findIndex(({ name }) => name === criterion.step);
    return stages.map((stage) => ({ stage, step: criterion.step === undefined ? ALL_PAGES : pageStep(page) }));
  }
  if ('of' in criterion && criterion.of === 'visits') {
    // The total of a journey is judged only if the criterion names it, because a criterion for one page does not suit a whole journey.
    const pages = listWatched(plan).flatMap(({ name, kind }, page) =>
      (criterion.step === undefined ? kind !== 'journey' : criterion.step === name) ? [page] : [],
    );
    return stages.flatMap((stage) => pages.map((page) => ({ stage, step: visitStep(page) })));
  }
  if ('of' in criterion && criterion.of !== undefined) {
    const numberOf = criterion.of === 'events' ? stepNumberOfEvents : stepNumberOfStreams;
    const streams = plan.journey.flatMap(({ name, stream }, step) =>
      stream === undefined || (criterion.step !== undefined && criterion.step !== name) ? [] : [step],
    );
    return stages.flatMap((stage) => streams.map((step) => ({ stage, step: numberOf(step) })));
  }
  // Redirects and resources are judged only if the server sent any.
  return stages.flatMap((stage) =>
    about
      .filter(({ isRedirect, resource, step, index }) => {
        if (isRedirect || resource !== null) return evidence.of(stage, index).started > 0;
        // A step that each user takes once, or before or after a bell, may be due only in an earlier stage, or before the first counted
        // stage.
        const isRare = plan.journey[step]?.once === true || plan.bells !== undefined;
        const isDueHere = !isRare || !isUnused(evidence.of(stage, index));
        const isNamed = criterion.step !== undefined && stages.every((other) => isUnused(evidence.of(other, index)));
        return (isDueHere || isNamed) && (plan.flow === undefined || isTaken(plan, step, stage));
      })
      .map(({ index }) => ({ stage, step: index })),
  );
}

/** Returns the criterion restricted to this scope, whose text then names what was judged. */
function nameCriterion(criterion: Criterion, { plan }: JudgeInput, { stage, step }: Scope): Criterion {
  return {
    ...criterion,
    ...(step === null || step === ALL_PAGES ? {} : { step: stepName(plan, step) }),
    ...(listCountedStages(plan).length > 1 ? { stage: stageName(plan, stage) } : {}),
  };
}

function judgeKind(criterion: Criterion, input: JudgeInput, scope: Scope): Judgement {
  switch (criterion.kind) {
    case 'responseTime':
      return judgeResponseTime(criterion, input, scope);
    case 'errors':
      return judgeErrors(criterion, input, scope);
    case 'throughput':
      return judgeThroughput(criterion, input, scope);
    case 'apdex':
      return judgeApdex(criterion, input, scope);
    default:
      return criterion satisfies never;
  }
}

function formatIncomplete({ head, balances, generators }: JudgeInput): string {
  if (!balances) return 'not every request is accounted for';
  const lost = generators.filter((generator) => generator.lost !== null).map(({ name }) => name);
  return head.state === 'finished' && lost.length > 0
    ? `${joinNames(lost)} ${lost.length === 1 ? 'was' : 'were'} lost during the run`
    : 'the run ended early';
}

/** Gives a reason if no visit counts, because all were slowed down. */
function addSlowedReason(judged: Judgement, { evidence }: JudgeInput, { stage, step }: Scope): Judgement {
  const slowed = step === null ? 0 : evidence.slowedVisits(stage, step);
  if (slowed === 0 || judged.counted !== 0) return judged;
  const reason = `The computer of the browser slowed all ${formatCount(slowed)} visits, so none counts.`;
  return { ...judged, unknownBecause: 'generator', reason };
}

/** Gives the unavailable page as the reason if no response was successful and nearly all of them report it. */
function addUnavailableReason(judged: Judgement, input: JudgeInput, step: number | null): Judgement {
  const found = judged.outcome !== 'failed' || step === null || watchPageBehind(step) !== null ? null : findUnavailable(input, step);
  if (found === null || step === null) return judged;
  const reason = formatUnavailable(stepName(input.plan, step), found);
  return { ...judged, reason: `${capitalize(reason)}.` };
}

/** Prevents passing too early: a run that was cut short can fail but not pass, and nothing passes at a load that was not offered. */
function preventPrematurePass(judged: Judgement, input: JudgeInput, stage: number): Judgement {
  if (judged.outcome === 'failed' || judged.unknownBecause === 'notMeasured' || judged.unknownBecause === 'generator') return judged;
  if (!isComplete(input)) {
    const reason = formatIncomplete(input);
    return cannotHold(judged, 'interrupted', reason);
  }
  if (judged.outcome !== 'passed') return judged;
  const { notStartedGenerator } = input.evidence.journeyCounts(stage);
  if (notStartedGenerator > 0) {
    const reason = `${formatLateNames(input.generators)} could not start ${formatCount(notStartedGenerator)} of the planned journeys`;
    return cannotHold(judged, 'generator', reason);
  }
  if (wasOffered(input, stage)) return judged;
  const reason = 'less than the planned load was offered';
  return cannotHold(judged, 'notOffered', reason);
}

function cannotHold(judged: Judgement, unknownBecause: NonNullable<Judgement['unknownBecause']>, reason: string): Judgement {
  return { ...judged, outcome: 'unknown', unknownBecause, reason: `${judged.reason} Inconclusive: ${reason}.` };
}

/**
 * Returns whether the planned load was offered: no scheduled start is missing. A closed model has no scheduled starts, so an overloaded
 * generator only offers less. Arrivals that could not start because of outstanding responses were offered and count as failed.
 */
function wasOffered({ plan, evidence }: JudgeInput, stage: number): boolean {
  const found = plan.load.stages[stage];
  const requests = found === undefined ? null : requestsOf(found);
  // Journeys that are aborted, and steps that are taken once, leave out requests that were never due.
  if (requests !== null && findWalkField(plan) === null)
    return plan.journey.reduce((sum, _, step) => sum + evidence.of(stage, step).started, 0) >= requests;
  const journeys = findPlannedJourneys(plan, stage);
  if (journeys === null) return true;
  const { journeysStarted, notStartedTarget, notStartedGenerator } = evidence.journeyCounts(stage);
  return journeysStarted + notStartedTarget >= correctPlanned(plan, journeys, journeysStarted + notStartedTarget + notStartedGenerator, 1);
}
