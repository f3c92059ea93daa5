import { rmSync } from 'node:fs';
import { capture, run } from '../launch/run.mjs';
import type { Counts, Failure, Skipped, SuiteReport } from './report.ts';
import { MAX_STOLEN_SHARE, watchSteal } from './doors.ts';

export interface StepResult {
  readonly name: string;
  readonly seconds: number;
  readonly counts: Counts;
  /** The reason why the step failed as a whole, in addition to its tests. */
  readonly problem?: string;
  /** What could not run here, and why. It is counted, and is a failure in strict mode. */
  readonly missing?: readonly string[];
  /** Failed tests. */
  readonly failures?: readonly Failure[];
  /** Timing tests that failed while too much processor time was stolen. They count neither as passed nor as failed. */
  readonly unjudged?: readonly Failure[];
  /** Tests that failed first but passed when they were repeated alone. They count as passed. */
  readonly repeated?: readonly Failure[];
}

export interface Step {
  readonly name: string;
  /** Whether the step prints nothing and judges no times. Silent steps that follow each other run in parallel. */
  readonly isSilent?: boolean;
  /** For silent steps, whether later steps may begin while this step runs. Its result is then printed after theirs. */
  readonly isLong?: boolean;
  /** Whether all earlier steps, except long ones, must have ended before this one begins. */
  readonly needsEarlierSteps?: boolean;
  /** Whether all long steps must have ended before this one begins. */
  readonly needsIdleMachine?: boolean;
  act(): Promise<Omit<StepResult, 'name' | 'seconds'>>;
}

