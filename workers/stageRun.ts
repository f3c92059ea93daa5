import type { Plan, Stage } from '#core/plan/schema.ts';
import type { Clock } from './clock.ts';
import { driversOf } from './drivers/driversOf.ts';
import type { LoadDriver } from './drivers/loadDriver.ts';
import type { WorkerData } from './messages.ts';
import type { StageRecorder } from './recorder.ts';

export interface StageRunHooks {
  readonly now: Clock;
  readonly recorder: StageRecorder;
  onBudgetSpent(): void;
  onServer(software: string | null, atUs: number): void;
  /** The stage's time is over, or someone ended it: answers are waited for. */
  onDraining(): void;
}

/** One stage on one thread: its drivers, its time limit and its drain. */
export class StageRun {
  private readonly drivers: readonly LoadDriver[];
  private readonly hooks: StageRunHooks;
  private readonly secondsLimit: number | null;
  private readonly drainSeconds: number;
  private timer: NodeJS.Timeout | null = null;
  private loadEndedUs: number | null = null;

  /** @throws {HoldfastError} when a request of the plan cannot be built. */
  constructor(data: WorkerData, stageIndex: number, hooks: StageRunHooks) {
    const stage = stageOf(data.plan, stageIndex);
    this.hooks = hooks;
    this.secondsLimit = stage.seconds ?? null;
    this.drainSeconds = data.plan.drainSeconds ?? data.plan.timeoutSeconds;
    this.drivers = driversOf(data, stage, hooks);
  }

  get inFlight(): number {
    return this.drivers.reduce((sum, driver) => sum + driver.inFlight, 0);
  }

  /** Runs to the end; resolves when nothing is owed any more, with the instant at which the load itself had ended. */
  async run(): Promise<number> {
    const { secondsLimit } = this;
    if (secondsLimit !== null) this.timer = setTimeout(() => this.drain(), secondsLimit * 1_000);
    for (const driver of this.drivers) driver.start();
    await Promise.all(this.drivers.map((driver) => driver.done));
    if (this.timer !== null) clearTimeout(this.timer);
    return this.loadEndedUs ?? this.hooks.now();
  }

  drain(): void {
    if (this.loadEndedUs !== null) return;
    this.loadEndedUs = this.hooks.now();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abort(), this.drainSeconds * 1_000);
    for (const driver of this.drivers) driver.drain();
    if (this.inFlight > 0) this.hooks.onDraining();
  }

  abort(): void {
    this.loadEndedUs ??= this.hooks.now();
    for (const driver of this.drivers) driver.abort();
  }
}

function stageOf(plan: Plan, index: number): Stage {
  const stage = plan.load.stages[index];
  if (stage === undefined) throw new RangeError(`The plan has no stage ${index}.`);
  return stage;
}
