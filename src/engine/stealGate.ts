import { MAX_STEAL } from '#core/measurement/selfTest/report.ts';
import { cpuShares, type CpuTimes, readCpuTimes } from './procFiles.ts';

const MAX_REPEATS = 3;

export interface Attempt<Result> {
  readonly result: Result;
  /** Number of repetitions. */
  readonly repeats: number;
  /** Shares of all processor time during the last attempt, 0 to 1: stolen by the hypervisor, and in use. null if unknown. */
  readonly steal: number | null;
  readonly processorUse: number | null;
}

/** Returns whether a measurement with implausible times may be repeated: only after steal, and only a few times. */
export function mayRepeat(steal: number | null, repeats: number): boolean {
  return steal !== null && steal > MAX_STEAL && repeats < MAX_REPEATS;
}

/**
 * Measures something that depends on time. Repeats the measurement, at most three times, when `timesAreWrong` returns true and the hypervisor took processor
 * time meanwhile. `timesAreWrong` must not check counts: steal never excuses wrong counts.
 */
export async function behindStealGate<Result>(
  measure: () => Promise<Result>,
  timesAreWrong: (result: Result) => boolean,
  read: () => CpuTimes | null = readCpuTimes,
): Promise<Attempt<Result>> {
  for (let repeats = 0; ; repeats += 1) {
    const before = read();
    const result = await measure();
    const after = read();
    const shares = before === null || after === null ? null : cpuShares(before, after);
    const steal = shares?.stolen ?? null;
    if (!timesAreWrong(result) || !mayRepeat(steal, repeats)) return { result, repeats, steal, processorUse: shares?.used ?? null };
  }
}
