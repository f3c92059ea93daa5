const MAX_PAUSE_US = 1_000_000;

/**
 * Mean duration of successful requests per step, on one thread over all stages. Without a pause, a server that refuses requests immediately would receive
 * hundreds of times as many as before.
 */
export class HealthyPace {
  private readonly sumsUs: number[] = [];
  private readonly counts: number[] = [];

  succeeded(slot: number, serviceUs: number): void {
    this.sumsUs[slot] = (this.sumsUs[slot] ?? 0) + serviceUs;
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
  }

  /** Mean time of the step's successful requests, at most `MAX_PAUSE_US`; 0 where none succeeded. */
  usualUs(slot: number): number {
    const count = this.counts[slot] ?? 0;
    return count === 0 ? 0 : Math.min(MAX_PAUSE_US, (this.sumsUs[slot] ?? 0) / count);
  }

  ofConnection(): ConnectionPace {
    return new ConnectionPace(this);
  }
}

/** Pauses one connection after failures that came faster than successes. */
export class ConnectionPace {
  private readonly healthy: HealthyPace;
  /** Timers have a resolution of 1 ms; the remainder is kept for the next failure. */
  private owedUs = 0;

  constructor(healthy: HealthyPace) {
    this.healthy = healthy;
  }

  /** Returns the pause in milliseconds before the next request. */
  pauseMsAfter(slot: number, serviceUs: number, isSuccess: boolean): number {
    if (isSuccess) {
      this.healthy.succeeded(slot, serviceUs);
      return 0;
    }
    this.owedUs += Math.max(0, this.healthy.usualUs(slot) - serviceUs);
    const pauseMs = Math.floor(this.owedUs / 1_000);
    this.owedUs -= pauseMs * 1_000;
    return pauseMs;
  }
}
