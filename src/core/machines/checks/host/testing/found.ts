import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import type { Role } from '#core/machines/checks/finding.ts';
import type { HostCheck, HostFacts } from '../hostCheck.ts';
import { planLoad, type SeenResponse } from '../planLoad.ts';

export interface FactsOfPlan {
  readonly plan?: Partial<PlanInput>;
  readonly role?: Role;
  readonly seen?: SeenResponse | null;
  readonly isRemote?: boolean;
}

/** Returns the context of a check; by default, a generator with 10 connections to one server. */
export function factsFor({ plan = {}, role = 'generator', seen = null, isRemote = false }: FactsOfPlan = {}): HostFacts {
  const whole = planWith({ targets: [{ url: 'http://10.0.0.2:8080/' }], ...plan });
  return { role, load: planLoad(whole, seen), clock: null, isRemote };
}

/** Returns the finding of a check for the output of its probes. */
export function found<Reading>(check: HostCheck<Reading>, outputs: readonly string[], about: FactsOfPlan = {}) {
  const facts = factsFor(about);
  const reading = check.read(outputs);
  if (reading === null) throw new Error('nothing was read');
  return { ...check.judge(reading, facts), remedy: check.remedy?.(reading, facts) ?? null };
}
