import type { Clock } from '#workers/clock.ts';

const MIN_ROUND_MS = 5;
const MAX_ROUND_MS = 250;
/** Maximum number of parts of a round. Checking ten thousand users at once takes 10 to 20 ms, which would delay reads by as much. */
const MAX_PARTS = 25;
const MIN_PART_MS = 5;

interface ExpiringUser {
  /** Ends requests that have exceeded their time limit. */
  expire(nowUs: number): void;
}

/**
 * Checks all users of a thread in rounds, so that no request needs a timer of its own. A round takes 1/100 of the shortest time limit, but
 * at least 5 ms and at most 250 ms. Long rounds are divided into parts.
 */
export class Sweep {
  private readonly timer: NodeJS.Timeout;
  private readonly now: Clock;
  private readonly users: () => readonly ExpiringUser[];
  private readonly endRound: (nowUs: number) => void;
  private readonly parts: number;
  private at = 0;

  /** `minLimitUs` is the shortest time limit of the requests. `endRound` is called when all users are checked. */
  constructor(minLimitUs: number, now: Clock, users: () => readonly ExpiringUser[], endRound: (nowUs: number) => void) {
    const roundMs = Math.min(MAX_ROUND_MS, Math.max(MIN_ROUND_MS, minLimitUs / 100_000));
    this.parts = Math.min(MAX_PARTS, Math.max(1, Math.floor(roundMs / MIN_PART_MS)));
    this.now = now;
    this.users = users;
    this.endRound = endRound;
    this.timer = setInterval(() => this.part(), roundMs / this.parts);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private part(): void {
    const nowUs = this.now();
    const users = this.users();
    const end = Math.min(users.length, this.at + Math.ceil(users.length / this.parts));
    for (let index = this.at; index < end; index += 1) users[index]?.expire(nowUs);
    this.at = end;
    if (end < users.length) return;
    this.at = 0;
    this.endRound(nowUs);
  }
}
