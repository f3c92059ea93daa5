import { describeCriterion, listCriteria } from '#core/plan/criteria.ts';
import { findPlannedJourneys } from '#core/work/load/planned.ts';
import { secondsOf, usersAtStart } from '#core/work/load/stages.ts';
import { computePace } from '#core/work/journey/flow/pauses.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { minRequests } from '#core/statistics/bounds.ts';
import { requestsPerJourney, stepsPerJourney, countExecutions } from '#core/work/journey/flow/executions.ts';
import { didYouMean, error, type Issue } from '#core/plan/issues.ts';
import { pagesInRound, watchPageNames } from '#core/plan/watchPages.ts';
import { listCountedStages, stageName } from '#core/plan/names.ts';
import type { Criterion, Plan } from '#core/plan/schema/plan.ts';
import { warning, unknownStageIssue, unknownStepIssue } from './make.ts';

/** Number of samples below which an Apdex is marked as based on too few (Apdex specification 1.1, §5.4). */
export const APDEX_SAMPLES = 100;

/** Maximum share of a stage's requests that a criterion may require within the stage, because the last responses arrive after its end. */
const MAX_REQUIRED_SHARE = 0.98;

export function checkCriteria(plan: Plan): Issue[] {
  if (listCriteria(plan).length === 0) return [];
  if (listCountedStages(plan).length === 0) {
    return [
      error(
        'NOTHING_COUNTED',
        'load.stages',
        'There are pass criteria, but no stage is counted.',
        'Remove “counted: false” from the stage to judge.',
      ),
    ];
  }
  const budgets = listCriteria({ ...plan, criteria: [] });
  return [
    ...plan.criteria.flatMap((criterion, index) => [
      ...checkScope(plan, criterion, `criteria[${index}]`),
      ...checkDecidable(plan, criterion, `criteria[${index}]`),
    ]),
    ...budgets.flatMap((budget) => {
      const step = plan.journey.findIndex(({ name }) => name === budget.step);
      return checkDecidable(plan, budget, `journey[${step}].budgetMs`);
    }),
  ];
}

function checkScope(plan: Plan, criterion: Criterion, path: string): Issue[] {
  const issues: Issue[] = [];
  const steps = plan.journey.map((step) => step.name);
  const stages = plan.load.stages.map((_, index) => stageName(plan, index));
  if ('of' in criterion && criterion.of === 'visits') issues.push(...checkVisitScope(plan, criterion, path));
  else if (criterion.step !== undefined && !steps.includes(criterion.step)) {
    issues.push(unknownStepIssue(`${path}.step`, criterion.step, steps));
  }
  if ('of' in criterion && criterion.of === 'pages' && !hasPages(plan, criterion.step)) {
    issues.push(
      error(
        'NO_PAGES',
        `${path}.of`,
        `${criterion.step === undefined ? 'No step' : `“${criterion.step}”`} is fetched as a whole page, so there are no pages to judge.`,
        'Add “resources” to the step, or remove “of”.',
      ),
    );
  }
  if ('of' in criterion) issues.push(...checkStreamScope(plan, criterion, path));
  if (criterion.stage !== undefined) {
    const index = stages.indexOf(criterion.stage);
    if (index === -1) {
      issues.push(unknownStageIssue(`${path}.stage`, criterion.stage, stages));
    } else if (plan.load.stages[index]?.counted === false) {
      issues.push(
        error(
          'STAGE_NOT_COUNTED',
          `${path}.stage`,
          `The stage “${criterion.stage}” is ${isPause(plan, index) ? 'a pause' : 'not counted'}, so it is not judged.`,
          isPause(plan, index) ? 'Name a stage with load.' : 'Name a counted stage, or count it.',
        ),
      );
    }
  }
  return issues;
}

function checkVisitScope(plan: Plan, { step }: Criterion, path: string): Issue[] {
  const names = watchPageNames(plan);
  if (names.length === 0)
    return [
      error(
        'NO_WATCHED_PAGE',
        `${path}.of`,
        'No page is watched, so there are no visits to judge.',
        'Add “watchPages” to the plan, or remove “of”.',
      ),
    ];
  if (step === undefined || names.includes(step)) return [];
  return [error('UNKNOWN_PAGE', `${path}.step`, `No watched page is called “${step}”.`, didYouMean(step, names))];
}

