import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { Problem } from '#core/base/errors.ts';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';

export interface PlanFacts {
  readonly plan: Plan;
  readonly targetHosts: readonly string[];
  readonly clientCertificate: OwnCertificate;
  /** Whether the user has agreed to what the plan asks for. Before that, no file is opened and no connection is made. */
  readonly isAgreed: boolean;
}

/** The client certificate of a plan. Its kind is `none` until the run starts if its secret must be asked for. */
export type OwnCertificate =
  | { readonly kind: 'none' }
  | { readonly kind: 'usable'; readonly certificate: ClientCertificate }
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** The reason why a reading is missing. */
export interface Unknown {
  readonly unknown: string;
}

/**
 * A check that needs more than a shell, because it reads the target or files of the plan. `probe` reads; `judge` is pure. Checks that need
 * only a shell, on this machine and on hosts, are in src/core/machines/checks/host.
 */
export interface Check<Reading> {
  readonly id: string;
  /** What is checked, as text for the case that the reading is missing. */
  readonly about: string;
  /** Whether the check applies to a plan; by default it always does. */
  appliesTo?(facts: PlanFacts): boolean;
  probe(facts: PlanFacts): Promise<Reading | Unknown> | Reading | Unknown;
  judge(reading: Reading, facts: PlanFacts): Omit<CheckFinding, 'id'>;
}

export function makePlanFacts(plan: Plan, clientCertificate: OwnCertificate = { kind: 'none' }, isAgreed = true): PlanFacts {
  return { plan, isAgreed, clientCertificate, targetHosts: [...new Set(listTargets(plan).map(({ url }) => new URL(url).host))] };
}
