import type { Plan } from '#core/plan/schema/plan.ts';
import type { Finding } from '#core/result/schema.ts';
import { collectFacts, randomFrom, simulate, type SimulatedServer } from '#core/testing/queueRun.ts';
import { diagnose } from '../diagnose.ts';
import type { MeasuredRun } from '../rule.ts';

/** Returns the result of a plan against a simulated server. */
export function played(plan: Plan, server: SimulatedServer, untilMs?: number): MeasuredRun {
  return collectFacts(plan, simulate(plan, server, randomFrom(1)), untilMs);
}

/** Returns the findings of a rule after all rules were applied. */
export function findingsBy(rule: string, given: MeasuredRun): Finding[] {
  return diagnose(given).filter(({ id }) => id === rule || id.startsWith(`${rule}.`));
}

export function idsOf(given: MeasuredRun): string[] {
  return diagnose(given).map(({ id }) => id);
}

/** Returns the number with the given name in a finding; NaN if absent. */
export function numberOf(finding: Finding | undefined, what: string): number {
  const value = finding?.figures?.find((one) => one.what === what)?.value ?? '';
  return Number.parseFloat(value.replaceAll(',', ''));
}
