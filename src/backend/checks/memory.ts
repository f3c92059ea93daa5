import { freemem, totalmem } from 'node:os';
import { formatBytes } from '#core/units.ts';
import type { Check } from './check.ts';
import { procFile } from './procFile.ts';

interface Memory {
  readonly availableBytes: number;
  readonly totalBytes: number;
}

const BASE_BYTES = 300e6;
/** Buffers of a connection in this process and in the system. */
const BYTES_PER_CONNECTION = 100e3;

export const memory: Check<Memory> = {
  id: 'memory',
  about: 'Memory',
  async probe() {
    const text = (await procFile('/proc/meminfo')) ?? '';
    // What the system calls free leaves out what it would give back from its caches.
    const match = /^MemAvailable:\s+(\d+) kB/m.exec(text);
    return { availableBytes: match ? Number(match[1]) * 1024 : freemem(), totalBytes: totalmem() };
  },
  judge({ availableBytes, totalBytes }, { connections }) {
    const needed = BASE_BYTES + connections * BYTES_PER_CONNECTION;
    const short = availableBytes < needed;
    return {
      level: short ? 'warning' : 'ok',
      title: `${formatBytes(availableBytes)} of memory available`,
      evidence: `of ${formatBytes(totalBytes)}`,
      matters: `This plan needs about ${formatBytes(needed)}.${short ? ' When memory runs out the system slows down or ends Holdfast.' : ''}`,
      remedy: short ? { text: 'Close other programs.', command: null, undo: null, risk: '' } : null,
    };
  },
};
