import type { Plan } from '#core/plan/schema/plan.ts';
import { autocannon } from './autocannon.ts';
import type { Engine, EngineName, OwnEngine } from './engine.ts';

/**
 * It does all that a plan can say. Its version is counted up when what it measures changes. It makes hardly any object for a request and is
 * as fast with little space for young ones: 10,000 listeners take 20 to 30 MB less.
 */
const native: Engine = { name: 'native', version: '1', youngObjectsMb: 24, hindrancesOf: () => [] };

/** The preferred one first. */
export const OWN_ENGINES: readonly [Engine, ...Engine[]] = [autocannon, native];

export function ownEngine(name: OwnEngine): Engine {
  return OWN_ENGINES.find((engine) => engine.name === name) ?? native;
}

/** Which engine runs the plan: the one it names, else the first that will do. */
export function engineFor(plan: Plan): EngineName {
  return plan.engine === 'auto' ? engineForAll([plan]).name : plan.engine;
}

/** The first engine of ours that does all of these plans. */
export function engineForAll(plans: readonly Plan[]): Engine {
  return OWN_ENGINES.find(({ hindrancesOf }) => plans.every((plan) => hindrancesOf(plan).length === 0)) ?? native;
}
