import { z } from 'zod';
import { SICK_CAUSES } from '../window.ts';

/** Version of the JSON that `holdfast selftest --json` writes. It changes when a reader of the old one would be misled. */
export const SELF_TEST_SCHEMA = 'holdfast.selftest/1';

/**
 * One figure of a check: what the engine measured beside what the server knows. `tolerance` is how far the two may lie apart,
 * in the unit of the figure; 0 asks for the same number. null: nothing was measured, which never passes.
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
  /** Of the behaviour and load, e.g. `fixedDelay`; together with the engine it is unique in a report. */
  id: z.string(),
  title: z.string(),
  /** What the server did, and under which load. */
  story: z.string(),
  engine: z.string(),
  engineVersion: z.string(),
  facts: z.array(selfTestFactSchema),
  passed: z.boolean(),
  /** How often the times were measured again because the hypervisor took processor time away. */
  repeats: z.int().min(0),
  /** Share of the machine's processor time that the hypervisor took away during the measurement; null where it cannot be known. */
  steal: z.number().nullable(),
  /** Share of it that was in use, by this and everything else; null where it cannot be known. */
  processorUse: z.number().nullable(),
  /** Why the engine itself doubted seconds of it. */
  sick: z.array(z.enum(SICK_CAUSES)),
  /** Why nothing could be measured; null when something was. */
  problem: z.string().nullable(),
});
export type SelfTestCheck = z.infer<typeof selfTestCheckSchema>;

/** What this machine reached against a server on itself, which shared its cores: each is a lower bound. null: not measured. */
export const selfTestLimitsSchema = z.strictObject({
  /** Closed model, connections kept open, tiny answers. */
  requestsPerSecond: z.number().nullable(),
  /** Open model: the highest rate found that was offered in full with a schedule lag p99 below `lagLimitMs`. */
  arrivalsPerSecond: z.number().nullable(),
  lagLimitMs: z.number(),
  /** A new connection for every request. */
  connectionsPerSecond: z.number().nullable(),
});
export type SelfTestLimits = z.infer<typeof selfTestLimitsSchema>;

/** Facts that tell one machine (and one installation on it) from another and survive a restart. */
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
  /** The short variant: one engine, shorter loads. */
  quick: z.boolean(),
  machine: selfTestMachineSchema,
  checks: z.array(selfTestCheckSchema),
  limits: selfTestLimitsSchema,
  passed: z.boolean(),
});
export type SelfTestReport = z.infer<typeof selfTestReportSchema>;

/** Where a self-test stands. `report` is set in the last item only, when it is stored. */
export const selfTestProgressSchema = z.strictObject({
  done: z.int(),
  total: z.int(),
  /** What is being measured; null before the first and after the last. */
  current: z.string().nullable(),
  checks: z.array(selfTestCheckSchema),
  limits: selfTestLimitsSchema,
  report: selfTestReportSchema.nullable(),
});
export type SelfTestProgress = z.infer<typeof selfTestProgressSchema>;

/** What is stored with every run about the last self-test of the machine that made its load. */
export const selfTestSummarySchema = z.strictObject({
  at: z.iso.datetime(),
  quick: z.boolean(),
  passed: z.int(),
  /** Names of the checks that failed. */
  failed: z.array(z.string()),
  maxRequestsPerSecond: z.number().nullable(),
  maxArrivalsPerSecond: z.number().nullable(),
});
export type SelfTestSummary = z.infer<typeof selfTestSummarySchema>;

/** Where the hypervisor took more than this share of the processor away, times that are off say nothing of what measured them. */
export const MAX_STEAL = 0.01;

/** `wrong`: a count is, or a check could not be made. The others: only times are off, because this machine was busy or because its host took the processor away. */
export type SelfTestOutcome = 'passed' | 'wrong' | 'busy' | 'stolen';

/** What the checks of a self-test come to. */
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

/** What the limits of a machine are called. */
export const LIMIT_NAMES = {
  requestsPerSecond: 'Requests per second',
  arrivalsPerSecond: 'Arrivals per second',
  connectionsPerSecond: 'New connections per second',
} as const;
