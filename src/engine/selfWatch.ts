import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import type { GeneratorReading } from '#core/result/schema.ts';
import { addInto, createHistogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window, OverloadCause } from '#core/measurement/window.ts';
import type { ThreadHealth } from '#workers/messages.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import { GaugeWatch } from './gaugeWatch.ts';
import { cpuShares, type CpuTimes, parseSocketsInUse, parseSocketStates, parseTimeWait, readCpuTimes } from './procFiles.ts';
import { hrtimeUs } from './engine.ts';

/** Minimum duration of a suspension that is noticed, because some systems report their time since boot in whole seconds. */
const MIN_SUSPENSION_MS = 2_000;
/** Minimum change of the wall clock that counts as a step, because time synchronization corrects clocks by less than 1 ms a second. */
const MIN_STEP_MS = 100;
/** Maximum time for reading all clocks. Readings that took longer are not from the same moment. */
const MAX_READING_MS = 10;

/** Readings of several clocks at the same moment, in milliseconds. */
export interface Clocks {
  /** Time since boot, including the time for which the machine was suspended. */
  readonly sinceBootMs: number;
  /** Reading of the monotonic clock. On Linux and macOS it stops while the machine is suspended. */
  readonly monotonicMs: number;
  /** Reading of the wall clock, which users and other programs can set. */
  readonly wallMs: number;
}

/**
 * Notices when this machine was suspended and when its wall clock was set. The monotonic clock, and with it the seconds of a run, may miss
 * a suspension. Setting the wall clock changes no duration, but all times of day.
 */
export class ClockWatch {
  private readonly read: () => Clocks | null;
  private before: Clocks | null;
  private unreportedMs = 0;
  private unreportedStepMs = 0;

  /** `read` returns null if the clocks could not be read at the same moment. */
  constructor(read: () => Clocks | null = readClocks) {
    this.read = read;
    this.before = read();
  }

  /** Must be called several times a second. */
  look(): void {
    const { before } = this;
    const now = this.read();
    if (now === null) return;
    this.before = now;
    if (before === null) return;
    const passedMs = now.monotonicMs - before.monotonicMs;
    const missedMs = now.sinceBootMs - before.sinceBootMs - passedMs;
    const suspendedMs = missedMs >= MIN_SUSPENSION_MS ? missedMs : 0;
    const stepMs = now.wallMs - before.wallMs - passedMs - suspendedMs;
    this.unreportedMs += suspendedMs;
    // After a suspension, the time since boot may be exact only to a whole second.
    if (Math.abs(stepMs) >= (suspendedMs > 0 ? MIN_SUSPENSION_MS : MIN_STEP_MS)) this.unreportedStepMs += stepMs;
  }

  /** Returns by how many milliseconds the wall clock was set forward since the last call. Negative values mean that it was set back. */
  takeStepMs(): number {
    const ms = this.unreportedStepMs;
    this.unreportedStepMs = 0;
    return ms;
  }

  /** Returns the duration in milliseconds of the suspensions since the last call that the monotonic clock missed. */
  takeMs(): number {
    const ms = this.unreportedMs;
    this.unreportedMs = 0;
    return ms;
  }
}

function readClocks(): Clocks | null {
  const monotonicMs = hrtimeUs() / 1_000;
  const clocks = { sinceBootMs: uptime() * 1_000, monotonicMs, wallMs: Date.now() };
  return hrtimeUs() / 1_000 - monotonicMs > MAX_READING_MS ? null : clocks;
}

const LISTING_INTERVAL_SECONDS = 10;
const MAX_LISTED_SOCKETS = 5_000;

/**
 * Counts the TCP sockets of this machine by state. A listing keeps the kernel busy for milliseconds, because it walks through its whole
 * table. So it is read rarely, outside the event loop, and not while there are very many sockets.
 */
class SocketWatch {
  private known: Record<string, number> | null = null;
  private nextSecond = 0;

  /** Returns the last counts, which are at most a few seconds old; null if unknown. */
  read(second: number): Record<string, number> | null {
    if (second >= this.nextSecond) {
      this.nextSecond = second + LISTING_INTERVAL_SECONDS;
      void this.refresh();
    }
    return this.known;
  }

  private async refresh(): Promise<void> {
    try {
      const inUse = parseSocketsInUse(await readFile('/proc/net/sockstat', 'utf8'));
      const few = inUse !== null && inUse <= MAX_LISTED_SOCKETS;
      // IPv6 may be disabled.
      const overIpv6 = few ? await readFile('/proc/net/tcp6', 'utf8').catch(() => '') : '';
      this.known = few ? parseSocketStates([await readFile('/proc/net/tcp', 'utf8'), overIpv6]) : null;
    } catch {
      // The system is not Linux, or no file descriptor is left.
      this.known = null;
    }
  }
}

/** Reads the state of this machine once a second. Unknown values are null. */
export class SelfWatch {
  private before: CpuTimes | null = readCpuTimes();
  private readonly plan: Plan;
  private readonly socketWatch = new SocketWatch();
  private readonly gauges: GaugeWatch;
  private readonly clocks = new ClockWatch();

  constructor(plan: Plan) {
    this.plan = plan;
    this.gauges = new GaugeWatch(plan.watch ?? []);
  }

  /** Starts reading the plan's watched numbers. */
  start(): void {
    this.gauges.start();
  }

  /** Must be called several times a second. */
  look(): void {
    this.clocks.look();
  }

  /** See {@link ClockWatch.takeStepMs}. */
  takeStepMs(): number {
    return this.clocks.takeStepMs();
  }

