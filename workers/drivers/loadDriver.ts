import type { Clock } from '../clock.ts';
import type { WorkerData } from '../messages.ts';
import type { WalkReports } from '../journey/scriptedWalk.ts';
import type { Sampler } from '../sampling/sampler.ts';
import type { StageRecorder } from '../recorder.ts';
import type { HealthyPace } from './healthyPace.ts';

/** The load of a stage on a target, or of all stages of an open model, from one thread. Made ready first, so that all threads can begin at the same instant. */
export interface LoadDriver {
  /** Begins to load; `startUs` is the agreed instant on the shared clock, now or just past. */
  start(startUs: number): void;
  /**
   * Starts no more requests; `done` resolves when every answer that is owed has arrived, failed or timed out. `over`: the planned time has
   * passed, so what was due within it and is late may still start. `stopped`: somebody or some limit ended it.
   */
  drain(why: 'over' | 'stopped'): void;
  /** Gives up on what is owed: those requests stay unanswered, and `done` resolves at once. */
  abort(): void;
  /** Resolves when nothing is owed any more and all connections are closed or about to be. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves when the connections are closed whose servers are told so first, after `done`. */
  closed(): Promise<void>;
  /** Requests started and not yet settled. */
  readonly inFlight: number;
  /** The same of side calls. */
  readonly sideInFlight: number;
  /** Requests so far by the address that they were sent to: an IP address, or the path of a Unix socket. */
  readonly addressesUsed: ReadonlyMap<string, number>;
  /** Connection attempts without a response, by address. */
  readonly silentAddresses: ReadonlyMap<string, number>;
  /** Links of pages to hosts that are not asked, by host. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** What drivers need of the thread that they run on. */
export interface DriverHooks {
  readonly now: Clock;
  /** Where the requests of these stages are recorded, in their order. */
  open(stages: readonly number[]): readonly StageRecorder[];
  /** Keeps requests for people to look at; null when nobody will. */
  readonly sampler: Sampler | null;
  /** How fast requests succeeded so far; left out where nothing went before. */
  readonly pace?: HealthyPace;
  /** Left out where nobody reads what walks report. */
  readonly reports?: WalkReports;
  onBudgetSpent(): void;
  onServer(software: string | null, atUs: number): void;
}

/**
 * What an engine drives one leg of a plan with, on one thread.
 * @throws {HoldfastError} when a request of the plan cannot be built, or a certificate cannot be read.
 */
export type DriversOfLeg = (data: WorkerData, leg: readonly number[], hooks: DriverHooks) => LoadDriver[];
