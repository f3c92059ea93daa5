import type { Clock } from '#workers/clock.ts';

const SHORTEST_ROUND_MS = 5;
const LONGEST_ROUND_MS = 250;
/** Going to ten thousand users in memory takes 10 to 20 ms, and what arrives meanwhile would be told later than it came. */
const PARTS = 25;
const SHORTEST_PART_MS = 5;

/** Who is looked at. */
interface Expiring {
  /** Gives up what has taken too long. */
  expire(nowUs: number): void;
}

/**
 * Looks at all users of a thread in rounds, so that no request needs a timer of its own: about a hundred times within the shortest time limit, at
 * most every 5 ms and at least every 250 ms. A long round goes in parts.
 */
export class Sweep {
  private readonly timer: NodeJS.Timeout;
  private readonly now: Clock;
  private readonly users: () => readonly Expiring[];
  private readonly endRound: (nowUs: number) => void;
  private readonly parts: number;
  private at = 0;

  /** `shortestLimitUs`: of the time limits of the requests. `endRound` is told when all users were looked at. */
  constructor(shortestLimitUs: number, now: Clock, users: () => readonly Expiring[], endRound: (nowUs: number) => void) {
    const roundMs = Math.min(LONGEST_ROUND_MS, Math.max(SHORTEST_ROUND_MS, shortestLimitUs / 100_000));
    this.parts = Math.min(PARTS, Math.max(1, Math.floor(roundMs / SHORTEST_PART_MS)));
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