const NO_COUNTS: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Returns a step that runs a tool and shows the tool's output only if it fails. */
export function toolStep(name: string, root: string, file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Step {
  return {
    name,
    isSilent: true,
    async act() {
      const { code, output } = await capture(process.execPath, [`${root}/node_modules/${file}`, ...args], {
        cwd: root,
        env: { ...process.env, ...env },
      });
      return code === 0 ? { counts: NO_COUNTS } : { counts: NO_COUNTS, problem: `${output.trimEnd()}\n${name} found problems` };
    },
  };
}

interface Program {
  readonly name: string;
  readonly root: string;
  /** Path of the program, relative to the root. */
  readonly file: string;
  readonly args: readonly string[];
}

/** Returns a step that runs a long program with visible output. The step passes or fails as a whole. */
export function programStep({ name, root, file, args }: Program): Step {
  return {
    name,
    async act() {
      const code = await run(process.execPath, [`${root}/${file}`, ...args], { cwd: root });
      if (code === 0) return { counts: { passed: 1, failed: 0, skipped: 0 } };
      return {
        counts: { passed: 0, failed: 1, skipped: 0 },
        failures: [{ location: `${file} ${args.join(' ')}`, test: `ended with status ${code}` }],
      };
    },
  };
}

/**
 * Maximum number of locations with failures (files, or single tests of Playwright) that are repeated. If there are more, nothing is
 * repeated, because a busy machine disturbs some tests and not a whole suite.
 */
const MAX_REPEATED_LOCATIONS = 12;

interface Suite {
  readonly name: string;
  readonly root: string;
  /** Path of the program, relative to the root. */
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly report: string;
  readonly read: (report: string) => SuiteReport;
  /**
   * Returns the arguments that repeat only the tests at these locations, or null if failures are final. A test that loads a real server can
   * fail on a busy machine. If it passes when run alone, it counts as passed and is named.
   */
  readonly again?: (places: readonly string[]) => readonly string[] | null;
  /** Returns whether the failure is about times, which are not judged if processor time was stolen. */
  readonly isTimed?: (failure: Failure) => boolean;
  /** Nice value of a suite that runs beside others. Its output is shown only if it fails. */
  readonly besideAt?: number;
}

/** Returns a step that runs a test runner with visible output. The step's counts come from the runner's report. */
export function suiteStep(suite: Suite, watch = watchSteal): Step {
  const { name } = suite;
  return {
    name,
    async act() {
      const first = await runSuite(suite, suite.args, watch);
      if ('problem' in first) return { counts: NO_COUNTS, problem: first.problem };
      const { counts, failures } = first;
      if (first.code !== 0 && counts.failed === 0) return { counts, problem: `${name} ended with status ${first.code}` };
      const missing = counts.skipped > 0 ? { missing: describeSkipped(name, counts.skipped, first.skipped) } : {};
      const places = [...new Set(failures.map(({ location }) => location))];
      // A failure outside of every test cannot be repeated.
      const args = counts.failed === failures.length && places.length <= MAX_REPEATED_LOCATIONS ? (suite.again?.(places) ?? null) : null;
      if (failures.length === 0 || (args === null && suite.again)) return { counts, failures, ...missing };
      if (args !== null) process.stdout.write(`\n== ${name}, once more alone: ${places.join(' ')}\n`);
      const second = args === null ? first : await runSuite(suite, args, watch);
      if ('problem' in second) return { counts, failures, problem: second.problem, ...missing };
      const isIn = (list: readonly Failure[], failure: Failure): boolean => list.some((other) => isSame(failure, other));
      // Whole files are repeated, so a test that passed first may fail in the repetition. Such a test has failed.
      const fresh = second.failures.filter((failure) => !isIn(failures, failure));
      const red = [...failures.filter((failure) => isIn(second.failures, failure)), ...fresh];
      const repeated = failures.filter((failure) => !isIn(second.failures, failure));
      const isDoubtful = (failure: Failure): boolean => (second.stolen ?? 0) > MAX_STOLEN_SHARE && suite.isTimed?.(failure) === true;
      const still = red.filter((failure) => !isDoubtful(failure));
      const unjudged = red.filter(isDoubtful);
      const counted = { ...counts, passed: counts.passed + repeated.length - fresh.length, failed: still.length };
      const isUnlisted = second.counts.failed > second.failures.length || (second.code !== 0 && second.failures.length === 0);
      const problem = isUnlisted ? { problem: `${name} ended with status ${second.code}, and no test of its own says why` } : {};
      return { counts: counted, failures: still, repeated, unjudged, ...problem, ...missing };
    },
  };
}

/** Returns one line per reason, with the number of tests. Tests without a reason are listed by name. */
function describeSkipped(suite: string, count: number, skipped: readonly Skipped[]): string[] {
  const byReason = Map.groupBy(skipped, ({ reason, test }) => reason ?? test);
  const lines = [...byReason].map(([reason, { length }]) => `${length === 1 ? '1 test' : `${length} tests`} of ${suite}: ${reason}`);
  return skipped.length >= count ? lines : [...lines, `${count - skipped.length} more tests of ${suite} were skipped`];
}

const isSame = (one: Failure, other: Failure): boolean => one.location === other.location && one.test === other.test;

async function runSuite(
  { name, root, file, environment = {}, report, read, besideAt }: Suite,
  args: readonly string[],
  watch: typeof watchSteal,
): Promise<(SuiteReport & { readonly code: number; readonly stolen: number | null }) | { readonly problem: string }> {
  // If the old report stayed and the runner crashed before writing its own, the old one would be counted.
  rmSync(report, { force: true });
  const stolen = watch();
  const options = { cwd: root, env: { ...process.env, ...environment } };
  const command = [`${root}/${file}`, ...args];
  const code = await (besideAt === undefined
    ? run(process.execPath, command, options)
    : runQuietly(command, { ...options, priority: besideAt }));
  const foundReport = tryRead(report, read);
  return foundReport ? { ...foundReport, code, stolen: stolen() } : { problem: `${name} ended with status ${code} and left no report` };
}

/** Nice value of suites that only compute. They still get a quarter of a core for which another process competes. */
export const LOW_PRIORITY = 5;

/** Runs a Node program, and prints its output only if it fails. Returns the exit code. */
async function runQuietly(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly priority: number },
): Promise<number> {
  const { code, output } = await capture(process.execPath, command, options);
  if (code !== 0) process.stdout.write(output);
  return code;
}

