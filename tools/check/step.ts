import { rmSync } from 'node:fs';
import { capture, run } from '../launch/run.mjs';
import type { Counts } from './report.ts';

export interface StepResult {
  readonly name: string;
  readonly seconds: number;
  readonly counts: Counts;
  /** Why the step as a whole failed, beyond its tests. */
  readonly problem?: string;
  /** What could not be run here and why: counted, and a failure where everything has to run. */
  readonly missing?: readonly string[];
}

export type Step = { readonly name: string; readonly act: () => Promise<Omit<StepResult, 'name' | 'seconds'>> };

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

/** A tool that is silent when all is well; what it prints is shown only when it is not. */
export function toolStep(name: string, root: string, file: string, args: readonly string[]): Step {
  return {
    name,
    async act() {
      const { code, output } = await capture(process.execPath, [`${root}/node_modules/${file}`, ...args], { cwd: root });
      if (code === 0) return { counts: nothing };
      process.stdout.write(`${output.trimEnd()}\n`);
      return { counts: nothing, problem: `${name} found problems` };
    },
  };
}

/** A runner of tests, shown as it goes, whose counts come from the report that it writes. */
export function suiteStep(options: {
  readonly name: string;
  readonly root: string;
  /** Below the root. */
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly report: string;
  readonly read: (report: string) => Counts;
}): Step {
  const { name, root, file, args, environment = {}, report, read } = options;
  return {
    name,
    async act() {
      // An old report would be counted if the runner fell over before writing its own.
      rmSync(report, { force: true });
      const code = await run(process.execPath, [`${root}/${file}`, ...args], {
        cwd: root,
        env: { ...process.env, ...environment },
      });
      const counts = readOr(report, read);
      if (!counts) return { counts: nothing, problem: `${name} ended with status ${code} and left no report` };
      if (code !== 0 && counts.failed === 0) return { counts, problem: `${name} ended with status ${code}` };
      return { counts, ...(counts.skipped > 0 ? { missing: [`${counts.skipped} tests of ${name} were skipped`] } : {}) };
    },
  };
}

function readOr(report: string, read: (report: string) => Counts): Counts | undefined {
  try {
    return read(report);
  } catch {
    return undefined;
  }
}

/** Runs the steps one after the other, the later ones even if an earlier one fails, so that all is known at once. */
export async function runSteps(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const { name, act } of steps) {
    process.stdout.write(`\n== ${name}\n`);
    const before = performance.now();
    const result = await act().catch((error: unknown) => ({
      counts: nothing,
      problem: error instanceof Error ? error.message : String(error),
    }));
    if (result.problem !== undefined) process.stdout.write(`${result.problem}\n`);
    results.push({ name, seconds: (performance.now() - before) / 1_000, ...result });
  }
  return results;
}
