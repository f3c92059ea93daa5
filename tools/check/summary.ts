import type { Failure } from './report.ts';
import type { StepResult } from './step.ts';

/**
 * The last words of a run, and whether it passed. `strict` makes what is missing a failure (see the steps for what may be); `rest` says what was not
 * to run.
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
    ...(unjudged.length > 0 ? ['', 'not judged, for too much of the processors was taken away by others:', ...unjudged.map(listed)] : []),
    ...(failures.length > 0 ? ['', 'failed:', ...failures.map(listed)] : []),
    ...(repeated.length > 0 ? ['', 'failed at first, and passed when repeated alone:', ...repeated.map(listed)] : []),
    '',
    ...(rest === null ? [] : [rest]),
    `${repeated.length} passed at their second try`,
    // Machines read this line: a check that fails without a test of its own counts as one failure.
    `${passed} passed, ${failed} failed`,
  ];
  return { text: `${lines.join('\n')}\n`, passed: failed === 0 };
}

const listed = ({ place, test }: Failure): string => `- ${place}: ${test}`;
