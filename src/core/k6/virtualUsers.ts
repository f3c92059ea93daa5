import type { K6Request } from './samples.ts';

/** A successful response whose body has still to be checked. */
export interface PendingResponse {
  readonly request: K6Request;
  readonly requestIndex: number;
  failedCheck: string | null;
}

/** State of a virtual user between two samples. */
export interface VirtualUser {
  /** Whether the journey cannot continue, because a response was incomplete or lacked a required value. */
  gaveUp: boolean;
  pending: PendingResponse | null;
  /** The step that was redirected; null if none was. */
  redirectedStep: number | null;
  /** Start of the first request of the user's last page. */
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

/** Minimum difference that counts as a jump. Smaller ones are clock drift or the time between two readings. */
const MIN_JUMP_US = 500_000;
/** Maximum number of jumps that are kept for late samples. Only a clock that is set repeatedly has more. */
const MAX_JUMPS = 8;

/**
 * The wall clock of k6's samples without its jumps. The clock may be set during a load, and it continues while the machine is suspended.
 * Jumps are found by comparing the wall clock with the monotonic clock several times per second, and are removed from sample times.
 */
export class WallClock {
  /** Correction after each jump; the latest one is last. */
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

  /** Time of the last reading, on the clock as it was before its first jump, in Unix microseconds. */
  get nowUs(): number {
    return this.wallUs - this.lastUs;
  }

  /**
   * Converts a sample time to the clock as it was before its first jump. Samples are only seconds old, which determines the jump that
   * applies.
   */
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
