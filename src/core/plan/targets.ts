import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step, Target } from './schema/plan.ts';

type TargetsOfPlan = Pick<Plan, 'targets' | 'namedTargets'>;

/** Returns all targets of a plan: those of the load, and the named ones. */
export function allTargets({ targets, namedTargets = {} }: TargetsOfPlan): Target[] {
  return [...targets, ...Object.values(namedTargets)];
}

/** Returns the named target of a step; undefined if it has none or the name is unknown. */
export function findNamedTarget({ namedTargets = {} }: Pick<Plan, 'namedTargets'>, { target }: Pick<Step, 'target'>): Target | undefined {
  return target === undefined ? undefined : getOwn(namedTargets, target);
}

/** Returns the target of a step: the named one, else the first of the load. */
export function targetOfStep(plan: TargetsOfPlan, step: Pick<Step, 'target'>): Target | undefined {
  return findNamedTarget(plan, step) ?? plan.targets[0];
}
