import { plannedJourneysOf } from '#core/load/planned.ts';
import { formatCount } from '#core/units.ts';
import { leastRequests } from '#core/verdict/enough.ts';
import type { Issue } from '../issues.ts';
import { countedStages, stageName } from '../names.ts';
import type { Objective, Plan } from '../schema.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './make.ts';

/** Below this many samples an Apdex is marked as coming from too few (Apdex specification 1.1, §5.4). */
export const APDEX_SAMPLES = 100;

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
          `The stage “${objective.stage}” is not counted, so nothing of it is judged.`,
          'Name a counted stage, or count it.',
        ),
      );
    }
  }
  return issues;
}

/** Warns before a run that could not hold even if every single request was good. */
function checkDecidable(plan: Plan, objective: Objective, path: string): Issue[] {
  if (objective.kind === 'throughput') return [];
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
  const small = countedStages(plan).find((index) => {
    const journeys = plannedJourneysOf(plan, index);
    const about = objective.stage === undefined || objective.stage === stageName(plan, index);
    return about && journeys !== null && journeys < least;
  });
  if (small === undefined) return [];
  const requests = plannedJourneysOf(plan, small) ?? 0;
  return [
    warning(
      'TOO_FEW_REQUESTS',
      path,
      `${formatCount(requests)} requests of a step in “${stageName(plan, small)}” cannot decide this objective, however good they are.`,
      `Plan at least ${formatCount(least * plan.journey.length)} requests in that stage.`,
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
