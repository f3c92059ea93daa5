import type { Plan } from '#core/plan/schema/plan.ts';
import { autocannon } from './autocannon.ts';
import type { Engine, EngineName, OwnEngine } from './engine.ts';

/**
 * Supports every plan. The version increases when its measurements change. It allocates few objects per request, so a small
 * young generation costs no speed: 10,000 listeners take 20 to 30 MB less.
 */
const native: Engine = { name: 'native', version: '1', youngObjectsMb: 24, hindrancesOf: () => [] };

/** In order of preference. */
export const OWN_ENGINES: readonly [Engine, ...Engine[]] = [autocannon, native];

export function ownEngine(name: OwnEngine): Engine {
  return OWN_ENGINES.find((engine) => engine.name === name) ?? native;
}

/** Returns the engine of a plan: the named one, else the first that supports it. */
export function engineFor(plan: Plan): EngineName {
  return plan.engine === 'auto' ? engineForAll([plan]).name : plan.engine;
}

/** Returns the first of our engines that supports all of these plans. */
export function engineForAll(plans: readonly Plan[]): Engine {
  return OWN_ENGINES.find(({ hindrancesOf }) => plans.every((plan) => hindrancesOf(plan).length === 0)) ?? native;
}
