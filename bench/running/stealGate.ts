import { readFile } from 'node:fs/promises';
import { cpuShares, parseCpuTimes } from '#engine/procFiles.ts';

/** Maximum share of stolen CPU. Above it, a measurement says little about the programs. */
export const MAX_STOLEN_SHARE = 0.01;
const MAX_REPEATS = 3;

export interface GatedValue<Value> {
  readonly value: Value;
  /** Share of the time of all cores that the hypervisor stole; null if unknown. */
  readonly stolenShare: number | null;
  /** Number of attempts. It is 1 if the first one was good enough. */
  readonly attempts: number;
}

const readProcStat = (): Promise<string> => readFile('/proc/stat', 'utf8').catch(() => '');

/** Measures once, and reports the share of processor time that was stolen. */
export async function measureWithSteal<Value>(
  measure: () => Promise<Value>,
  readStat: () => Promise<string> = readProcStat,
): Promise<Omit<GatedValue<Value>, 'attempts'>> {
  const before = parseCpuTimes(await readStat());
  const value = await measure();
  const after = parseCpuTimes(await readStat());
  return { value, stolenShare: before === null || after === null ? null : (cpuShares(before, after)?.stolen ?? null) };
}

/** Repeats a measurement up to three times if CPU was stolen. Keeps the measurement with the smallest share of stolen time. */
export async function throughStealGate<Value>(
  measure: () => Promise<Value>,
  readStat: () => Promise<string> = readProcStat,
): Promise<GatedValue<Value>> {
  const tries: Omit<GatedValue<Value>, 'attempts'>[] = [];
  for (;;) {
    const one = await measureWithSteal(measure, readStat);
    tries.push(one);
    if ((one.stolenShare ?? 0) <= MAX_STOLEN_SHARE) return { ...one, attempts: tries.length };
    if (tries.length > MAX_REPEATS) break;
  }
  const best = tries.reduce((least, each) => ((each.stolenShare ?? 0) < (least.stolenShare ?? 0) ? each : least));
  return { ...best, attempts: tries.length };
}
