import { addNames } from '#core/base/foreignNames.ts';
import { listBeginnings, listLegs, secondsOf, type StageBeginning } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { chooseEngineFor, type OwnEngine } from '#core/review/engines/engineFor.ts';
import type { Clock } from './clock.ts';
import type { HealthyPace, LoadDriver, DriversOfLeg } from './drivers/loadDriver.ts';
import type { WalkReports } from './journey/scriptedWalk.ts';
import type { LoadedFrom } from './loadedCounts.ts';
import type { WorkerData } from './messages.ts';
import type { Sampler } from './sampling/sampler.ts';
import type { StageRecorder } from './recorder.ts';
import { autocannonDrivers } from './drivers/autocannon/autocannonDriver.ts';
import { nativeDrivers } from './drivers/native/nativeDrivers.ts';

export interface LegRunHooks {
  readonly now: Clock;
  /** Opens the recorders of these stages, in this order. */
  open(stages: readonly number[]): readonly StageRecorder[];
  /**
   * Called with the stages and the times from which their loads run, in chronological order: before the leg starts, and with an empty list
   * at the end of the leg.
   */
  loads(stages: readonly LoadedFrom[]): void;
  /** Keeps samples of requests; null if none are kept. */
  readonly sampler: Sampler | null;
  readonly pace?: HealthyPace;
  readonly reports?: WalkReports;
  onBudgetSpent(): void;
  onServer(software: string | null, atUs: number): void;
  /** Called when the load has ended and only responses are awaited. */
  onDraining(): void;
}

const MAX_TIMER_MS = 2 ** 31 - 1;
/**
 * Additional drain time. With it, a request that starts at the very end of the load reaches its own time-out, which is detected some
 * milliseconds late.
 */
const SETTLE_SECONDS = 0.5;

/** One leg on one thread: consecutive stages with their drivers, their duration and their drain. */
export class LegRun {
  private readonly drivers: readonly LoadDriver[];
  private readonly hooks: LegRunHooks;
  private readonly secondsLimit: number | null;
  private readonly drainSeconds: number;
  private readonly beginnings: readonly StageBeginning[];
  private timer: NodeJS.Timeout | null = null;
  private loadEndedUs: number | null = null;

  /** @throws {HoldfastError} if a request of the plan cannot be built. */
  constructor(data: WorkerData, leg: number, hooks: LegRunHooks) {
    const stages = listLegs(data.plan)[leg];
    if (stages === undefined) throw new RangeError(`The plan has no leg ${leg}.`);
    this.hooks = hooks;
    this.secondsLimit = secondsOfLeg(data.plan, stages);
    this.drainSeconds = data.plan.drainSeconds ?? data.plan.timeoutSeconds + SETTLE_SECONDS;
    this.beginnings = listBeginnings(data.plan, stages);
    this.drivers = driversOfLeg(data, stages, hooks);
  }

  get sideInFlight(): number {
    return this.drivers.reduce((sum, driver) => sum + driver.sideInFlight, 0);
  }

  get inFlight(): number {
    return this.drivers.reduce((sum, driver) => sum + driver.inFlight, 0);
  }

  get addresses(): Record<string, number> {
    return addNames(this.drivers.map(({ addressesUsed }) => Object.fromEntries(addressesUsed)));
  }

  /** Number of connection attempts without a response, by address. */
  get silentAddresses(): Record<string, number> {
    return addNames(this.drivers.map(({ silentAddresses }) => Object.fromEntries(silentAddresses)));
  }

  /** Number of page links that were left out, by host. */
  get leftOut(): Record<string, number> {
    return addNames(this.drivers.map(({ leftOut }) => Object.fromEntries(leftOut)));
  }

  /**
   * Runs the leg from `startUs`. Resolves to the time at which the load ended, after all requests have ended and all connections are
   * closed.
   */
  async run(startUs: number): Promise<number> {
    const { secondsLimit } = this;
    if (secondsLimit !== null) {
      const leftMs = (startUs - this.hooks.now()) / 1_000 + secondsLimit * 1_000;
      this.timer = setTimeout(() => this.end('over'), Math.min(MAX_TIMER_MS, Math.max(0, leftMs)));
    }
    this.hooks.loads(
      this.beginnings.flatMap(({ stage, atSecond, countsFromSecond }) => [
        { stage: null, fromUs: startUs + atSecond * 1_000_000 },
        { stage, fromUs: startUs + countsFromSecond * 1_000_000 },
      ]),
    );
    for (const driver of this.drivers) driver.start(startUs);
    await Promise.all(this.drivers.map((driver) => driver.done));
    if (this.timer !== null) clearTimeout(this.timer);
    const loadEndedUs = this.loadEndedUs ?? this.hooks.now();
    await Promise.all(this.drivers.map((driver) => driver.closed()));
    return loadEndedUs;
  }

  drain(): void {
    if (this.loadEndedUs === null) this.end('stopped');
    else for (const driver of this.drivers) driver.drain('stopped');
  }

  abort(): void {
    if (this.loadEndedUs === null) this.endLoad();
    for (const driver of this.drivers) driver.abort();
  }

  private end(reason: 'over' | 'stopped'): void {
    if (this.loadEndedUs !== null) return;
    this.endLoad();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abort(), this.drainSeconds * 1_000);
    for (const driver of this.drivers) driver.drain(reason);
    if (this.inFlight + this.sideInFlight > 0) this.hooks.onDraining();
  }

  /** Ends the load. From now on, requests of a stage of fixed duration count in its figures, but not in its rates. */
  private endLoad(): void {
    this.loadEndedUs = this.hooks.now();
    if (this.secondsLimit !== null) this.hooks.loads([]);
  }
}

/** Returns the duration of a leg in seconds; null if it ends after a number of requests. */
function secondsOfLeg(plan: Plan, stages: readonly number[]): number | null {
  let sum = 0;
  for (const index of stages) {
    const stage = plan.load.stages[index];
    const seconds = stage === undefined ? null : secondsOf(stage);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum;
}

/** Drivers for each engine of `src/core/review/engines`. */
const DRIVERS: Readonly<Record<OwnEngine, DriversOfLeg>> = { autocannon: autocannonDrivers, native: nativeDrivers };

/** Creates the drivers of one leg on one thread with the engine of the plan. */
const driversOfLeg: DriversOfLeg = (data, leg, hooks) => {
  const engine = chooseEngineFor(data.plan);
  if (engine === 'k6') throw new Error('A plan that k6 is to run has come to a worker thread.');
  return DRIVERS[engine](data, leg, hooks);
};
