import { hindrancesOfAutocannon, type EngineName } from '#core/review/engineFor.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Which engine sends every cell's requests, and why in a sentence. */
export interface EngineChoice {
  readonly name: EngineName;
  readonly reason: string;
}

/** One engine for all cells, since figures of two engines would differ by the engine too: the named one, else the first that can do all. */
export function engineForAll(cells: readonly { readonly name: string; readonly plan: Plan }[]): EngineChoice {
  const named = cells[0]?.plan.engine ?? 'auto';
  if (named !== 'auto') return { name: named, reason: `Every cell is run by ${named}, which the plan names.` };
  for (const { name, plan } of cells) {
    const [first] = hindrancesOfAutocannon(plan);
    if (first === undefined) continue;
    return { name: 'native', reason: `Every cell is run by the native engine: for “${name}”, autocannon ${first.message}.` };
  }
  return { name: 'autocannon', reason: 'Every cell is run by autocannon, which can do all of them.' };
}
