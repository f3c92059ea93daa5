import { checkConnections } from './checks/connections.ts';
import { checkDemand } from './checks/demand.ts';
import { checkEngine } from './checks/engine.ts';
import { checkFlow } from './checks/flow.ts';
import { checkJourney } from './checks/journey.ts';
import { checkLoad } from './checks/load.ts';
import { checkObjectives } from './checks/objectives.ts';
import { checkPopulate } from './checks/populate.ts';
import { checkSafety } from './checks/safety.ts';
import { checkStored } from './checks/stored.ts';
import { checkTargets } from './checks/targets.ts';
import { checkValues } from './checks/values.ts';
import { checkWatch } from './checks/watch.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * Everything about a plan that its schema cannot say: what contradicts itself (errors) and what will probably disappoint
 * (warnings). All problems at once, in the order of the plan.
 */
export function checkPlan(plan: Plan): Issue[] {
  return [
    checkTargets,
    checkJourney,
    checkFlow,
    checkValues,
    checkLoad,
    checkObjectives,
    checkSafety,
    checkEngine,
    checkConnections,
    checkPopulate,
    checkDemand,
    checkStored,
    checkWatch,
  ].flatMap((check) => check(plan));
}
