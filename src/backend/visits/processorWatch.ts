import { cpus } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { z } from 'zod';
import { nowMs } from '#backend/monitors/source.ts';
import { type CpuTimes, cpuShares, readCpuTimes } from '#engine/procFiles.ts';
import { MAX_STEAL } from '#engine/selfWatch.ts';

/** A moment on this computer, in seconds of the run. Shares are shares of the time of all processors. */
export interface Moment {
  readonly from: number;
  readonly to: number;
  readonly idle: number;
  readonly browser: number;
}

/** Maximum processor share of a browser that counts as idle. While the browser is idle, the load alone uses the processors. */
const MAX_IDLE_BROWSER_SHARE = 0.02;
/** Number of moments from which the processor use without the browser is estimated. */
const MAX_USUAL_MOMENTS = 8;
/** Maximum idle share at which processor time counts as scarce. With a larger idle share, there was enough for both load and browser. */
const MAX_BUSY_IDLE_SHARE = 0.05;
/** Maximum share that the browser may take from the load. It is the same share as a hypervisor may steal. */
export const MAX_TAKEN_SHARE = MAX_STEAL;

/**
 * Estimates the processor time that a browser takes from the load: taken = max(0, needed by the load + used by the browser − 1) in moments
 * without an idle processor. A browser that uses only idle time takes nothing.
 */
export class TakenTime {
  private readonly usual: number[] = [];
  private taken: { from: number; to: number; share: number }[] = [];

  add({ from, to, idle, browser }: Moment): void {
    if (browser < MAX_IDLE_BROWSER_SHARE) {
      this.usual.push(1 - idle);
      if (this.usual.length > MAX_USUAL_MOMENTS) this.usual.shift();
    } else if (idle < MAX_BUSY_IDLE_SHARE) {
      const share = Math.min(browser, this.meanUsualShare() + browser - 1);
      if (share > 0) this.taken.push({ from, to, share });
    }
  }

  /**
   * Returns whether the browser took too much of these seconds. Must be called in order: moments that become known late count in later
   * seconds.
   */
  isTaken(second: number, width: number): boolean {
    const end = second + width;
    let sum = 0;
    for (const { from, to, share } of this.taken) sum += Math.max(0, Math.min(to, end) - from) * share;
    this.taken = this.taken.flatMap((one) => (one.to <= end ? [] : [{ ...one, from: Math.max(one.from, end) }]));
    return sum / width > MAX_TAKEN_SHARE;
  }

  /** Returns the mean share that the load uses. Until a moment without the browser was seen, the load is assumed to use all processors. */
  private meanUsualShare(): number {
    return this.usual.length === 0 ? 1 : this.usual.reduce((sum, one) => sum + one, 0) / this.usual.length;
  }
}

const READING_INTERVAL_MS = 100;

const processesSchema = z.object({ processInfo: z.array(z.object({ id: z.int(), cpuTime: z.number() })) });
type Processes = ReadonlyMap<number, number>;

interface Reading {
  readonly atMs: number;
  readonly processors: CpuTimes | null;
  readonly processes: Processes;
}

/**
 * Watches the processors and the browser during a load on this computer. On systems that report no processor times, the browser is assumed
 * to take nothing.
 */
export class ProcessorWatch {
  private readonly taken = new TakenTime();
  private readonly browser: Browser;
  private tools: CDPSession | null = null;
  private readonly processors = cpus().length;
  private readonly stopped = new AbortController();
  /** Number of open tabs. While it is 0, the browser is not asked for its processor time. */
  private tabs = 0;
  private before: Reading | null = null;

  constructor(browser: Browser) {
    this.browser = browser;
  }

  /** Watches from now on. `secondOf` converts a time of `nowMs` to a second of the run. Never rejects. */
  async watch(secondOf: (atMs: number) => number): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.readProcessors(secondOf);
      await after(READING_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Runs `work`, which opens a tab, and watches the browser until shortly afterwards, because closing the tab takes processor time too. */
  async whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    this.tabs += 1;
    try {
      return await work();
    } finally {
      if (!this.stopped.signal.aborted && this.before !== null) await after(2 * READING_INTERVAL_MS);
      this.tabs -= 1;
    }
  }

  isTaken(second: number, width: number): boolean {
    return this.taken.isTaken(second, width);
  }

  end(): void {
    this.stopped.abort();
  }

  private async readProcessors(secondOf: (atMs: number) => number): Promise<void> {
    const { before } = this;
    const processes = this.tabs > 0 || before === null ? await this.askBrowser() : before.processes;
    const now = { atMs: nowMs(), processors: readCpuTimes(), processes: processes ?? before?.processes ?? new Map<number, number>() };
    this.before = now;
    const shares = before?.processors && now.processors ? cpuShares(before.processors, now.processors) : null;
    if (before === null || shares === null) return;
    const browser = cpuMsBetween(before.processes, now.processes) / (this.processors * (now.atMs - before.atMs));
    this.taken.add({ from: secondOf(before.atMs), to: secondOf(now.atMs), idle: 1 - shares.used, browser: Math.min(1, browser) });
  }

  /** Returns the processor time in ms of each browser process, or null if the browser has ended. */
  private async askBrowser(): Promise<Processes | null> {
    try {
      this.tools ??= await this.browser.newBrowserCDPSession();
      const { processInfo } = processesSchema.parse(await this.tools.send('SystemInfo.getProcessInfo'));
      return new Map(processInfo.map(({ id, cpuTime }) => [id, 1_000 * cpuTime]));
    } catch {
      return null;
    }
  }
}

/** Sums the CPU time of each process. Processes that ended between the two readings are not counted. */
function cpuMsBetween(before: Processes, now: Processes): number {
  let sum = 0;
  for (const [id, ms] of now) sum += Math.max(0, ms - (before.get(id) ?? 0));
  return sum;
}