  /** Waits while the target still stores items after its last response. Resolves to whether the plan watches such items. */
  waitUntilConstant(): Promise<boolean> {
    return this.gauges.waitUntilConstant();
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
      threadCpu: maxOrNull(healths.map((health) => health.threadCpu)),
      threadWait: maxOrNull(healths.map((health) => health.threadWait)),
      machineCpu: shares?.used ?? null,
      steal: shares?.stolen ?? null,
      eventLoopDelayMs: maxOrNull(healths.map((health) => health.eventLoopDelayMs)),
      scheduleLagMs: scheduleLagMs(window),
      garbageCollectionMs: maxOrNull(healths.map((health) => health.garbageCollectionMs)),
      stoodStillMs: findStandstillMs(healths, this.clocks.takeMs()),
      memoryBytes: readOrNull(() => process.memoryUsage.rss()),
      openFiles: readOrNull(() => readdirSync('/proc/self/fd').length),
      timeWaitSockets: readOrNull(() => parseTimeWait(readFileSync('/proc/net/sockstat', 'utf8'))),
      sockets: this.socketWatch.read(window.second),
      watched: this.gauges.take(),
      overloadedBy: [],
    };
    return { ...reading, overloadedBy: overloadCauses(reading, window, this.plan) };
  }
}

/** Returns the p99 of the schedule lag in this second; null if no starts are planned, or if nothing started. */
function scheduleLagMs(window: Window): number | null {
  const lags = window.cells.flatMap((cell) => cell.times.scheduleLag ?? []);
  const all = createHistogram();
  for (const lag of lags) addInto(all, lag);
  return all.totalCount === 0 ? null : milliseconds(valueAtRank(all, percentileRank(99, all.totalCount)));
}

/** Returns the time for which all threads stood still. If only one thread is delayed, the others do not stand still. */
function findStandstillMs(healths: readonly ThreadHealth[], suspendedMs: number): number | null {
  if (healths.length === 0) return suspendedMs > 0 ? suspendedMs : null;
  return suspendedMs + Math.min(...healths.map((health) => health.stoodStillMs));
}

function maxOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Returns the result of `read`, or null if it fails because the platform lacks the file in /proc, or no file descriptor is left. */
function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const MAX_THREAD_CPU = 0.9;
/** Maximum share of the time for which a thread waits for a processor. A thread that waits longer notices responses late by as much. */
const MAX_THREAD_WAIT = 0.25;
const MAX_EVENT_LOOP_DELAY_MS = 20;
/** Lower bound for the limit of the event loop delay, because its measurement is not more precise. */
const MIN_EVENT_LOOP_DELAY_MS = 5;
/** Maximum share of the time of all processors that the hypervisor may steal in a second. */
export const MAX_STEAL = 0.02;
const MIN_SCHEDULE_LAG_MS = 2;
/** Maximum schedule lag without time limits. It is the same as for the event loop delay, because a larger lag means a busy thread. */
const LAG_WITHOUT_LIMITS_MS = MAX_EVENT_LOOP_DELAY_MS;

/** Returns why the load generator is overloaded in a second; docs/method.md defines the limits. Unknown values are no cause. */
export function overloadCauses(reading: Omit<GeneratorReading, 'overloadedBy'>, window: Window, plan: Plan): OverloadCause[] {
  const causes: OverloadCause[] = [];
  if (isAbove(reading.threadCpu, MAX_THREAD_CPU)) causes.push('threadCpu');
  if (isAbove(reading.threadWait, MAX_THREAD_WAIT)) causes.push('threadWait');
  if (isAbove(reading.eventLoopDelayMs, maxEventLoopDelayMs(plan))) causes.push('eventLoopDelay');
  if (isAbove(reading.steal, MAX_STEAL)) causes.push('steal');
  if (isAbove(reading.scheduleLagMs, maxScheduleLagMs(plan))) causes.push('scheduleLag');
  if (isAbove(reading.stoodStillMs, 0)) causes.push('standstill');
  for (const cause of ['noPort', 'noFile'] as const) {
    if (window.cells.some(({ outcomes }) => (outcomes[cause] ?? 0) > 0)) causes.push(cause);
  }
  return causes;
}

/**
 * Returns a tenth of the tightest time limit, but at least 2 ms (docs/method.md), because a larger lag could decide a criterion. Without
 * time limits, it returns the maximum event loop delay.
 */
function maxScheduleLagMs(plan: Plan): number {
  const maxMs = tightestLimitMs(plan);
  return maxMs === null ? LAG_WITHOUT_LIMITS_MS : Math.max(MIN_SCHEDULE_LAG_MS, maxMs / 10);
}

/**
 * Returns half of the tightest time limit, but at least 5 and at most 20 ms, because a larger delay makes a fast response count as slow.
 */
function maxEventLoopDelayMs(plan: Plan): number {
  const maxMs = tightestLimitMs(plan) ?? Number.POSITIVE_INFINITY;
  return Math.min(MAX_EVENT_LOOP_DELAY_MS, Math.max(MIN_EVENT_LOOP_DELAY_MS, maxMs / 2));
}

function tightestLimitMs(plan: Plan): number | null {
  const limitsMs = listCriteria(plan).flatMap((criterion) => {
    if (criterion.kind === 'responseTime') return [criterion.maxMs];
    return criterion.kind === 'apdex' ? [criterion.thresholdMs] : [];
  });
  return limitsMs.length === 0 ? null : Math.min(...limitsMs);
}

function isAbove(value: number | null, limit: number): boolean {
  return value !== null && value > limit;
}
