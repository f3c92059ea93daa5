import { engineFor } from '#core/review/engineFor.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import { k6OnlyHere } from '#engine/startEngine.ts';
import { generatorHosts } from './generators/openPlaces.ts';

/** Throws `K6_ONLY_HERE`, `K6_MISSING` or `K6_VERSION` for a plan that k6 is to run and cannot, before anything of the run is stored. */
export async function k6MayStart(plan: Plan, on: readonly string[] | undefined): Promise<void> {
  if (engineFor(plan) !== 'k6') return;
  const hosts = generatorHosts(on);
  if (hosts.length > 1 || hosts.some((host) => host !== null)) throw k6OnlyHere();
  await findK6();
}
