import type { K6Request } from './samples.ts';

/** A good answer whose body is still to be looked at: the script's checks come after it. */
export interface PendingAnswer {
  readonly request: K6Request;
  readonly slot: number;
  failedCheck: string | null;
}

/** What is remembered of a virtual user between two samples. */
export interface VirtualUser {
  /** Its journey cannot be gone through: a request got no complete answer, or an answer did not hold what the next step needs. */
  gaveUp: boolean;
  pending: PendingAnswer | null;
  /** The step whose answer sent it on to somewhere else; null when none did. */
  redirectedStep: number | null;
  /** When the first request of its last page began. */
  pageBeganUs: number | null;
}

export class VirtualUsers {
  private readonly users = new Map<string, VirtualUser>();

  of(vu: string): VirtualUser {
    let user = this.users.get(vu);
    if (user === undefined) this.users.set(vu, (user = { gaveUp: false, pending: null, redirectedStep: null, pageBeganUs: null }));
    return user;
  }

  /** Takes every answer that waits for its checks and that ended before an instant. */
  takePending(beforeUs: number): PendingAnswer[] {
    const taken: PendingAnswer[] = [];
    for (const user of this.users.values()) {
      if (user.pending === null || user.pending.request.endUs >= beforeUs) continue;
      taken.push(user.pending);
      user.pending = null;
    }
    return taken;
  }
}

/** Less is a clock that is slowed down or hastened to be right, or the time between two readings. */
const LEAST_JUMP_US = 500_000;
/** Of so many jumps samples may still be on their way; only a clock that is set again and again has more. */
const REMEMBERED = 8;

/**
 * The clock of the machine as k6 stamps its samples with, without its jumps: it is set forth or back while a load goes, and stands still in none of its
 * seconds while the machine is suspended. Told of both clocks some times a second, it finds the jumps, and takes them out of times that came with samples.
 */
export class WallClock {
  /** What has to be taken off the clock after each of its jumps, the last one last. */
  private readonly jumpedUs = [0];
  private wallUs = 0;
  private monotonicUs: number | null = null;

  /** What both clocks say now, in microseconds. */
  look(wallUs: number, monotonicUs: number): void {
    if (this.monotonicUs !== null) {
      const jumpUs = wallUs - this.wallUs - (monotonicUs - this.monotonicUs);
      if (Math.abs(jumpUs) >= LEAST_JUMP_US) this.jumpedUs.push(this.lastUs + jumpUs);
      if (this.jumpedUs.length > REMEMBERED) this.jumpedUs.shift();
    }
    this.wallUs = wallUs;
    this.monotonicUs = monotonicUs;
  }

  /** The instant of the last look by the clock as it was before its first jump, in microseconds since 1970. */
  get nowUs(): number {
    return this.wallUs - this.lastUs;
  }

  /** A time that came with a sample, by the clock as it was before its first jump. Samples are seconds old, so the jump they are behind is the one that makes them so. */
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