/** Checks that streams provide what their criteria need: sending times and event numbers. */
function checkStreamScope({ journey }: Plan, { kind, of, step }: Extract<Criterion, { of?: unknown }>, path: string): Issue[] {
  if (of !== 'events' && of !== 'streams') return [];
  const streams = journey.flatMap(({ name, stream }) => (stream === undefined || (step ?? name) !== name ? [] : [stream]));
  if (streams.length === 0) {
    const subject = step === undefined ? 'No step' : `“${step}”`;
    return [
      error(
        'NO_STREAM',
        `${path}.of`,
        `${subject} is no event stream, so there are no ${of} to judge.`,
        'Add “stream” to the step, or remove “of”.',
      ),
    ];
  }
  if (of === 'streams')
    return kind === 'errors'
      ? []
      : [error('STREAMS_HAVE_NO_TIME', `${path}.of`, 'Streams have no response time.', 'Use “of: events”, or kind: errors.')];
  if (kind === 'errors')
    return streams.every(({ number }) => number !== undefined)
      ? []
      : [
          error(
            'EVENTS_NOT_NUMBERED',
            `${path}.of`,
            'Without numbers, missed events are invisible.',
            'Add “number” to the stream, for example number: { from: id }.',
          ),
        ];
  return streams.every(({ sentAt }) => sentAt !== undefined)
    ? []
    : [
        error(
          'EVENTS_NOT_STAMPED',
          `${path}.of`,
          'The events do not say when they were sent, so they have no delay to judge.',
          'Add “sentAt” to the stream, for example sentAt: { from: data, path: $.at }.',
        ),
      ];
}

/** Approximate duration of a visit in seconds. Visits do not overlap. */
const VISIT_SECONDS = 2;

/** Warns if a stage is too short for the visits that a criterion needs. */
function checkVisitCount(plan: Plan, criterion: Exclude<Criterion, { kind: 'throughput' }>, path: string): Issue[] {
  const requiredCount = minRequestsFor(criterion);
  const pages = Math.max(1, pagesInRound(plan));
  return stagesOfCriterion(plan, criterion).flatMap((stage) => {
    const found = plan.load.stages[stage];
    const seconds = found === undefined ? null : secondsOf(found);
    if (seconds === null || seconds / (VISIT_SECONDS * pages) >= requiredCount) return [];
    return [
      warning(
        'FEW_VISITS',
        path,
        `“${stageName(plan, stage)}” has time for about ${formatCount(Math.floor(seconds / (VISIT_SECONDS * pages)))} visits of each page; this pass criterion needs ${formatCount(requiredCount)}.`,
        `Make the stage ${formatCount(Math.ceil(requiredCount * VISIT_SECONDS * pages))} s long, or judge a lower percentile.`,
      ),
    ];
  });
}

function hasPages({ journey }: Plan, name: string | undefined): boolean {
  return journey.some((step) => step.resources !== undefined && (name === undefined || step.name === name));
}

function isPause({ load }: Plan, index: number): boolean {
  const stage = load.stages[index];
  return stage !== undefined && 'kind' in stage && stage.kind === 'pause';
}

/** Warns if a run could not pass even if every request succeeded. */
function checkDecidable(plan: Plan, criterion: Criterion, path: string): Issue[] {
  // The number of events depends on the server.
  if ('of' in criterion && (criterion.of === 'events' || criterion.of === 'streams')) return [];
  if ('of' in criterion && criterion.of === 'visits') return checkVisitCount(plan, criterion, path);
  if (criterion.kind === 'throughput') return checkThroughput(plan, criterion, path);
  // A criterion that allows no failure needs no minimum sample.
  if (criterion.kind === 'errors' && criterion.maxShare === 0) return [];
  const requiredCount = minRequestsFor(criterion);
  const small = stagesOfCriterion(plan, criterion)
    .map((stage) => ({ stage, requests: requestsAtMost(plan, criterion, stage) }))
    .find(({ requests }) => requests !== null && requests > 0 && requests < requiredCount);
  if (small === undefined) return [];
  const about = plan.load.model === 'users' || plan.flow !== undefined ? 'About ' : '';
  return [
    warning(
      'TOO_FEW_REQUESTS',
      path,
      `${about}${formatCount(small.requests ?? 0)} ${isAboutPages(criterion) ? 'pages' : 'requests of a step'} in “${stageName(plan, small.stage)}” are too few to decide “${describeCriterion(criterion, plan.journey)}”.`,
      enoughHint(plan, requiredCount, small.stage),
    ),
  ];
}

function stagesOfCriterion(plan: Plan, criterion: Criterion): number[] {
  return listCountedStages(plan).filter((stage) => criterion.stage === undefined || criterion.stage === stageName(plan, stage));
}

