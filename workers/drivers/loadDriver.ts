import type { Clock } from '../clock.ts';
import type { WorkerData } from '../messages.ts';
import type { WalkReports } from '../journey/scriptedWalk.ts';
import type { Sampler } from '../sampling/sampler.ts';
import type { StageRecorder } from '../recorder.ts';
import type { HealthyPace } from './healthyPace.ts';

/**
 * The load of one thread: of a stage on a target, or of all stages of an open model. Created before the start, so that all threads start at the same time.
 */
export interface LoadDriver {
  /** Starts the load. `startUs`: agreed start on the shared clock, now or just past. */
  start(startUs: number): void;
  /**
   * Starts no more requests. `done` resolves when every request in flight has ended. `over`: the planned time has passed, and late requests may still start.
   * `stopped`: the user or a limit ended the load.
   */
  drain(why: 'over' | 'stopped'): void;
  /** Leaves requests in flight outstanding. `done` resolves immediately. */
  abort(): void;
  /** Resolves when no request is in flight and all connections are closed or closing. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves after `done`, when gracefully closed connections are closed. */
  closed(): Promise<void>;
  /** Number of requests in flight. */
  readonly inFlight: number;
  /** Number of side calls in flight. */
  readonly sideInFlight: number;
  /** Number of requests by address: an IP address, or the path of a Unix socket. */
  readonly addressesUsed: ReadonlyMap<string, number>;
  /** Connection attempts without a response, by address. */
  readonly silentAddresses: ReadonlyMap<string, number>;
  /** Number of skipped page links by host. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** What drivers use of their thread. */
export interface DriverHooks {
  readonly now: Clock;
  /** Opens the recorders of these stages, in this order. */
  open(stages: readonly number[]): readonly StageRecorder[];
  /** Keeps sample requests; null if none are kept. */
  readonly sampler: Sampler | null;
  /** Durations of successful requests so far; left out at the start of a run. */
  readonly pace?: HealthyPace;
  /** Receives reports of walks; left out if unused. */
  readonly reports?: WalkReports;
  onBudgetSpent(): void;
  onServer(software: string | null, atUs: number): void;
}

/**
 * Creates the drivers of one leg of a plan on one thread.
 * @throws {HoldfastError} if a request of the plan cannot be built or a certificate cannot be read.
 */
export type DriversOfLeg = (data: WorkerData, leg: readonly number[], hooks: DriverHooks) => LoadDriver[];