function tryRead(report: string, read: Suite['read']): SuiteReport | undefined {
  try {
    return read(report);
  } catch {
    return undefined;
  }
}

/** Runs all steps in order, even after a failure. Silent steps run in parallel, and long ones are awaited only at the end. */
export async function runSteps(steps: readonly Step[]): Promise<StepResult[]> {
  const running: Promise<StepResult>[] = [];
  const long: Promise<StepResult>[] = [];
  for (const together of groupParallel(steps)) {
    if (together.some(({ needsIdleMachine }) => needsIdleMachine)) await Promise.all(long);
    process.stdout.write(`\n== ${together.map(({ name }) => name).join(', ')}\n`);
    const begun = together.map((step) => ({ isLong: step.isLong === true, result: runStep(step) }));
    running.push(...begun.map(({ result }) => result));
    long.push(...begun.filter(({ isLong }) => isLong).map(({ result }) => result));
    (await Promise.all(begun.filter(({ isLong }) => !isLong).map(({ result }) => result))).forEach(printProblem);
  }
  (await Promise.all(long)).forEach(printProblem);
  return Promise.all(running);
}

function printProblem({ problem }: StepResult): void {
  if (problem !== undefined) process.stdout.write(`${problem}\n`);
}

function groupParallel(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.isSilent === true && step.needsEarlierSteps !== true && last?.[0]?.isSilent === true) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

async function runStep(step: Step): Promise<StepResult> {
  const before = performance.now();
  const result = await step.act().catch((error: unknown) => ({
    counts: NO_COUNTS,
    problem: error instanceof Error ? error.message : String(error),
  }));
  return { name: step.name, seconds: (performance.now() - before) / 1_000, ...result };
}

/**
 * Returns the summary of a check, and whether the check passed. With `strict`, missing parts are failures. `rest` says what was omitted.
 */
export function summarize(
  results: readonly StepResult[],
  strict: boolean,
  rest: string | null = null,
): { readonly text: string; readonly passed: boolean } {
  const rows = results.map(({ name, seconds, counts, problem, missing = [] }) => {
    const bad = problem !== undefined || counts.failed > 0 || (strict && missing.length > 0);
    const tests = counts.passed + counts.failed > 0 ? `${counts.passed} passed, ${counts.failed} failed` : '';
    return {
      bad,
      missing,
      failed: counts.failed + (bad && counts.failed === 0 ? 1 : 0),
      passed: counts.passed,
      line: `${bad ? 'FAIL' : 'ok  '} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${tests}`.trimEnd(),
    };
  });
  const missing = rows.flatMap((row) => row.missing);
  const failures = results.flatMap((result) => result.failures ?? []);
  const unjudged = results.flatMap((result) => result.unjudged ?? []);
  const repeated = results.flatMap((result) => result.repeated ?? []);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const lines = [
    '',
    ...rows.map(({ line }) => line),
    ...(missing.length > 0 ? ['', `${missing.length} not run here:`, ...missing.map((line) => `- ${line}`)] : []),
    ...(unjudged.length > 0
      ? ['', 'not judged, for too much of the processors was taken away by others:', ...unjudged.map(failureLine)]
      : []),
    ...(failures.length > 0 ? ['', 'failed:', ...failures.map(failureLine)] : []),
    ...(repeated.length > 0 ? ['', 'failed at first, and passed when repeated alone:', ...repeated.map(failureLine)] : []),
    '',
    ...(rest === null ? [] : [rest]),
    `${repeated.length} passed at their second try`,
    // Programs parse this line. A check that failed without a test therefore counts as one failure.
    `${passed} passed, ${failed} failed`,
  ];
  return { text: `${lines.join('\n')}\n`, passed: failed === 0 };
}

const failureLine = ({ location, test }: Failure): string => `- ${location}: ${test}`;
