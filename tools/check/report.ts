import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A failed test, or a file that could not be loaded and therefore has no test name. */
export interface Failure {
  /** The argument with which the runner repeats the test: a path and, for Playwright, the line. */
  readonly location: string;
  readonly test: string;
  /** Whether the report shows that only times, and values that depend on times, were wrong. */
  readonly ofTimes?: boolean;
}

/** A skipped test. */
export interface Skipped {
  readonly test: string;
  /** The missing program with its install command; null if the test does not state a reason. */
  readonly reason: string | null;
}

export interface SuiteReport {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  readonly skipped: readonly Skipped[];
}

/** Matches the part of a title that names a missing program with its install command: see `whyNot` in src/lab/testing/needs.ts. */
const MISSING = /[\w .+-]+ is missing \([^)]+\)/g;

function skippedTest(test: string, reason?: string): Skipped {
  const programs = (reason ?? test).match(MISSING)?.map((program) => program.trim());
  return { test, reason: programs?.join(', ') ?? reason ?? null };
}

const vitestSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  success: z.boolean(),
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) }),
  ),
});

/** Reads Vitest's JSON report. A file that could not be loaded counts as one failed test. */
export function readVitest(file: string): SuiteReport {
  const report = vitestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failures = report.testResults.flatMap(({ name: location, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName: test }) => ({ location, test }));
    return tests.length === 0 && status === 'failed' ? [{ location, test: 'the file as a whole' }] : tests;
  });
  // A failure outside of all files, which is an uncaught error, is not in any list.
  const failed = Math.max(report.numFailedTests, failures.length, report.success ? 0 : 1);
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => skippedTest(fullName));
  return { counts: { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests }, failures, skipped };
}

const playwrightSpecSchema = z.object({
  title: z.string(),
  ok: z.boolean(),
  file: z.string(),
  line: z.int(),
  tests: z
    .array(
      z.object({
        status: z.string(),
        annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })).default([]),
      }),
    )
    .default([]),
});

interface PlaywrightSuite {
  readonly specs: readonly z.infer<typeof playwrightSpecSchema>[];
  readonly suites?: readonly PlaywrightSuite[] | undefined;
}

const playwrightSuiteSchema: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpecSchema),
  suites: z.lazy(() => z.array(playwrightSuiteSchema)).optional(),
});

const playwrightSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  suites: z.array(playwrightSuiteSchema).default([]),
  errors: z.array(z.unknown()).default([]),
});

/** Reads Playwright's JSON report. */
export function readPlaywright(file: string): SuiteReport {
  const { stats, suites, errors } = playwrightSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const specs = suites.flatMap(getSpecs);
  const failures = specs.filter(({ ok }) => !ok).map(({ title, file: spec, line }) => ({ location: `${spec}:${line}`, test: title }));
  const skipped = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => skippedTest(title, annotations.find(({ type }) => type === 'skip')?.description)),
  );
  return {
    counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped },
    failures,
    skipped,
  };
}

function getSpecs({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(getSpecs)];
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
const playedCellSchema = z.object({ id: z.string(), wrong: z.string().nullable() });
const breaksSchema = z.object({
  cells: z.array(playedCellSchema),
  untouched: z.array(playedCellSchema),
  notRun: z.array(z.object({ id: z.string(), why: z.string(), isProgramMissing: z.boolean() })),
});

/** Reads the report of the breaks. A cell has failed if its run does not show the break or could not be made. */
export function readBreaks(file: string): SuiteReport {
  const { cells, untouched, notRun } = breaksSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const played = [...cells, ...untouched];
  const red = [...played.filter(({ wrong }) => wrong !== null), ...notRun.filter(({ isProgramMissing }) => !isProgramMissing)];
  const skipped = notRun.filter(({ isProgramMissing }) => isProgramMissing).map(({ id, why }) => skippedTest(id, why));
  const passed = played.filter(({ wrong }) => wrong === null).length;
  return {
    counts: { passed, failed: red.length, skipped: skipped.length },
    failures: red.map(({ id }) => ({ location: 'e2e/stories/breaks', test: id })),
    skipped,
  };
}

type StoryEnding = z.infer<typeof storiesSchema>['outcomes'][number]['ending'];

/** Reads the report of the stories. */
export function readStories(file: string): SuiteReport {
  const { outcomes, ...counts } = storiesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const isRed = ({ kind, passed }: StoryEnding): boolean => kind === 'broken' || passed === false;
  const failures = outcomes
    .filter(({ ending }) => isRed(ending))
    .map(({ id, ending }) => ({ location: 'e2e/stories', test: id, ofTimes: ending.kind === 'reported' && !hasWrongCount(ending) }));
  return { counts, failures, skipped: [] };
}

/** Returns whether app and log differ in a count, or a value in the log is missing in the app. A busy machine explains neither. */
function hasWrongCount({ figures = [] }: StoryEnding): boolean {
  return figures.some(
    ({ within, agreeWithin = within, measured, logged }) =>
      logged !== null && (measured === null || (agreeWithin === 0 && measured !== logged)),
  );
}
