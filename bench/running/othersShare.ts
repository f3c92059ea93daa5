import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuShares, parseCpuTimes } from '#engine/procFiles.ts';

const WATCH_MS = 1_000;

/** Share of all cores that is in use while the bench itself rests, over one second; null where the machine does not tell. */
export async function othersShare(): Promise<number | null> {
  const read = async (): Promise<ReturnType<typeof parseCpuTimes>> => parseCpuTimes(await readFile('/proc/stat', 'utf8').catch(() => ''));
  const before = await read();
  await delay(WATCH_MS);
  const after = await read();
  return before === null || after === null ? null : (cpuShares(before, after)?.used ?? null);
}
