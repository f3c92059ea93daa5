import { plannedJourneysOf } from '#core/load/planned.ts';
import { secondsOf } from '#core/load/stages.ts';
import { meanPauseSeconds } from '#core/load/pauses.ts';
import { formatCount, formatNumber } from '#core/units.ts';
import { leastRequests } from '#core/verdict/enough.ts';
import type { Issue } from '../issues.ts';
import { countedStages, stageName } from '../names.ts';
import type { Objective, Plan } from '../schema.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './make.ts';

/** Below this many samples an Apdex is marked as coming from too few (Apdex specification 1.1, §5.4). */
export const APDEX_SAMPLES = 100;

/** Of what a stage asks, the last answers come after its end: only so much can be demanded. */
const ROOM_FOR_THE_LAST = 0.98;

export function checkObjectives(plan: Plan): Issue[] {
  if (plan.objectives.length === 0) return [];
  if (countedStages(plan).length === 0) {
    return [
      error(
        'NOTHING_COUNTED',
        'load.stages',
        'There are objectives, but no stage is counted.',
        'Leave “counted: false” out of the stage that is to be judged.',
      ),
    ];
  }
  return plan.objectives.flatMap((objective, index) => [
    ...checkScope(plan, objective, `objectives[${index}]`),
    ...checkDecidable(plan, objective, `objectives[${index}]`),
  ]);
}

function checkScope(plan: Plan, objective: Objective, path: string): Issue[] {
  const issues: Issue[] = [];
  const steps = plan.journey.map((step) => step.name);
  const stages = plan.load.stages.map((_, index) => stageName(plan, index));
  if (objective.step !== undefined && !steps.includes(objective.step)) {
    issues.push(error('UNKNOWN_STEP', `${path}.step`, `No step is called “${objective.step}”.`, didYouMean(objective.step, steps)));
  }
  if (objective.stage !== undefined) {
    const index = stages.indexOf(objective.stage);
    if (index === -1) {
      issues.push(error('UNKNOWN_STAGE', `${path}.stage`, `No stage is called “${objective.stage}”.`, didYouMean(objective.stage, stages)));
    } else if (plan.load.stages[index]?.counted === false) {
      issues.push(
        error(
          'STAGE_NOT_COUNTED',
          `${path}.stage`,
          `The stage “${objective.stage}” is ${isPause(plan, index) ? 'a pause' : 'not counted'}, so nothing of it is judged.`,
          isPause(plan, index) ? 'Name the stage that has the load.' : 'Name a counted stage, or count it.',
        ),
      );
    }
  }
  return issues;
}

function isPause({ load }: Plan, index: number): boolean {
  const stage = load.stages[index];
  return stage !== undefined && 'kind' in stage && stage.kind === 'pause';
}

/** Warns before a run that could not hold even if every single request was good. */
function checkDecidable(plan: Plan, objective: Objective, path: string): Issue[] {
  if (objective.kind === 'throughput') return checkThroughput(plan, objective, path);
  if (objective.kind === 'errors' && objective.maxShare === 0) {
    return [
      warning(
        'CANNOT_BE_PROVEN',
        `${path}.maxShare`,
        'No number of requests can prove that none ever fails.',
        'Allow a small share, for example 0.001 (1 in 1,000), which takes 2,995 requests.',
      ),
    ];
  }
  const least = leastFor(objective);
  const small = scopeOf(plan, objective)
    .map((stage) => ({ stage, journeys: journeysAtMost(plan, stage) }))
    .find(({ journeys }) => journeys !== null && journeys > 0 && journeys < least);
  if (small === undefined) return [];
  const about = plan.load.model === 'users' ? 'About ' : '';
  return [
    warning(
      'TOO_FEW_REQUESTS',
      path,
      `${about}${formatCount(small.journeys)} requests of a step in “${stageName(plan, small.stage)}” cannot decide this objective, however good they are.`,
      enoughHint(plan, least),
    ),
  ];
}

/** The counted stages that an objective is about. */
function scopeOf(plan: Plan, objective: Objective): number[] {
  return countedStages(plan).filter((stage) => objective.stage === undefined || objective.stage === stageName(plan, stage));
}

function enoughHint({ load, journey }: Plan, least: number): string {
  switch (load.model) {
    case 'connections':
      return `Plan at least ${formatCount(least * journey.length)} requests in that stage.`;
    case 'users':
      return `Plan more users, more time or shorter pauses, for at least ${formatCount(least)} journeys in that stage.`;
    case 'arrivals':
      return `Plan at least ${formatCount(least)} arrivals in that stage.`;
    default:
      return load satisfies never;
  }
}

/** How often a step is asked for in a stage if answers take no time; null where nothing bounds it. */
function journeysAtMost(plan: Plan, stage: number): number | null {
  const found = plan.load.stages[stage];
  if (plan.load.model !== 'users' || found === undefined || !('users' in found)) return plannedJourneysOf(plan, stage);
  const journeySeconds = plan.journey.length * meanPauseSeconds(plan.load.thinkTime);
  return journeySeconds === 0 ? null : Math.ceil((found.users * found.seconds) / journeySeconds);
}

/** In an open model no more can be answered than is asked. */
function checkThroughput(plan: Plan, objective: Extract<Objective, { kind: 'throughput' }>, path: string): Issue[] {
  const perJourney = objective.step === undefined ? plan.journey.length : 1;
  const low = scopeOf(plan, objective).flatMap((stage) => {
    const found = plan.load.stages[stage];
    const seconds = found === undefined ? null : secondsOf(found);
    if (plan.load.model !== 'arrivals' || seconds === null) return [];
    const perSecond = ((plannedJourneysOf(plan, stage) ?? 0) * perJourney) / seconds;
    return perSecond < objective.minPerSecond / ROOM_FOR_THE_LAST ? [{ stage, perSecond }] : [];
  });
  const [first] = low;
  if (first === undefined) return [];
  const { stage, perSecond } = first;
  return [
    warning(
      'THROUGHPUT_ABOVE_LOAD',
      `${path}.minPerSecond`,
      `“${stageName(plan, stage)}” asks ${formatNumber(perSecond)} times a second, so ${formatNumber(objective.minPerSecond)} good answers a second will hardly come.`,
      'Let more arrive than you need: answers that are still on their way when the stage ends do not count for its rate.',
    ),
  ];
}

function leastFor(objective: Exclude<Objective, { kind: 'throughput' }>): number {
  switch (objective.kind) {
    case 'responseTime':
      return leastRequests(1 - objective.percentile / 100);
    case 'errors':
      return leastRequests(objective.maxShare);
    case 'apdex':
      return APDEX_SAMPLES;
    default:
      return objective satisfies never;
  }
}
