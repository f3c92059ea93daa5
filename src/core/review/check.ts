import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkBells, checkReloads } from './checks/bells.ts';
import { checkConnections, checkTargets, checkWatch } from './checks/servers.ts';
import { checkDemand, checkSafety } from './checks/safety.ts';
import { checkEngine } from './checks/engine.ts';
import { checkFlow } from './checks/flow.ts';
import { checkJourney } from './checks/journey.ts';
import { checkLoad } from './checks/load.ts';
import { checkCriteria } from './checks/criteria.ts';
import { checkPopulate, checkStored } from './checks/populate.ts';
import { checkValues } from './checks/values.ts';
import { checkVisitors } from './checks/visitors.ts';

/**
 * Checks a plan beyond its schema: contradictions are errors, probable mistakes are
 * warnings. Returns all problems in the order of the plan.
 */
export function checkPlan(plan: Plan): Issue[] {
  return [
    checkTargets,
    checkJourney,
    checkFlow,
    checkBells,
    checkReloads,
    checkValues,
    checkLoad,
    checkCriteria,
    checkSafety,
    checkEngine,
    checkConnections,
    checkPopulate,
    checkDemand,
    checkStored,
    checkWatch,
    checkVisitors,
  ].flatMap((check) => check(plan));
}
