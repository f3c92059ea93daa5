import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { Problem } from '#core/base/errors.ts';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { allTargets } from '#core/plan/targets.ts';

/** What a check needs to know of the plan. */
export interface PlanFacts {
  readonly plan: Plan;
  readonly targetHosts: readonly string[];
  readonly clientCertificate: OwnCertificate;
  /** Whether a person has agreed to what the plan asks for: before that nothing of it is opened or connected to. */
  readonly isAgreed: boolean;
}

/** The client certificate of a plan. One whose secret has to be asked for counts as none until the run starts. */
export type OwnCertificate =
  | { readonly kind: 'none' }
  | { readonly kind: 'usable'; readonly certificate: ClientCertificate }
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** Why a reading could not be had. */
export interface Unknown {
  readonly unknown: string;
}

/**
 * One check that takes more than a shell: of the target, of files of the plan. `probe` reads, `judge` decides and is pure. What a shell can read, on this
 * machine and on hosts, is in src/core/machines/checks/host.
 */
export interface Check<Reading> {
  readonly id: string;
  /** What is looked at, in words, for the case that it cannot be read. */
  readonly about: string;
  /** Whether there is anything to look at for a plan; left out, always. */
  appliesTo?(facts: PlanFacts): boolean;
  probe(facts: PlanFacts): Promise<Reading | Unknown> | Reading | Unknown;
  judge(reading: Reading, facts: PlanFacts): Omit<CheckFinding, 'id'>;
}

export function planFacts(plan: Plan, clientCertificate: OwnCertificate = { kind: 'none' }, isAgreed = true): PlanFacts {
  return {
    plan,
    isAgreed,
    clientCertificate,
    targetHosts: [...new Set(allTargets(plan).map(({ url }) => new URL(url).host))],
  };
}
