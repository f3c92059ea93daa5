import type { Plan } from '#core/plan/schema/plan.ts';
import { STEP_HEADER, stepHeaderValue } from '#lab/breaks.ts';
import { slug } from './slug.ts';
import type { BreakTest } from './tests.ts';

const UNCOUNTED_SECONDS = 1;
const REST_SECONDS = 0.2;
const START_UP_SECONDS = 1;
const POLL_SECONDS = 6;
const DRAIN_SECONDS = 8;

/** Returns the plan of a test with shorter waits, limits that can be decided with fewer requests, and requests that name their steps. */
export function shorten(plan: Plan, test: BreakTest): Plan {
  return {
    ...plan,
    journey: plan.journey.map(({ budgetMs, ...step }) => ({
      ...step,
      ...(budgetMs === undefined || test.isWithoutTimes === true ? {} : { budgetMs }),
      headers: { ...step.headers, [STEP_HEADER]: stepHeaderValue(slug(step.name)) },
      ...(step.poll === undefined ? {} : { poll: { ...step.poll, mostSeconds: Math.min(step.poll.mostSeconds, POLL_SECONDS) } }),
    })),
    load: shortLoad(plan.load, test),
    criteria: plan.criteria.flatMap((criterion): Plan['criteria'] => {
      if (criterion.kind === 'responseTime' && test.isWithoutTimes === true) return [];
      return criterion.kind === 'errors' ? [{ ...criterion, maxShare: Math.max(criterion.maxShare, test.allowedShare ?? 0) }] : [criterion];
    }),
    drainSeconds: Math.min(plan.drainSeconds ?? DRAIN_SECONDS, DRAIN_SECONDS),
  };
}

function shortLoad(load: Plan['load'], { stageSeconds, isLastStageOnly }: BreakTest): Plan['load'] {
  const countShort = (seconds: number): number => Math.min(seconds, stageSeconds ?? seconds);
  switch (load.model) {
    case 'connections':
      return { ...load, stages: load.stages.map((stage) => (stage.counted ? stage : { ...stage, seconds: UNCOUNTED_SECONDS })) };
    case 'users':
      return {
        ...load,
        stages: load.stages.slice(isLastStageOnly === true ? -1 : 0).map((stage) => ({
          ...stage,
          restSeconds: Math.min(stage.restSeconds, REST_SECONDS),
          startUpSeconds: stage.startUpCounts === true ? stage.startUpSeconds : Math.min(stage.startUpSeconds, START_UP_SECONDS),
          seconds: countShort(stage.seconds),
        })),
      };
    case 'arrivals':
      return {
        ...load,
        stages: load.stages.map((stage) => {
          if (stage.kind !== 'constant' && stage.kind !== 'ramp') return stage;
          return { ...stage, seconds: stage.counted ? countShort(stage.seconds) : Math.min(stage.seconds, UNCOUNTED_SECONDS) };
        }),
      };
    default:
      return load satisfies never;
  }
}