function enoughHint(plan: Plan, requiredCount: number, stage: number): string {
  const { load } = plan;
  if (plan.flow !== undefined)
    return `Plan a longer stage or more journeys, for at least ${formatCount(requiredCount)} requests of the step.`;
  switch (load.model) {
    case 'connections':
      return `Plan at least ${formatCount(requiredCount * stepsPerJourney(plan, stage))} requests in that stage.`;
    case 'users':
      return `Plan more users, more time or shorter pauses, for at least ${formatCount(requiredCount)} journeys in that stage.`;
    case 'arrivals':
      return `Plan at least ${formatCount(requiredCount)} arrivals in that stage.`;
    default:
      return load satisfies never;
  }
}

/** Returns the maximum number of requests to a criterion's rarest step in a stage, if responses are instant; null if unbounded. */
function requestsAtMost(plan: Plan, criterion: Criterion, stage: number): number | null {
  const { step } = criterion;
  const journeys = journeysAtMost(plan, stage);
  const found = plan.load.stages[stage];
  if (found !== undefined && 'users' in found && plan.journey.some(({ name, once }) => name === step && once === true))
    return Math.max(0, found.users - usersAtStart(plan.load, stage));
  if (step === undefined && journeys !== null && isAboutPages(criterion)) return Math.round(journeys * pagesPerJourney(plan, stage));
  if (journeys === null || plan.flow === undefined) return journeys;
  const about = plan.journey.filter(
    ({ name, background, measured, once }) => background === undefined && measured !== false && once !== true && (step ?? name) === name,
  );
  const means = about.flatMap(({ name }) => countExecutions(plan, name, stage).mean ?? []).filter((mean) => mean > 0);
  return means.length === 0 ? null : Math.round(journeys * Math.min(...means));
}

function isAboutPages(criterion: Criterion): boolean {
  return 'of' in criterion && criterion.of === 'pages';
}

function pagesPerJourney(plan: Plan, stage: number): number {
  const names = plan.journey.flatMap(({ name, resources }) => (resources === undefined ? [] : [name]));
  return names.reduce((sum, name) => sum + (plan.flow === undefined ? 1 : (countExecutions(plan, name, stage).mean ?? 0)), 0);
}

/** Returns the maximum number of journeys in a stage, if responses are instant; null if unbounded. */
function journeysAtMost(plan: Plan, stage: number): number | null {
  const found = plan.load.stages[stage];
  if (plan.load.model !== 'users' || found === undefined || !('users' in found)) return findPlannedJourneys(plan, stage);
  const { pauseSeconds } = computePace(plan, stage);
  // During the start-up, half of the users are present on average.
  const seconds = found.seconds + (found.startUpCounts === true ? found.startUpSeconds / 2 : 0);
  return pauseSeconds === 0 ? null : Math.ceil((found.users * seconds) / pauseSeconds);
}

/** Warns of a criterion that requires more throughput than the rate of an open model provides. */
function checkThroughput(plan: Plan, criterion: Extract<Criterion, { kind: 'throughput' }>, path: string): Issue[] {
  const low = stagesOfCriterion(plan, criterion).flatMap((stage) => {
    const found = plan.load.stages[stage];
    const seconds = found === undefined ? null : secondsOf(found);
    if (plan.load.model !== 'arrivals' || seconds === null) return [];
    const { mean } = criterion.step === undefined ? requestsPerJourney(plan, stage) : countExecutions(plan, criterion.step, stage);
    if (mean === null) return [];
    const perSecond = ((findPlannedJourneys(plan, stage) ?? 0) * mean) / seconds;
    return perSecond < criterion.minPerSecond / MAX_REQUIRED_SHARE ? [{ stage, perSecond }] : [];
  });
  const [first] = low;
  if (first === undefined) return [];
  const { stage, perSecond } = first;
  return [
    warning(
      'THROUGHPUT_ABOVE_LOAD',
      `${path}.minPerSecond`,
      `“${stageName(plan, stage)}” sends ${formatNumber(perSecond)} requests a second, too few for ${formatNumber(criterion.minPerSecond)} successful responses a second.`,
      'Plan a higher rate than you need. Responses after the end of the stage do not count.',
    ),
  ];
}

export function minRequestsFor(criterion: Exclude<Criterion, { kind: 'throughput' }>): number {
  switch (criterion.kind) {
    case 'responseTime':
      return minRequests(1 - criterion.percentile / 100);
    case 'errors':
      return minRequests(criterion.maxShare);
    case 'apdex':
      return APDEX_SAMPLES;
    default:
      return criterion satisfies never;
  }
}
