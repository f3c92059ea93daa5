import { cpus, type CpuInfo } from 'node:os';
import type { Check } from './check.ts';

interface Processor {
  readonly cores: number;
  /** Share of all cores that was idle, 0 to 1. */
  readonly idle: number;
}

const WATCH_MS = 300;
const BUSY_BELOW_IDLE = 0.7;

export const processor: Check<Processor> = {
  id: 'processor',
  about: 'Processor',
  async probe() {
    const before = cpus();
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
    const after = cpus();
    const idle = idleShare(before, after);
    return idle === null ? { unknown: 'The system does not tell how busy its cores are.' } : { cores: after.length, idle };
  },
  judge({ cores, idle }) {
    const percent = Math.round(idle * 100);
    const busy = idle < BUSY_BELOW_IDLE;
    return {
      level: busy ? 'warning' : 'ok',
      title: `${cores === 1 ? '1 core' : `${cores} cores`}, ${percent} % idle`,
      evidence: `Watched for ${WATCH_MS} ms.`,
      matters: busy
        ? 'Something else keeps this computer busy. It may not send the load in time, and the times it reads get longer than they are.'
        : 'Holdfast needs time of its own to send requests punctually and to read the answers at once.',
      remedy: busy
        ? { text: 'Close other programs (builds, video calls, other tests), then check again.', command: null, undo: null, risk: '' }
        : null,
    };
  },
};

/** Share of the time between two readings in which the cores had nothing to do; null when no time has passed. */
export function idleShare(before: readonly Pick<CpuInfo, 'times'>[], after: readonly Pick<CpuInfo, 'times'>[]): number | null {
  let idle = 0;
  let total = 0;
  for (const [index, { times }] of after.entries()) {
    const earlier = before[index]?.times;
    if (!earlier) continue;
    idle += times.idle - earlier.idle;
    for (const kind of ['user', 'nice', 'sys', 'idle', 'irq'] as const) total += times[kind] - earlier[kind];
  }
  return total > 0 ? Math.min(1, Math.max(0, idle / total)) : null;
}
