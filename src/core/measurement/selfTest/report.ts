import { z } from 'zod';
import { OVERLOAD_CAUSES } from '../window.ts';

/** Schema version of the JSON that `holdfast selftest --json` writes. It changes when an old reader would misread the output. */
export const SELF_TEST_SCHEMA = 'holdfast.selftest/1';

/**
 * One figure of a check: measured by the engine, and known by the server. `tolerance` is the largest allowed difference in the unit of the
 * figure; 0 requires equality. A measured value of null means that nothing was measured, so the fact fails.
 */
export const selfTestFactSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['count', 'time']),
  unit: z.enum(['', 'bytes', 'ms']),
  measured: z.number().nullable(),
  known: z.number().nullable(),
  tolerance: z.number(),
  passed: z.boolean(),
});
export type SelfTestFact = z.infer<typeof selfTestFactSchema>;

/** One behaviour of the server, measured by one engine. */
export const selfTestCheckSchema = z.strictObject({
  /** Behaviour and load, e.g. `fixedDelay`. Unique in a report together with the engine. */
  id: z.string(),
  title: z.string(),
  /** The server's behaviour and the load. */
  story: z.string(),
  engine: z.string(),
  engineVersion: z.string(),
  facts: z.array(selfTestFactSchema),
  passed: z.boolean(),
  /** Number of times that the times were measured again because the hypervisor took processor time (steal). */
  repeats: z.int().min(0),
  /** Share of processor time stolen by the hypervisor during the measurement; null if unknown. */
  steal: z.number().nullable(),
  /** Share of processor time in use by all processes; null if unknown. */
  processorUse: z.number().nullable(),
  /** Reasons why the engine was overloaded in some seconds. */
  overloadedBy: z.array(z.enum(OVERLOAD_CAUSES)),
  /** Reason why nothing could be measured; null otherwise. */
  problem: z.string().nullable(),
});
export type SelfTestCheck = z.infer<typeof selfTestCheckSchema>;

/**
 * Rates that this machine reached against a server on the same machine. The server shared its cores, so each value is a lower bound. null:
 * not measured.
 */
export const selfTestLimitsSchema = z.strictObject({
  /** Rate in the closed model with persistent connections and tiny responses. */
  requestsPerSecond: z.number().nullable(),
  /** Rate in the open model: the highest that was offered in full with a p99 of the schedule lag below `lagLimitMs`. */
  arrivalsPerSecond: z.number().nullable(),
  lagLimitMs: z.number(),
  /** Rate with a new connection for every request. */
  connectionsPerSecond: z.number().nullable(),
});
export type SelfTestLimits = z.infer<typeof selfTestLimitsSchema>;

/** Facts that identify a machine and an installation on it across restarts. */
export const selfTestMachineSchema = z.strictObject({
  hostname: z.string(),
  platform: z.string(),
  processor: z.string(),
  cores: z.int(),
  nodeVersion: z.string(),
  holdfastVersion: z.string(),
});
export type SelfTestMachine = z.infer<typeof selfTestMachineSchema>;

export const selfTestReportSchema = z.strictObject({
  schema: z.literal(SELF_TEST_SCHEMA),
  at: z.iso.datetime(),
  seconds: z.number(),
  /** Whether the short variant ran: one engine, shorter loads. */
  quick: z.boolean(),
  machine: selfTestMachineSchema,
  checks: z.array(selfTestCheckSchema),
  limits: selfTestLimitsSchema,
  passed: z.boolean(),
});
export type SelfTestReport = z.infer<typeof selfTestReportSchema>;

/** Progress of a self-test. Only the last item has a `report`, once it is stored. */
export const selfTestProgressSchema = z.strictObject({
  done: z.int(),
  total: z.int(),
  /** Title of the current check; null before the first and after the last. */
  current: z.string().nullable(),
  checks: z.array(selfTestCheckSchema),
  limits: selfTestLimitsSchema,
  report: selfTestReportSchema.nullable(),
});
export type SelfTestProgress = z.infer<typeof selfTestProgressSchema>;

/** Summary of the load generator's last self-test, stored with every run. */
export const selfTestSummarySchema = z.strictObject({
  at: z.iso.datetime(),
  quick: z.boolean(),
  passed: z.int(),
  /** Names of the failed checks. */
  failed: z.array(z.string()),
  maxRequestsPerSecond: z.number().nullable(),
  maxArrivalsPerSecond: z.number().nullable(),
});
export type SelfTestSummary = z.infer<typeof selfTestSummarySchema>;

/** Maximum share of stolen processor time. Above it, deviating times do not indicate a fault of the engine. */
export const MAX_STEAL = 0.01;

/**
 * `wrong`: a count is wrong, or a check was impossible. `busy` and `stolen`: only times deviate, because this machine was busy or its host
 * took processor time.
 */
export type SelfTestOutcome = 'passed' | 'wrong' | 'busy' | 'stolen';

export function outcomeOfChecks(checks: readonly SelfTestCheck[]): SelfTestOutcome {
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return 'passed';
  if (failed.some(({ facts, problem }) => problem !== null || facts.some(({ kind, passed }) => kind === 'count' && !passed)))
    return 'wrong';
  return failed.every(({ steal }) => steal !== null && steal > MAX_STEAL) ? 'stolen' : 'busy';
}

export function nameOfCheck({ title, engine }: Pick<SelfTestCheck, 'title' | 'engine'>): string {
  return `${title} (${engine})`;
}

export function summaryOfSelfTest({ at, quick, checks, limits }: SelfTestReport): SelfTestSummary {
  const failed = checks.filter(({ passed }) => !passed);
  return {
    at,
    quick,
    passed: checks.length - failed.length,
    failed: failed.map(nameOfCheck),
    maxRequestsPerSecond: limits.requestsPerSecond,
    maxArrivalsPerSecond: limits.arrivalsPerSecond,
  };
}

/** Display names of the limits of a machine. */
export const LIMIT_NAMES = {
  requestsPerSecond: 'Requests per second',
  arrivalsPerSecond: 'Arrivals per second',
  connectionsPerSecond: 'New connections per second',
} as const;
