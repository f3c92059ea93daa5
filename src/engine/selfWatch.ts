import { readdirSync, readFileSync } from 'node:fs';
import type { GeneratorReading } from '#core/result/schema.ts';
import { addInto, newHistogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import type { ThreadHealth } from '#workers/messages.ts';
import { sickCauses } from './sickness.ts';
import { GaugeWatch } from './gaugeWatch.ts';
import { SocketWatch } from './socketWatch.ts';
import { SuspensionWatch } from './suspension.ts';
import { cpuShares, parseTimeWait, type CpuTimes } from './procFiles.ts';
import { readCpuTimes } from './readCpuTimes.ts';

/** Reads how this machine is, once a second. What it cannot tell is null. */
export class SelfWatch {
  private before: CpuTimes | null = readCpuTimes();
  private readonly plan: Plan;
  private readonly socketWatch = new SocketWatch();
  private readonly gauges: GaugeWatch;
  private readonly suspension = new SuspensionWatch();

  constructor(plan: Plan) {
    this.plan = plan;
    this.gauges = new GaugeWatch(plan.watch ?? []);
  }

  /** Begins to read off what the plan watches. */
  start(): void {
    this.gauges.start();
  }

  /** To be called some times a second. */
  look(): void {
    this.suspension.look();
  }

  /** Waits for what the target still stores after the last answer; whether there is such a thing. */
  settle(): Promise<boolean> {
    return this.gauges.settle();
  }

  stop(): void {
    this.gauges.stop();
  }

  read(window: Window, healths: readonly ThreadHealth[]): GeneratorReading {
    const now = readCpuTimes();
    const shares = this.before === null || now === null ? null : cpuShares(this.before, now);
    this.before = now;
    const reading: GeneratorReading = {
      second: window.second,
      threadCpu: worst(healths.map((health) => health.threadCpu)),
      threadWait: worst(healths.map((health) => health.threadWait)),
      machineCpu: shares?.used ?? null,
      steal: shares?.stolen ?? null,
      eventLoopDelayMs: worst(healths.map((health) => health.eventLoopDelayMs)),
      scheduleLagMs: scheduleLagMs(window),
      garbageCollectionMs: worst(healths.map((health) => health.garbageCollectionMs)),
      stoodStillMs: stoodStillMs(healths, this.suspension.takeMs()),
      memoryBytes: tried(() => process.memoryUsage.rss()),
      openFiles: tried(() => readdirSync('/proc/self/fd').length),
      timeWaitSockets: tried(() => parseTimeWait(readFileSync('/proc/net/sockstat', 'utf8'))),
      sockets: this.socketWatch.read(window.second),
      watched: this.gauges.take(),
      sick: [],
    };
    return { ...reading, sick: sickCauses(reading, window, this.plan) };
  }
}

/** p99 of how late requests started in this second; null where no start is planned, or nothing started. */
function scheduleLagMs(window: Window): number | null {
  const lags = window.cells.flatMap((cell) => cell.times.scheduleLag ?? []);
  const all = newHistogram();
  for (const lag of lags) addInto(all, lag);
  return all.totalCount === 0 ? null : milliseconds(valueAtRank(all, percentileRank(99, all.totalCount)));
}

/** Where threads tell, as long as all of them stood still: one alone is held up, and the others go on. */
function stoodStillMs(healths: readonly ThreadHealth[], suspendedMs: number): number | null {
  if (healths.length === 0) return suspendedMs > 0 ? suspendedMs : null;
  return suspendedMs + Math.min(...healths.map((health) => health.stoodStillMs));
}

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** null where the platform has no such file, or no descriptor is left to open it. */
function tried<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
