import { formatPercent } from '#core/base/units.ts';
import { advice, CPU_PROBE, type HostCheck } from './hostCheck.ts';

export interface Processor {
  readonly cores: number;
  /** Shares of all cores between two readings, 0 to 1. */
  readonly idle: number;
  readonly stolen: number;
}

const BUSY_BELOW_IDLE = 0.7;
/** As the watch over a generator has it (docs/method.md). */
const MOST_STOLEN = 0.02;

export const processor: HostCheck<Processor> = {
  id: 'processor',
  about: 'Processor',
  probe: [CPU_PROBE],
  read([text = '']) {
    const [before, after] = [...text.matchAll(/^cpu +([\d ]+)$/gm)].map(([, ticks = '']) => ticks.trim().split(/ +/).map(Number));
    const cores = Number(/^(\d{1,5})$/m.exec(text)?.[1] ?? Number.NaN);
    if (before === undefined || after === undefined || Number.isNaN(cores)) return null;
    // user nice system idle iowait irq softirq steal; guest times are part of user's.
    const passed = after.slice(0, 8).map((ticks, index) => ticks - (before[index] ?? 0));
    const total = passed.reduce((sum, ticks) => sum + ticks, 0);
    return total <= 0 ? null : { cores, idle: ((passed[3] ?? 0) + (passed[4] ?? 0)) / total, stolen: (passed[7] ?? 0) / total };
  },
  judge({ cores, idle, stolen }, { role }) {
    const busy = idle < BUSY_BELOW_IDLE;
    const robbed = stolen > MOST_STOLEN;
    return {
      level: busy || robbed ? 'warning' : 'ok',
      title: `${cores === 1 ? '1 core' : `${cores} cores`}, ${Math.round(idle * 100)} % idle`,
      evidence: `Watched for a moment; taken by the hypervisor: ${formatPercent(stolen)}.`,
      matters: robbed
        ? 'Other virtual machines take time away from this one: what is measured changes with what they do.'
        : busy
          ? role === 'generator'
            ? 'Something else keeps this machine busy. It may not send the load in time, and the times it reads get longer than they are.'
            : 'Something else keeps this machine busy: the test measures what is left.'
          : 'There is time for the load.',
    };
  },
  explain:
    'Stolen time is what a virtual machine was ready to use and did not get. It can only be seen from inside, and only where the hypervisor tells.',
  remedy: ({ stolen }) =>
    advice(
      stolen > MOST_STOLEN
        ? 'Use a machine with cores of its own, or repeat the test at another hour.'
        : 'Close other programs (builds, video calls, other tests), then check again.',
    ),
};

interface Governor {
  readonly governors: readonly string[];
}

export const governor: HostCheck<Governor> = {
  id: 'governor',
  about: 'Clock rate of the processor',
  probe: ['uname -s; cat /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor | sort -u'],
  read([text = '']) {
    const governors = text.split('\n').filter((line) => /^[a-z_]{2,20}$/.test(line));
    return text.startsWith('Linux') ? { governors } : null;
  },
  judge({ governors }) {
    if (governors.length === 0)
      return {
        level: 'ok',
        title: 'The clock rate is not set from here',
        evidence: 'There is no scaling_governor.',
        matters: 'A virtual machine has what the one around it gives.',
      };
    const saves = governors.includes('powersave');
    return {
      level: saves ? 'info' : 'ok',
      title: `The clock rate follows “${governors.join('”, “')}”`,
      evidence: 'scaling_governor of all cores',
      matters: saves
        ? 'The cores may run slower than they can until they are busy: the first seconds and light loads look slower than they would be.'
        : 'The cores may run as fast as they can.',
    };
  },
  explain: 'With the driver intel_pstate, “powersave” does speed up under load; with others it may stay at the lowest rate.',
};
