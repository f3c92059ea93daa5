import { cpus } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { z } from 'zod';
import { nowMs } from '#backend/monitors/source.ts';
import { type CpuTimes, cpuShares, readCpuTimes } from '#engine/procFiles.ts';
import { MAX_STEAL } from '#engine/sickness.ts';

/** A moment of this computer, in seconds of the run; shares of the time of all its processors. */
export interface Moment {
  readonly from: number;
  readonly to: number;
  readonly idle: number;
  readonly browser: number;
}

/** A browser that takes less does nothing: the moment shows what the load uses by itself. */
const RESTS = 0.02;
/** What everything but the browser uses by itself is read off so many moments. */
const REMEMBERED = 8;
/** More idle time than this is room for everybody. */
const NO_ROOM = 0.05;
/** A second is taken from the load as soon as a browser takes as much of it as a hypervisor may. */
export const MOST_TAKEN = MAX_STEAL;

/**
 * How much processor time a browser takes from the load beside it: in moments without an idle processor, what both together want beyond all there is. A
 * browser that uses what nobody else wants takes nothing.
 */
export class TakenTime {
  private readonly usual: number[] = [];
  private taken: { from: number; to: number; share: number }[] = [];

  add({ from, to, idle, browser }: Moment): void {
    if (browser < RESTS) {
      this.usual.push(1 - idle);
      if (this.usual.length > REMEMBERED) this.usual.shift();
    } else if (idle < NO_ROOM) {
      const share = Math.min(browser, this.wanted() + browser - 1);
      if (share > 0) this.taken.push({ from, to, share });
    }
  }

  /** Whether too much of these seconds was taken. To be asked in order: a moment that becomes known later counts in the seconds after. */
  isTaken(second: number, width: number): boolean {
    const end = second + width;
    let sum = 0;
    for (const { from, to, share } of this.taken) sum += Math.max(0, Math.min(to, end) - from) * share;
    this.taken = this.taken.flatMap((one) => (one.to <= end ? [] : [{ ...one, from: Math.max(one.from, end) }]));
    return sum / width > MOST_TAKEN;
  }

  /** As long as nothing has been seen without the browser, everything may be wanted. */
  private wanted(): number {
    return this.usual.length === 0 ? 1 : this.usual.reduce((sum, one) => sum + one, 0) / this.usual.length;
  }
}

const EVERY_MS = 100;

const processesSchema = z.object({ processInfo: z.array(z.object({ id: z.int(), cpuTime: z.number() })) });
type Processes = ReadonlyMap<number, number>;

interface Reading {
  readonly atMs: number;
  readonly processors: CpuTimes | null;
  readonly processes: Processes;
}

/** Watches the processors and the browser while a load runs on this computer. Where the system does not tell of its processors, nothing is ever taken. */
export class ProcessorWatch {
  private readonly taken = new TakenTime();
  private readonly browser: Browser;
  private tools: CDPSession | null = null;
  private readonly processors = cpus().length;
  private readonly stopped = new AbortController();
  /** Tabs that are open: nobody asks a browser that rests. */
  private tabs = 0;
  private before: Reading | null = null;

  constructor(browser: Browser) {
    this.browser = browser;
  }

  /** Watches from now on; `secondOf` lays instants of `nowMs` on the seconds of the run. Never rejects. */
  async watch(secondOf: (atMs: number) => number): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.look(secondOf);
      await after(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** From opening a tab until it is closed, and what the browser has left to do then. */
  async whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    this.tabs += 1;
    try {
      return await work();
    } finally {
      if (!this.stopped.signal.aborted && this.before !== null) await after(2 * EVERY_MS);
      this.tabs -= 1;
    }
  }

  isTaken(second: number, width: number): boolean {
    return this.taken.isTaken(second, width);
  }

  end(): void {
    this.stopped.abort();
  }

  private async look(secondOf: (atMs: number) => number): Promise<void> {
    const { before } = this;
    const processes = this.tabs > 0 || before === null ? await this.askBrowser() : before.processes;
    const now = { atMs: nowMs(), processors: readCpuTimes(), processes: processes ?? before?.processes ?? new Map<number, number>() };
    this.before = now;
    const shares = before?.processors && now.processors ? cpuShares(before.processors, now.processors) : null;
    if (before === null || shares === null) return;
    const browser = usedBetween(before.processes, now.processes) / (this.processors * (now.atMs - before.atMs));
    this.taken.add({ from: secondOf(before.atMs), to: secondOf(now.atMs), idle: 1 - shares.used, browser: Math.min(1, browser) });
  }

  /** Processor time of each process of the browser, in ms; null where it is gone. */
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

/** What ended in between has taken its last moments with it. */
function usedBetween(before: Processes, now: Processes): number {
  let sum = 0;
  for (const [id, ms] of now) sum += Math.max(0, ms - (before.get(id) ?? 0));
  return sum;
}
