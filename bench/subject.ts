import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

export const subjectResultSchema = z.strictObject({
  answers: z.int(),
  seconds: z.number(),
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  note: z.string(),
});
export type SubjectResult = z.infer<typeof subjectResultSchema>;

export interface SubjectOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Core that the subject is pinned to; left out, it may use all. */
  readonly core?: number;
}

const run = promisify(execFile);

/** Runs a script of `subjects/` in a process of its own. */
export async function runSubject(name: string, options: SubjectOptions): Promise<SubjectResult> {
  const script = fileURLToPath(new URL(`subjects/${name}.ts`, import.meta.url));
  const load = [options.url, String(options.connections), String(options.seconds)];
  const { stdout } = await runPinned(options.core, process.execPath, [script, ...load]);
  return subjectResultSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

/** wrk with one thread. */
export async function runWrk(options: SubjectOptions): Promise<SubjectResult> {
  const load = ['-t', '1', '-c', String(options.connections), '-d', `${options.seconds}s`, '--latency', options.url];
  const { stdout } = await runPinned(options.core, 'wrk', load);
  return parseWrk(stdout);
}

function runPinned(core: number | undefined, program: string, parameters: readonly string[]): Promise<{ stdout: string }> {
  return core === undefined ? run(program, [...parameters]) : run('taskset', ['-c', String(core), program, ...parameters]);
}

/** What `wrk --latency` prints. */
export function parseWrk(output: string): SubjectResult {
  const [, answers = '', elapsed = ''] = /^\s*(\d+) requests in ([\d.]+\w+),/m.exec(output) ?? [];
  const percentile = (share: string): number | null => {
    const [, time] = new RegExp(`^\\s*${share}%\\s+([\\d.]+\\w+)`, 'm').exec(output) ?? [];
    return time === undefined ? null : milliseconds(time);
  };
  const errors = /^\s*(Socket errors:.*|Non-2xx.*)$/m.exec(output)?.[1] ?? '';
  return {
    answers: Number(answers),
    seconds: milliseconds(elapsed) / 1_000,
    p50Ms: percentile('50'),
    p99Ms: percentile('99'),
    note: errors,
  };
}

function milliseconds(time: string): number {
  const [, value = '', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(time) ?? [];
  const factor = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }[unit];
  if (factor === undefined) throw new Error(`wrk printed a time that is not understood: ${time}`);
  return Number(value) * factor;
}
