import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuShares, parseCpuTimes } from '#engine/procFiles.ts';

const WATCH_MS = 1_000;

/** Returns the share of all CPU time that other programs use while the bench is idle. It is measured over one second; null if unknown. */
export async function measureOtherLoad(): Promise<number | null> {
  const read = async (): Promise<ReturnType<typeof parseCpuTimes>> => parseCpuTimes(await readFile('/proc/stat', 'utf8').catch(() => ''));
  const before = await read();
  await delay(WATCH_MS);
  const after = await read();
  return before === null || after === null ? null : (cpuShares(before, after)?.used ?? null);
}
