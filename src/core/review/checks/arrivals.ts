import { MAX_POISSON_ARRIVALS, type Schedule, scheduleOf } from '#core/work/load/arrivals.ts';
import { isSteady, levelOf, maxInFlightOf } from '#core/work/load/stages.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { goodEnoughSeconds, journeysAtLimit } from '#core/work/load/planned.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { ArrivalsStage, Load } from '#core/plan/schema/load.ts';
import { judgedCriteria, stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkReached, warning } from './make.ts';

type ArrivalsLoad = Extract<Load, { model: 'arrivals' }>;

/** Checks the stages of the model `arrivals`. */
export function checkArrivals(plan: Plan, load: ArrivalsLoad): Issue[] {
  const schedule = scheduleOf(plan);
  if (schedule === null) return [];
  const total = schedule.perStage.reduce((sum, arrivals) => sum + arrivals, 0);
  if (total === 0) {
    return [
      error(
        'NOTHING_BEGINS',
        'load.stages',
        'No journey begins in this plan.',
        'Give at least one stage a rate with at least one arrival.',
      ),
    ];
  }
  return [
    ...checkPoisson(load, schedule),
    ...load.stages.flatMap((stage, index) => [
      ...checkEmpty(stage, schedule.perStage[index] ?? 0, `load.stages[${index}]`),
      ...(schedule.perStage[index] ? checkReached(plan, schedule.perStage[index], 'arrivals', `load.stages[${index}]`) : []),
      ...checkCap(plan, load, stage, index),
      ...checkRamp(plan, stage, index),
    ]),
  ];
}

function checkPoisson({ spacing }: ArrivalsLoad, { curve }: Schedule): Issue[] {
  if (spacing !== 'poisson' || curve.amount <= MAX_POISSON_ARRIVALS) return [];
  return [
    error(
      'POISSON_TOO_LONG',
      'load.spacing',
      `Before the run, Holdfast would have to draw about ${formatCount(Math.round(curve.amount))} random arrival times.`,
      `Plan at most ${formatCount(MAX_POISSON_ARRIVALS)}, or space them evenly (spacing: uniform).`,
    ),
  ];
}

function checkEmpty(stage: ArrivalsStage, arrivals: number, path: string): Issue[] {
  if (stage.kind === 'pause' || arrivals > 0) return [];
  return [
    warning(
      'NOTHING_BEGINS_HERE',
      path,
      'Nothing begins in this stage, so it cannot be judged.',
      'Raise its rate or duration, or make it a pause (kind: pause).',
    ),
  ];
}

/** Warns if the concurrency limit is too low even when every response just meets its criterion: dropped arrivals would decide the result. */
function checkCap(plan: Plan, load: ArrivalsLoad, stage: ArrivalsStage, index: number): Issue[] {
  const { highest } = levelOf(stage);
  const cap = maxInFlightOf(load, stage);
  const needed = journeysAtLimit(plan, load, stage, index);
  if (needed <= cap) return [];
  const where = 'maxInFlight' in stage && stage.maxInFlight !== undefined ? `load.stages[${index}].maxInFlight` : 'load.maxInFlight';
  const because = goodEnoughSeconds(plan, index) > 0 ? 'even if every response just meets its criterion' : 'from their pauses alone';
  return [
    warning(
      'CAP_TOO_LOW',
      where,
      `At ${formatNumber(highest)} arrivals a second, about ${formatCount(needed)} journeys are in progress at the same time ${because}. The plan allows ${formatCount(cap)}.`,
      `Further arrivals are left out and count as failed. Allow at least ${formatCount(needed)}, or lower the rate.`,
    ),
  ];
}

function checkRamp(plan: Plan, stage: ArrivalsStage, index: number): Issue[] {
  if (!stage.counted || isSteady(levelOf(stage)) || judgedCriteria(plan, index).length === 0) return [];
  const { from, to, highest } = levelOf(stage);
  const rates =
    from === to ? `from ${formatNumber(from)} to ${formatNumber(highest)} and back` : `from ${formatNumber(from)} to ${formatNumber(to)}`;
  return [
    warning(
      'RAMP_JUDGED_AS_ONE',
      `load.stages[${index}]`,
      `“${stageName(plan, index)}” runs ${rates} arrivals a second and is judged as a whole. Good seconds at a low rate hide bad ones at a high rate.`,
      'Judge stages with one rate each. Set counted: false here, and add a constant stage at the rate that matters.',
    ),
  ];
}
