import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { planFacts, type Check, type OwnCertificate, type PlanFacts, type Unknown } from './check.ts';
import { databaseRights, type AskDatabase } from './databaseRights.ts';
import { feeds } from './feeds.ts';
import { serverList } from './serverList.ts';
import { serversBehind } from './serversBehind.ts';
import { sharedMachine } from './sharedMachine.ts';
import { targetReachable } from './targetReachable.ts';

type Run = (facts: PlanFacts) => Promise<CheckFinding | null>;

/** Every check that takes more than a shell, in the order in which they are shown. */
const CHECKS: readonly Run[] = [runnable(sharedMachine), runnable(targetReachable), runnable(serversBehind), runnable(serverList)];

const LISTS = runnable(feeds);

/** Checks plan and target from this machine. What cannot be read is `unknown`, never `ok`; one check that fails does not stop the others. */
export async function checkPlan(
  plan: Plan,
  clientCertificate: OwnCertificate,
  isAgreed: boolean,
  askDatabase: AskDatabase,
): Promise<CheckFinding[]> {
  const facts = planFacts(plan, clientCertificate, isAgreed);
  const checks = [...(plan.feeds === undefined ? [] : [LISTS]), ...CHECKS, runnable(databaseRights(askDatabase))];
  const findings = await Promise.all(checks.map((run) => run(facts)));
  return findings.filter((finding) => finding !== null);
}

function runnable<Reading>(check: Check<Reading>): Run {
  return async (facts) => {
    if (check.appliesTo?.(facts) === false) return null;
    try {
      const reading = await check.probe(facts);
      return isUnknown(reading) ? unknownFinding(check, reading.unknown) : { id: check.id, ...check.judge(reading, facts) };
    } catch (thrown) {
      return unknownFinding(check, thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
}

function isUnknown<Reading>(reading: Reading | Unknown): reading is Unknown {
  return typeof reading === 'object' && reading !== null && 'unknown' in reading;
}

function unknownFinding({ id, about }: Pick<Check<unknown>, 'id' | 'about'>, why: string): CheckFinding {
  return { id, level: 'unknown', title: `${about}: not known`, evidence: why, matters: 'It is not checked for this plan.', remedy: null };
}
