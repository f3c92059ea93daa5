import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { activeWaitingUs } from './activeWaiting.ts';
import type { Clock } from './clock.ts';
import type { ThreadHealth } from './messages.ts';
import { RunQueue } from './runQueue.ts';

const RESOLUTION_MS = 10;
const MIN_READING_US = 50_000;

type WatchedHealth = Omit<ThreadHealth, 'stoodStillMs'>;

/** Watches the thread that creates it. */
export class ThreadWatch {
  private readonly now: Clock;
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  /** Delay sampled after the last reading and before the reset of the sampler. */
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

  /** Returns the health since the last reading; the same reading again shortly after it, for example after a long block. */
  read(): WatchedHealth {
    const nowUs = this.now();
    if (nowUs - this.readUs < MIN_READING_US) return this.last;
    const cpuUs = threadCpuUs();
    const elapsedUs = nowUs - this.readUs;
    const waitedUs = this.runQueue.waitedUs();
    const threadCpu = shareOf(elapsedUs, this.cpuUs, cpuUs);
    const threadWait = shareOf(elapsedUs, this.waitedUs, waitedUs);
    // Every sample includes the sampler's own period.
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
   * Resets the sampler with a delay. After a block that crosses the end of a second, this reading precedes the sampler's. The reset would lose that sample,
   * which belongs to the next reading.
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

/** Returns the share of the time between two readings, 0 to 1. */
function shareOf(elapsedUs: number, beforeUs: number | null, nowUs: number | null): number | null {
  return nowUs === null || beforeUs === null || elapsedUs <= 0 ? null : Math.max(0, Math.min(1, (nowUs - beforeUs) / elapsedUs));
}

/** CPU time of this thread in microseconds, without its active waiting; null in a version of Node that cannot report it. */
function threadCpuUs(): number | null {
  if (typeof process.threadCpuUsage !== 'function') return null;
  const { user, system } = process.threadCpuUsage();
  return user + system - activeWaitingUs();
}
