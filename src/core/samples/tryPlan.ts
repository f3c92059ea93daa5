import { z } from 'zod';
import type { Plan } from '../plan/schema.ts';
import { sampleSchema } from './schema.ts';

const MOST_SECONDS = 120;
const LONGEST_ANSWER_SECONDS = 30;

/** What trying a journey once found out. Nothing of it is counted or stored. */
export const tryReportSchema = z.strictObject({
  samples: z.array(sampleSchema),
  /** Every step was taken and every answer was good. */
  isGood: z.boolean(),
  /** Steps that were not reached. */
  notReached: z.array(z.string()),
  /** Why it could not be walked at all. */
  problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});
export type TryReport = z.infer<typeof tryReportSchema>;

/** The plan with a load of one visitor who walks its journey once, without pauses, to its first target. */
export function tryPlan(plan: Plan): Plan {
  const { safety, targets, journey } = plan;
  return {
    ...plan,
    targets: targets.slice(0, 1),
    journey: journey.map(({ thinkTime: _pause, ...step }) => step),
    load: { model: 'connections', stages: [{ connections: 1, requests: journey.length, counted: true }] },
    objectives: [],
    safety: { errorWindowSeconds: safety.errorWindowSeconds, consentedHosts: safety.consentedHosts, maxSeconds: MOST_SECONDS },
    engine: 'native',
    threads: 1,
    timeoutSeconds: Math.min(plan.timeoutSeconds, LONGEST_ANSWER_SECONDS),
  };
}
