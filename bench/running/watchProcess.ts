import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseOwnCpuSeconds, parsePeakBytes } from './procStatus.ts';

const LOOK_EVERY_MS = 100;
/** The part of a process's life that is measured. It excludes the start and the evaluation. */
const MIDDLE = { from: 0.4, to: 0.8 } as const;

/** CPU time of a process with all its threads since its start, read at a time on any clock. */
export interface CpuSample {
  readonly atMs: number;
  readonly cpuSeconds: number;
}

export interface Watched {
  /** Peak of resident memory in bytes; null if unknown. */
  readonly peakBytes: number | null;
  /** Number of busy cores in the middle of the process's life, where 1 is one whole core; null if there are too few samples. */
  readonly midRunCores: number | null;
}

/** Watches a process until the signal `ended` aborts. */
export async function watchProcess(pid: number, ended: AbortSignal): Promise<Watched> {
  let peakBytes: number | null = null;
  const samples: CpuSample[] = [];
  const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  while (!ended.aborted) {
    const [status, stat] = await Promise.all([read('status'), read('stat')]);
    // Before `taskset` becomes the program, its own peak, which is smaller, is read.
    const peak = parsePeakBytes(status);
    if (peak !== null) peakBytes = Math.max(peakBytes ?? 0, peak);
    const cpuSeconds = parseOwnCpuSeconds(stat);
    if (cpuSeconds !== null && peak !== null) samples.push({ atMs: performance.now(), cpuSeconds });
    await delay(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
  }
  return { peakBytes, midRunCores: midRunCores(samples) };
}

/** Returns the slope of the CPU time over the middle samples, or null if there are fewer than two. */
export function midRunCores(samples: readonly CpuSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return null;
  const lifeMs = last.atMs - first.atMs;
  const middle = samples.filter(({ atMs }) => atMs >= first.atMs + MIDDLE.from * lifeMs && atMs <= first.atMs + MIDDLE.to * lifeMs);
  const [from, to] = [middle[0], middle.at(-1)];
  if (from === undefined || to === undefined || to.atMs <= from.atMs) return null;
  return ((to.cpuSeconds - from.cpuSeconds) * 1_000) / (to.atMs - from.atMs);
}
