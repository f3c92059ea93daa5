import { formatBytes, formatCount } from '#core/base/units.ts';
import { advice, type HostCheck, MEMORY_PROBE } from './hostCheck.ts';
import { otherMemory } from './otherSystems.ts';

interface Memory {
  readonly availableBytes: number;
  readonly totalBytes: number;
}

const BASE_BYTES = 300e6;
/** Memory per connection: buffers in the process and in the kernel. */
const BYTES_PER_CONNECTION = 100e3;

function inMeminfo(text: string, name: string): number | null {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text);
  return match === null ? null : Number(match[1]) * 1_024;
}

export const memory: HostCheck<Memory> = {
  id: 'memory',
  about: 'Memory',
  probe: [MEMORY_PROBE, 'vm_stat && sysctl hw.memsize'],
  read([text = '', elsewhere = '']) {
    const other = otherMemory(elsewhere);
    if (other !== null) return other;
    // MemFree excludes caches that the kernel would release; MemAvailable includes them.
    const [availableBytes, totalBytes] = [inMeminfo(text, 'MemAvailable'), inMeminfo(text, 'MemTotal')];
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
  remedy: () => advice('Close other programs, or use a machine with more memory.'),
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
    const [totalBytes, freeBytes] = [inMeminfo(text, 'SwapTotal'), inMeminfo(text, 'SwapFree')];
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
  remedy: () => advice('Add memory, or run fewer programs on the machine.'),
};
