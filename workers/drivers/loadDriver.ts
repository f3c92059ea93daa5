import type { Clock } from '../clock.ts';
import type { WorkerData } from '../messages.ts';
import type { WalkReports } from '../journey/scriptedWalk.ts';
import type { Sampler } from '../sampling/sampler.ts';
import type { StageRecorder } from '../recorder.ts';

/**
 * One thread's load: one stage to one target, or all stages of an open model. It is created before the start, so that all threads can start
 * at the same time.
 */
export interface LoadDriver {
  /** Starts the load. `startUs` is the agreed start on the shared clock, which is now or just past. */
  start(startUs: number): void;
  /**
   * Schedules no more requests. `done` resolves when all requests in flight have ended. `over`: the planned time has passed, and requests
   * that were due before may still start. `stopped`: the user or a limit ended the load.
   */
  drain(reason: 'over' | 'stopped'): void;
  /** Ends the load. Requests in flight stay outstanding, and `done` resolves immediately. */
  abort(): void;
  /** Resolves when no request is in flight and all connections are closed or closing. Never rejects. */
  readonly done: Promise<void>;
  /** Resolves after `done`, when the connections that are closed gracefully are closed. */
  closed(): Promise<void>;
  readonly inFlight: number;
  readonly sideInFlight: number;
  /** Number of requests by address: an IP address, or the path of a Unix socket. */
  readonly addressesUsed: ReadonlyMap<string, number>;
  /** Number of connection attempts without a response, by address. */
  readonly silentAddresses: ReadonlyMap<string, number>;
  /** Number of page links that were left out, by host. */
  readonly leftOut: ReadonlyMap<string, number>;
}

export interface DriverHooks {
  readonly now: Clock;
  /** Opens the recorders of these stages, in this order. */
  open(stages: readonly number[]): readonly StageRecorder[];
  /** Keeps samples of requests; null if none are kept. */
  readonly sampler: Sampler | null;
  /** Durations of successful requests so far; left out at the start of a run. */
  readonly pace?: HealthyPace;
  /** Receives the reports of walks; left out if they are unused. */
  readonly reports?: WalkReports;
  onBudgetSpent(): void;
  onServer(software: string | null, atUs: number): void;
}

/**
 * Creates the drivers of one leg of a plan on one thread.
 * @throws {HoldfastError} if a request of the plan cannot be built or a certificate cannot be read.
 */
export type DriversOfLeg = (data: WorkerData, leg: readonly number[], hooks: DriverHooks) => LoadDriver[];

const MAX_PAUSE_US = 1_000_000;

/**
 * Mean duration of successful requests per step, on one thread over all stages. Without pauses derived from it, a server that refuses
 * requests immediately would receive hundreds of times as many as before.
 */
export class HealthyPace {
  private readonly sumsUs: number[] = [];
  private readonly counts: number[] = [];

  succeeded(requestIndex: number, serviceUs: number): void {
    this.sumsUs[requestIndex] = (this.sumsUs[requestIndex] ?? 0) + serviceUs;
    this.counts[requestIndex] = (this.counts[requestIndex] ?? 0) + 1;
  }

  /** Returns the mean time of the step's successful requests, at most `MAX_PAUSE_US`; 0 if none has succeeded. */
  usualUs(requestIndex: number): number {
    const count = this.counts[requestIndex] ?? 0;
    return count === 0 ? 0 : Math.min(MAX_PAUSE_US, (this.sumsUs[requestIndex] ?? 0) / count);
  }

  ofConnection(): ConnectionPace {
    return new ConnectionPace(this);
  }
}

/** Computes the pauses of one connection after failures that were faster than successes. */
export class ConnectionPace {
  private readonly healthy: HealthyPace;
  /**
   * Time for which the connection should have paused but did not, because timers have a resolution of 1 ms. It is added to the pause after
   * the next failure.
   */
  private outstandingUs = 0;

  constructor(healthy: HealthyPace) {
    this.healthy = healthy;
  }

  /** Returns the pause before the next request, in milliseconds. */
  pauseMsAfter(requestIndex: number, serviceUs: number, isSuccess: boolean): number {
    if (isSuccess) {
      this.healthy.succeeded(requestIndex, serviceUs);
      return 0;
    }
    this.outstandingUs += Math.max(0, this.healthy.usualUs(requestIndex) - serviceUs);
    const pauseMs = Math.floor(this.outstandingUs / 1_000);
    this.outstandingUs -= pauseMs * 1_000;
    return pauseMs;
  }
}
