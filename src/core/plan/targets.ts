import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step, Target } from './schema/plan.ts';

type TargetsOfPlan = Pick<Plan, 'targets' | 'namedTargets'>;

/** All servers that a plan sends measured requests to: those of the load, and those that steps name. */
export function allTargets({ targets, namedTargets = {} }: TargetsOfPlan): Target[] {
  return [...targets, ...Object.values(namedTargets)];
}

/** The named target of a step; undefined where it has none, or the plan does not know the name. */
export function namedTargetOf({ namedTargets = {} }: Pick<Plan, 'namedTargets'>, { target }: Pick<Step, 'target'>): Target | undefined {
  return target === undefined ? undefined : getOwn(namedTargets, target);
}

/** The target that a step is sent to; without a name of its own, the first of the load. */
export function targetOfStep(plan: TargetsOfPlan, step: Pick<Step, 'target'>): Target | undefined {
  return namedTargetOf(plan, step) ?? plan.targets[0];
}
