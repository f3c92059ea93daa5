import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const vitestSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  success: z.boolean(),
});

/** Counts of Vitest's JSON report. A file that did not even load has no test that failed, so it counts as one. */
export function vitestCounts(file: string): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = vitestSchema.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const failed = numFailedTests === 0 && !success ? 1 : numFailedTests;
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}

const playwrightSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()).default([]),
});

/** Counts of Playwright's JSON report. A test that passed only when repeated has failed once, so it counts as failed. */
export function playwrightCounts(file: string): Counts {
  const { stats, errors } = playwrightSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

const storiesSchema = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });

/** Counts of the report that the stories leave. Those that wait are none of them. */
export function storyCounts(file: string): Counts {
  const { passed, failed, skipped } = storiesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { passed, failed, skipped };
}
