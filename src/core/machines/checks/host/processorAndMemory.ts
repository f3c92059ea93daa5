import { formatPercent, formatBytes, formatCount } from '#core/base/units.ts';
import { buildRemedy, CPU_PROBE, type HostCheck, MEMORY_PROBE } from './hostCheck.ts';
import { parseOtherMemory } from './otherSystems.ts';

export interface Processor {
  readonly cores: number;
  /** Idle time as a share of the time of all cores between two readings, 0 to 1. */
  readonly idle: number;
  readonly stolen: number;
}

const MIN_IDLE_SHARE = 0.7;
/** Maximum share of stolen time, as for load generators during a run (docs/method.md). */
const MAX_STOLEN_SHARE = 0.02;

export const processor: HostCheck<Processor> = {
  id: 'processor',
  about: 'Processor',
  probe: [CPU_PROBE],
  read([text = '']) {
    const [before, after] = [...text.matchAll(/^cpu +([\d ]+)$/gm)].map(([, ticks = '']) => ticks.trim().split(/ +/).map(Number));
    const cores = Number(/^(\d{1,5})$/m.exec(text)?.[1] ?? Number.NaN);
    if (before === undefined || after === undefined || Number.isNaN(cores)) return null;
    // The ticks are user, nice, system, idle, iowait, irq, softirq and steal. Guest times are included in user.
    const elapsedTicks = after.slice(0, 8).map((ticks, index) => ticks - (before[index] ?? 0));
    const total = elapsedTicks.reduce((sum, ticks) => sum + ticks, 0);
    return total <= 0
      ? null
      : { cores, idle: ((elapsedTicks[3] ?? 0) + (elapsedTicks[4] ?? 0)) / total, stolen: (elapsedTicks[7] ?? 0) / total };
  },
  judge({ cores, idle, stolen }, { role }) {
    const busy = idle < MIN_IDLE_SHARE;
    const robbed = stolen > MAX_STOLEN_SHARE;
    return {
      level: busy || robbed ? 'warning' : 'ok',
      title: `${cores === 1 ? '1 core' : `${cores} cores`}, ${Math.round(idle * 100)} % idle`,
      evidence: `A short reading. Taken by the hypervisor: ${formatPercent(stolen)}.`,
      matters: robbed
        ? 'Other virtual machines take processor time from this one. Results will vary with their activity.'
        : busy
          ? role === 'generator'
            ? 'Another program keeps this machine busy. It may send the load late and measure response times that are too long.'
            : 'Another program keeps this machine busy. The test measures what is left.'
          : 'There is enough processor time for the load.',
    };
  },
  explain:
    'Stolen time is processor time that a virtual machine needed and did not get. It is visible only inside the machine, and only if the hypervisor reports it.',
  remedy: ({ stolen }) =>
    buildRemedy(
      stolen > MAX_STOLEN_SHARE
        ? 'Use a machine with dedicated cores, or repeat the test at another time.'
        : 'Close other programs (builds, video calls, other tests), then check again.',
    ),
};

interface Governor {
  readonly governors: readonly string[];
}

export const governor: HostCheck<Governor> = {
  id: 'governor',
  about: 'Processor clock rate',
  probe: ['uname -s; cat /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor | sort -u'],
  read([text = '']) {
    const governors = text.split('\n').filter((line) => /^[a-z_]{2,20}$/.test(line));
    return text.startsWith('Linux') ? { governors } : null;
  },
  judge({ governors }) {
    if (governors.length === 0)
      return {
        level: 'ok',
        title: 'The clock rate cannot be set here',
        evidence: 'There is no scaling_governor.',
        matters: 'The host of a virtual machine sets it.',
      };
    const saves = governors.includes('powersave');
    return {
      level: saves ? 'info' : 'ok',
      title: `The clock rate follows “${governors.join('”, “')}”`,
      evidence: 'scaling_governor of all cores',
      matters: saves
        ? 'The cores may run below full speed until they are busy. The first seconds and light loads then look slower.'
        : 'The cores can run at full speed.',
    };
  },
  explain: 'With the driver intel_pstate, “powersave” speeds up under load. With others it may stay at the lowest rate.',
};

interface Memory {
  readonly availableBytes: number;
  readonly totalBytes: number;
}

const BASE_BYTES = 300e6;
/** Memory per connection in bytes: buffers in the process and in the kernel. */
const BYTES_PER_CONNECTION = 100e3;

function parseMeminfo(text: string, name: string): number | null {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text);
  return match === null ? null : Number(match[1]) * 1_024;
}

export const memory: HostCheck<Memory> = {
  id: 'memory',
  about: 'Memory',
  probe: [MEMORY_PROBE, 'vm_stat && sysctl hw.memsize'],
  read([text = '', elsewhere = '']) {
    const other = parseOtherMemory(elsewhere);
    if (other !== null) return other;
    // MemFree excludes caches that the kernel would release, and MemAvailable includes them.
    const [availableBytes, totalBytes] = [parseMeminfo(text, 'MemAvailable'), parseMeminfo(text, 'MemTotal')];
    return availableBytes === null || totalBytes === null ? null : { availableBytes, totalBytes };
  },
  judge({ availableBytes, totalBytes }, { load, role }) {
    const needed = (role === 'generator' ? BASE_BYTES : 0) + (load?.connections ?? 0) * BYTES_PER_CONNECTION;
    const short = availableBytes < needed;
    return {
      level: short ? 'warning' : 'ok',
      title: `${formatBytes(availableBytes)} of memory available`,
      evidence: `of ${formatBytes(totalBytes)}`,
      matters: `${role === 'generator' ? 'This load' : `${formatCount(load?.connections ?? 0)} connections alone`} needs about ${formatBytes(needed)}.${short ? ' When memory runs out, the system slows down or ends programs.' : ''}`,
    };
  },
  explain: 'Available memory is what programs can get without moving others to disk.',
  remedy: () => buildRemedy('Close other programs, or use a machine with more memory.'),
};

interface Swap {
  readonly usedBytes: number;
  readonly totalBytes: number;
  readonly pagesIn: number;
}

export const swap: HostCheck<Swap> = {
  id: 'swap',
  about: 'Memory moved to disk (swap)',
  probe: [MEMORY_PROBE, 'cat /proc/vmstat; sleep 0.3 || sleep 1; cat /proc/vmstat'],
  read([text = '', pages = '']) {
    const [totalBytes, freeBytes] = [parseMeminfo(text, 'SwapTotal'), parseMeminfo(text, 'SwapFree')];
    const [before, after] = [...pages.matchAll(/^pswpin (\d+)$/gm)].map(([, count]) => Number(count));
    if (totalBytes === null || freeBytes === null) return null;
    return { totalBytes, usedBytes: totalBytes - freeBytes, pagesIn: before === undefined || after === undefined ? 0 : after - before };
  },
  judge: ({ usedBytes, totalBytes, pagesIn }) => ({
    level: pagesIn > 0 ? 'warning' : 'ok',
    title: totalBytes === 0 ? 'No swap' : `${formatBytes(usedBytes)} of ${formatBytes(totalBytes)} swap in use`,
    evidence: `Pages read back during the check: ${formatCount(pagesIn)}`,
    matters:
      pagesIn > 0
        ? 'Memory is being read back from disk. Responses wait for the disk.'
        : totalBytes === 0
          ? 'When memory runs out, the kernel ends a program at once.'
          : 'Nothing was read back during the check.',
  }),
  explain: 'Swap in use is harmless. Reading back from it slows programs down.',
  remedy: () => buildRemedy('Add memory, or run fewer programs on the machine.'),
};
