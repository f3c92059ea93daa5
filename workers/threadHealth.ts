import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { closeSync, openSync, readSync } from 'node:fs';
import { STANDSTILL_US } from '#core/measurement/window.ts';
import { activeWaitingUs, type Clock } from './clock.ts';
import type { ThreadHealth } from './messages.ts';

const RESOLUTION_MS = 10;
const MIN_READING_US = 50_000;

type WatchedHealth = Omit<ThreadHealth, 'stoodStillMs'>;

export class ThreadWatch {
  private readonly now: Clock;
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** Delay that was sampled after the last reading and before the sampler was reset. */
  private carriedMs = 0;
  private readonly collector: PerformanceObserver;
  private collectedMs = 0;
  private cpuUs = threadCpuUs();
  private readonly runQueue = new RunQueue();
  private waitedUs = this.runQueue.waitedUs();
  private readUs: number;
  private last: WatchedHealth = { threadCpu: null, threadWait: null, eventLoopDelayMs: null, garbageCollectionMs: null };

  constructor(now: Clock) {
    this.now = now;
    this.readUs = now();
    this.delay.enable();
    this.collector = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.collectedMs += entry.duration;
    });
    this.collector.observe({ entryTypes: ['gc'] });
  }

  /**
   * Returns the health since the last reading. If it is called again shortly afterwards, for example after a long block, it returns the
   * same reading.
   */
  read(): WatchedHealth {
    const nowUs = this.now();
    if (nowUs - this.readUs < MIN_READING_US) return this.last;
    const cpuUs = threadCpuUs();
    const elapsedUs = nowUs - this.readUs;
    const waitedUs = this.runQueue.waitedUs();
    const threadCpu = shareOf(elapsedUs, this.cpuUs, cpuUs);
    const threadWait = shareOf(elapsedUs, this.waitedUs, waitedUs);
    // Every sample includes the period of the sampler itself.
    const sampledMs = this.delay.count === 0 ? null : Math.max(0, this.delay.percentile(99) / 1e6 - RESOLUTION_MS);
    const eventLoopDelayMs = this.carriedMs > 0 ? Math.max(sampledMs ?? 0, this.carriedMs) : sampledMs;
    this.carriedMs = 0;
    const garbageCollectionMs = this.collectedMs;
    this.readUs = nowUs;
    this.cpuUs = cpuUs;
    this.waitedUs = waitedUs;
    this.resetSampler(this.delay.max);
    this.collectedMs = 0;
    this.last = { threadCpu, threadWait, eventLoopDelayMs, garbageCollectionMs };
    return this.last;
  }

  /**
   * Resets the sampler a little later. After a block that crosses the end of a second, the reading comes before the sample of the block.
   * The reset would lose that sample, which belongs to the next reading.
   */
  private resetSampler(readMax: number): void {
    setTimeout(() => {
      if (this.delay.max > readMax) this.carriedMs = Math.max(0, this.delay.max / 1e6 - RESOLUTION_MS);
      this.delay.reset();
    }, 2 * RESOLUTION_MS).unref();
  }

  close(): void {
    this.delay.disable();
    this.collector.disconnect();
    this.runQueue.close();
  }
}

/** Returns the share of the time between two readings, from 0 to 1. */
function shareOf(elapsedUs: number, beforeUs: number | null, nowUs: number | null): number | null {
  return nowUs === null || beforeUs === null || elapsedUs <= 0 ? null : Math.max(0, Math.min(1, (nowUs - beforeUs) / elapsedUs));
}

/** Returns the CPU time of this thread in microseconds, without its active waiting; null if this version of Node cannot report it. */
function threadCpuUs(): number | null {
  if (typeof process.threadCpuUsage !== 'function') return null;
  const { user, system } = process.threadCpuUsage();
  return user + system - activeWaitingUs();
}

/**
 * Reads for how long this thread was ready to run but had no core, from `run_delay` of /proc/thread-self/schedstat
 * (Documentation/scheduler/sched-stats in the kernel's sources). The file stays open, because it must be readable even if no file
 * descriptor is left.
 */
export class RunQueue {
  private file = openOrNull('/proc/thread-self/schedstat');
  private readonly buffer = Buffer.alloc(128);

  /** Returns the time in microseconds since the thread started; null if the system does not report it. */
  waitedUs(): number | null {
    if (this.file === null) return null;
    try {
      return parseRunDelayUs(this.buffer.toString('latin1', 0, readSync(this.file, this.buffer, 0, this.buffer.length, 0)));
    } catch {
      return null;
    }
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    // Another file may have the descriptor now.
    this.file = null;
  }
}

/**
 * Returns the wait time in microseconds from "run time, wait time, number of time slices", which are in nanoseconds; null for any other
 * text.
 */
export function parseRunDelayUs(schedstat: string): number | null {
  const match = /^\d+ (\d+) \d+/.exec(schedstat);
  return match === null ? null : Number(match[1]) / 1_000;
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Detects when a thread did not run for a long time. Times are in microseconds of one clock. */
export class Standstill {
  private lastTurnUs = Number.POSITIVE_INFINITY;
  private fromUs = 0;
  private toUs = 0;

  begin(nowUs: number): void {
    this.lastTurnUs = nowUs;
  }

  /** Notes that the thread runs. Must be called often, and before the evaluation of anything that the thread does late. */
  hadTurn(nowUs: number): void {
    if (nowUs - this.lastTurnUs >= STANDSTILL_US) {
      this.fromUs = this.lastTurnUs;
      this.toUs = nowUs;
    }
    this.lastTurnUs = nowUs;
  }

  /** Returns the overlap of a period with the last standstill, in microseconds. */
  overlapUs(fromUs: number, toUs: number): number {
    return Math.max(0, Math.min(toUs, this.toUs) - Math.max(fromUs, this.fromUs));
  }
}
