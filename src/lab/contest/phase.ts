/** The phase of the contest for one contestant. CMS distinguishes the same phases. */
export type Phase = 'running' | 'future' | 'ended' | 'unstarted' | 'hidden';

/** The phases by name, with their descriptions. The names are the values of the practice server's option. */
export const PHASES = {
  running: 'it is running',
  future: 'it has not started',
  ended: 'it has ended',
  'own-start': 'each contestant starts with a button',
  'late-half': 'every second contestant starts tomorrow',
  hidden: 'it is running, and hidden accounts are refused: all of them',
} as const;

const RUNNING = 'The contest is running.';

const WORDS: Readonly<Record<Phase, readonly string[]>> = {
  running: [RUNNING],
  future: ['The contest has not started.', 'The contest will start tomorrow at 9:00:00 AM.'],
  ended: ['The contest has already ended.'],
  hidden: [RUNNING],
  unstarted: [RUNNING, 'By clicking on the button below you can start your time frame.'],
};

/** When the contest starts, and how long it lasts. */
export interface ContestClock {
  /** Seconds from the start of the practice server, or from {@link Phases.restart}; null if the contest has already started. */
  readonly startsSeconds: number | null;
  /**
   * Seconds from the start of the contest or, if each contestant starts with a button, from the contestant's own start; null if the contest
   * does not end.
   */
  readonly lastsSeconds: number | null;
}

/** The phases of all contestants, based on the clock of the practice server. */
export class Phases {
  private readonly option: string;
  private readonly clock: ContestClock;
  private readonly now: () => number;
  private readonly startedAtMs = new Map<string, number>();
  private sinceMs: number;

  /** `option` is a name in {@link PHASES}. */
  constructor(option: string, clock: ContestClock = { startsSeconds: null, lastsSeconds: null }, now: () => number = () => Date.now()) {
    this.option = option;
    this.clock = clock;
    this.now = now;
    this.sinceMs = now();
  }

  /** Restarts the time until the start of the contest, and forgets which contestants have started. */
  restart(): void {
    this.sinceMs = this.now();
    this.startedAtMs.clear();
  }

  /** Starts the contest at once. */
  begin(): void {
    this.sinceMs = this.now() - (this.clock.startsSeconds ?? 0) * 1_000;
  }

  /** Returns a contestant's phase. `atMs` is when the contestant's request arrived; CMS, too, judges a slow page by that time. */
  phaseOf(username: string, atMs = this.now()): Phase {
    const { startsSeconds, lastsSeconds } = this.clock;
    const startsAtMs = this.sinceMs + (startsSeconds ?? 0) * 1_000;
    if (atMs < startsAtMs) return 'future';
    const beganAtMs = this.option === 'own-start' ? this.startedAtMs.get(username) : startsAtMs;
    if (beganAtMs !== undefined && lastsSeconds !== null && atMs >= beganAtMs + lastsSeconds * 1_000) return 'ended';
    switch (this.option) {
      case 'own-start':
        return beganAtMs === undefined ? 'unstarted' : 'running';
      case 'late-half':
        return Number(/\d+$/.exec(username)?.[0] ?? 0) % 2 === 0 ? 'future' : 'running';
      case 'future':
      case 'ended':
      case 'hidden':
        return this.option;
      default:
        return 'running';
    }
  }

  wordsFor(username: string, atMs = this.now()): readonly string[] {
    const phase = this.phaseOf(username, atMs);
    const { startsSeconds } = this.clock;
    if (phase !== 'future' || startsSeconds === null) return WORDS[phase];
    return [...WORDS.future.slice(0, 1), `The contest will start in ${Math.ceil(startsSeconds - (atMs - this.sinceMs) / 1_000)} s.`];
  }

  /** Handles a contestant's click on the start button. Does nothing outside of the contest or if the contestant has already started. */
  start(username: string, atMs = this.now()): void {
    if (this.phaseOf(username, atMs) === 'unstarted') this.startedAtMs.set(username, atMs);
  }

  /** Returns whether a contestant sees the tasks. */
  showsTasks(username: string, atMs = this.now()): boolean {
    return ['running', 'ended'].includes(this.phaseOf(username, atMs));
  }
}
