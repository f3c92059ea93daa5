import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test that failed, or a file that did not load (then without a name of a test). */
export interface Failure {
  /** As the runner takes it to run it again: a path, for Playwright with its line. */
  readonly place: string;
  readonly test: string;
  /** True where the report itself tells that nothing but times, and what follows from them, was wrong. */
  readonly ofTimes?: boolean;
}

export interface SuiteReport {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
}

const vitestSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Vitest's JSON report. A file that did not even load has no test that failed, so it counts as one. */
export function readVitest(file: string): SuiteReport {
  const report = vitestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failures = report.testResults.flatMap(({ name: place, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName: test }) => ({ place, test }));
    return tests.length === 0 && status === 'failed' ? [{ place, test: 'the file as a whole' }] : tests;
  });
  // What failed outside all files (an error that nobody caught) is in no list.
  const failed = Math.max(report.numFailedTests, failures.length, report.success ? 0 : 1);
  return { counts: { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests }, failures };
}

interface PlaywrightSuite {
  readonly specs: readonly { readonly title: string; readonly ok: boolean; readonly file: string; readonly line: number }[];
  readonly suites?: readonly PlaywrightSuite[] | undefined;
}

const playwrightSuiteSchema: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(z.object({ title: z.string(), ok: z.boolean(), file: z.string(), line: z.int() })),
  suites: z.lazy(() => z.array(playwrightSuiteSchema)).optional(),
});

const playwrightSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  suites: z.array(playwrightSuiteSchema).default([]),
  errors: z.array(z.unknown()).default([]),
});

/** Playwright's JSON report. */
export function readPlaywright(file: string): SuiteReport {
  const { stats, suites, errors } = playwrightSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failures = suites
    .flatMap(specsOf)
    .filter(({ ok }) => !ok)
    .map(({ title, file: spec, line }) => ({ place: `${spec}:${line}`, test: title }));
  return { counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped }, failures };
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}

const storiesSchema = z.object({
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  outcomes: z.array(
    z.object({
      id: z.string(),
      ending: z.object({
        kind: z.string(),
        passed: z.boolean().optional(),
        figures: z
          .array(
            z.object({
              within: z.number(),
              agreeWithin: z.number().optional(),
              measured: z.number().nullable(),
              logged: z.number().nullable(),
            }),
          )
          .optional(),
      }),
    }),
  ),
});
type StoryEnding = z.infer<typeof storiesSchema>['outcomes'][number]['ending'];

/** The report that the stories leave. */
export function readStories(file: string): SuiteReport {
  const { outcomes, ...counts } = storiesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const isRed = ({ kind, passed }: StoryEnding): boolean => kind === 'broken' || passed === false;
  const failures = outcomes
    .filter(({ ending }) => isRed(ending))
    .map(({ id, ending }) => ({ place: 'e2e/stories', test: id, ofTimes: ending.kind === 'told' && !hasWrongCount(ending) }));
  return { counts, failures };
}

/** Whether app and log differ in something that both counted, one by one, or the app does not know what was logged: no busy machine excuses that. */
function hasWrongCount({ figures = [] }: StoryEnding): boolean {
  return figures.some(
    ({ within, agreeWithin = within, measured, logged }) =>
      logged !== null && (measured === null || (agreeWithin === 0 && measured !== logged)),
  );
}
