import type { CheckFinding } from '#core/checks/finding.ts';
import { levelOf } from '#core/load/stages.ts';
import type { Problem } from '#core/errors.ts';
import type { ClientCertificate } from '#core/plan/clientCertificate.ts';
import type { Plan } from '#core/plan/schema.ts';

/** What a check needs to know of the plan. */
export interface PlanFacts {
  readonly plan: Plan;
  /** Connections open at once, in the busiest stage. */
  readonly connections: number;
  readonly targetHosts: readonly string[];
  readonly clientCertificate: OwnCertificate;
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
 * One check of this machine: `probe` reads, `judge` decides. `judge` is pure, so every answer can be tested on any machine.
 * A template: openFiles.ts.
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

export function planFacts(plan: Plan, clientCertificate: OwnCertificate = { kind: 'none' }): PlanFacts {
  return {
    plan,
    connections: mostConnections(plan),
    clientCertificate,
    targetHosts: [...new Set(plan.targets.map(({ url }) => new URL(url).host))],
  };
}

/** Connections that a plan may hold open at the same time: of a rate it is known only how many at most. */
function mostConnections({ load }: Plan): number {
  if (load.model === 'arrivals')
    return Math.max(...load.stages.map((stage) => ('maxInFlight' in stage ? stage.maxInFlight : undefined) ?? load.maxInFlight));
  return Math.max(...load.stages.map((stage) => levelOf(stage).highest));
}

/** A check that needs a file of /proc cannot be made elsewhere. */
export const ONLY_LINUX: Unknown = { unknown: 'Holdfast can read this on Linux only.' };

export const counted = new Intl.NumberFormat('en');
