import { setTimeout as passed } from 'node:timers/promises';
import { cpuShares, readCpuTimes } from '#engine/procFiles.ts';
import { MAX_STEAL } from '#engine/selfWatch.ts';

const OBSERVATION_MS = 3_000;
const MAX_WAIT_MS = 60_000;

/** Waits for up to a minute until the hypervisor steals no processor time. If the machine does not report stolen time, returns soon. */
export async function waitForQuietMachine(): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += OBSERVATION_MS) {
    const before = readCpuTimes();
    await passed(OBSERVATION_MS);
    const after = readCpuTimes();
    const stolen = before === null || after === null ? null : (cpuShares(before, after)?.stolen ?? null);
    if (stolen === null || stolen <= MAX_STEAL) return;
  }
}
