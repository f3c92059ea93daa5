import { readFile } from 'node:fs/promises';
import { cpuShares, parseCpuTimes } from '#engine/procFiles.ts';

/** A measurement during which the host took more than this share of the CPU away says little about the programs measured. */
export const MAX_STOLEN_SHARE = 0.01;
const MAX_REPEATS = 3;

export interface Gated<Value> {
  readonly value: Value;
  /** Share of all cores that the host took away meanwhile; null where the machine does not tell. */
  readonly stolenShare: number | null;
  /** How often it was measured: 1 when the first time was good enough. */
  readonly attempts: number;
}

const readProcStat = (): Promise<string> => readFile('/proc/stat', 'utf8').catch(() => '');

/** Measures once, and tells what the host took meanwhile. */
export async function withStolen<Value>(
  measure: () => Promise<Value>,
  readStat: () => Promise<string> = readProcStat,
): Promise<Omit<Gated<Value>, 'attempts'>> {
  const before = parseCpuTimes(await readStat());
  const value = await measure();
  const after = parseCpuTimes(await readStat());
  return { value, stolenShare: before === null || after === null ? null : (cpuShares(before, after)?.stolen ?? null) };
}

/** Measures, again when CPU was stolen meanwhile, at most three times more, and keeps the measurement that lost least. */
export async function throughStealGate<Value>(
  measure: () => Promise<Value>,
  readStat: () => Promise<string> = readProcStat,
): Promise<Gated<Value>> {
  const tries: Omit<Gated<Value>, 'attempts'>[] = [];
  for (;;) {
    const one = await withStolen(measure, readStat);
    tries.push(one);
    if ((one.stolenShare ?? 0) <= MAX_STOLEN_SHARE) return { ...one, attempts: tries.length };
    if (tries.length > MAX_REPEATS) break;
  }
  const best = tries.reduce((least, each) => ((each.stolenShare ?? 0) < (least.stolenShare ?? 0) ? each : least));
  return { ...best, attempts: tries.length };
}
