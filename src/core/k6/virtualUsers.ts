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
