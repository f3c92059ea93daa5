/** Interval in ms in which silence is counted. */
const TICK_MS = 250;

/**
 * Calls back after a time of silence. A time in which this process was blocked or suspended does not count: what arrived then has not been
 * read yet, because Node runs timers that are due before it reads.
 */
export class SilenceTimer {
  private readonly onSilence: () => void;
  private ticker: NodeJS.Timeout | null = null;
  private silentMs = 0;

  constructor(onSilence: () => void) {
    this.onSilence = onSilence;
  }

  /** Starts or restarts the wait for `limitMs` of silence. */
  start(limitMs: number): void {
    this.stop();
    this.silentMs = 0;
    const tickMs = Math.min(TICK_MS, limitMs);
    this.ticker = setInterval(() => {
      // A late tick counts as one, however late it is.
      this.silentMs += tickMs;
      if (this.silentMs < limitMs) return;
      this.stop();
      this.onSilence();
    }, tickMs);
  }

  /** Must be called when something was received. Begins the time of silence again. */
  countReceived(): void {
    this.silentMs = 0;
  }

  stop(): void {
    if (this.ticker !== null) clearInterval(this.ticker);
    this.ticker = null;
  }
}

/** Returns a started timer that calls back after this time, unless it is stopped before. */
export function startSilenceTimer(limitSeconds: number, onSilence: () => void): SilenceTimer {
  const timer = new SilenceTimer(onSilence);
  timer.start(limitSeconds * 1_000);
  return timer;
}
