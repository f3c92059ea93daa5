import type { K6Request } from './samples.ts';

/** A successful response whose body checks are still to come. */
export interface PendingResponse {
  readonly request: K6Request;
  readonly slot: number;
  failedCheck: string | null;
}

/** State of a virtual user between two samples. */
export interface VirtualUser {
  /** Its journey cannot continue: a response was incomplete or lacked a required value. */
  gaveUp: boolean;
  pending: PendingResponse | null;
  /** The step that was redirected; null if none was. */
  redirectedStep: number | null;
  /** Start of the first request of its last page. */
  pageBeganUs: number | null;
}

export class VirtualUsers {
  private readonly users = new Map<string, VirtualUser>();

  of(vu: string): VirtualUser {
    let user = this.users.get(vu);
    if (user === undefined) this.users.set(vu, (user = { gaveUp: false, pending: null, redirectedStep: null, pageBeganUs: null }));
    return user;
  }

  /** Removes and returns all responses that ended before a time and wait for checks. */
  takePending(beforeUs: number): PendingResponse[] {
    const taken: PendingResponse[] = [];
    for (const user of this.users.values()) {
      if (user.pending === null || user.pending.request.endUs >= beforeUs) continue;
      taken.push(user.pending);
      user.pending = null;
    }
    return taken;
  }
}

/** Smaller differences are clock drift or the time between two readings. */
const MIN_JUMP_US = 500_000;
/** Number of jumps that late samples may refer to; only a clock that is set repeatedly has more. */
const MAX_JUMPS = 8;

/**
 * The wall clock of k6's samples without jumps: it may be set during a load, and it continues while the machine is suspended. Finds jumps by comparing wall
 * clock and monotonic clock several times per second, and removes them from sample times.
 */
export class WallClock {
  /** Correction after each jump, the latest last. */
  private readonly jumpedUs = [0];
  private wallUs = 0;
  private monotonicUs: number | null = null;

  /** Takes a reading of both clocks in microseconds. */
  readClocks(wallUs: number, monotonicUs: number): void {
    if (this.monotonicUs !== null) {
      const jumpUs = wallUs - this.wallUs - (monotonicUs - this.monotonicUs);
      if (Math.abs(jumpUs) >= MIN_JUMP_US) this.jumpedUs.push(this.lastUs + jumpUs);
      if (this.jumpedUs.length > MAX_JUMPS) this.jumpedUs.shift();
    }
    this.wallUs = wallUs;
    this.monotonicUs = monotonicUs;
  }

  /** Time of the last reading on the clock before its first jump, in Unix microseconds. */
  get nowUs(): number {
    return this.wallUs - this.lastUs;
  }

  /** Converts a sample time to the clock before its first jump. Samples are seconds old, which determines the jump that applies. */
  steady(atUs: number): number {
    let steadyUs = atUs - this.lastUs;
    if (this.jumpedUs.length === 1) return steadyUs;
    for (const jumpedUs of this.jumpedUs) {
      const otherUs = atUs - jumpedUs;
      if (Math.abs(otherUs - this.nowUs) < Math.abs(steadyUs - this.nowUs)) steadyUs = otherUs;
    }
    return steadyUs;
  }

  private get lastUs(): number {
    return this.jumpedUs.at(-1) ?? 0;
  }
}
