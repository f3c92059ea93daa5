import { availableParallelism } from 'node:os';
import type { Plan } from '#core/plan/schema/plan.ts';
import { unknownReading } from '#core/result/readings.ts';
import type { GeneratorReading } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import { SelfWatch } from '../selfWatch.ts';
import { sickCauses } from '../sickness.ts';
import { K6Cpu } from './k6Cpu.ts';

/** Reads how this machine is at the end of each second, and keeps it until the window of that second is complete. */
export class K6Readings {
  private readonly plan: Plan;
  private readonly watch: SelfWatch;
  private readonly cpu: K6Cpu | null;
  private readonly kept = new Map<number, GeneratorReading>();
  private nextSecond = 0;

  constructor(plan: Plan, pid: number | null) {
    this.plan = plan;
    this.watch = new SelfWatch(plan);
    this.cpu = pid === null ? null : new K6Cpu(pid, availableParallelism());
  }

  start(): void {
    this.watch.start();
  }

  /** To be called some times a second; `second`: how long the load has gone on. */
  look(second: number): void {
    this.watch.look();
    const over = Math.floor(second) - 1;
    if (over < this.nextSecond) return;
    this.nextSecond = over + 1;
    this.kept.set(over, this.read(over));
  }

  /** Waits for what the target still stores after the last answer; whether there is such a thing. */
  settle(): Promise<boolean> {
    return this.watch.settle();
  }

  stop(): void {
    this.watch.stop();
  }

  /** The reading of a window's second, with what makes it sick. */
  of(window: Window): GeneratorReading {
    const reading = this.kept.get(window.second) ?? unknownReading(window.second);
    this.kept.delete(window.second);
    return { ...reading, sick: sickCauses(reading, window, this.plan) };
  }

  /** A reading of now, for a window that nobody has read for. */
  now(second: number): void {
    this.kept.set(second, this.read(second));
  }

  private read(second: number): GeneratorReading {
    // k6 shares its work among all cores: what can be at its limit is the whole, not one thread of it.
    const threadCpu = this.cpu?.read(performance.now()) ?? null;
    const health = { threadCpu, threadWait: null, eventLoopDelayMs: null, garbageCollectionMs: null, stoodStillMs: 0 };
    return this.watch.read(emptyWindow(second, 1), [health]);
  }
}
