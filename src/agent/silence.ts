const SIGNS_PER_LIMIT = 5;

/** Ends what nobody listens to any more: a network that is cut tells neither side, and a load must not go on without its owner for long. */
export class SilenceWatch {
  private readonly giveSign: () => void;
  private readonly onSilence: () => void;
  private timer: NodeJS.Timeout | null = null;
  private signs: NodeJS.Timeout | null = null;
  private limitMs = 0;
  private graceMs = 0;

  constructor(giveSign: () => void, onSilence: () => void) {
    this.giveSign = giveSign;
    this.onSilence = onSilence;
  }

  start(limitSeconds: number): void {
    this.limitMs = limitSeconds * 1_000;
    this.heard();
    if (this.signs !== null) clearInterval(this.signs);
    this.signs = setInterval(this.giveSign, this.limitMs / SIGNS_PER_LIMIT);
  }

  /** From now on whoever fell silent has so long to come back. */
  allow(graceSeconds: number): void {
    this.graceMs = graceSeconds * 1_000;
    this.heard();
  }

  /** Something came: the other side lives. */
  heard(): void {
    this.stopTimer();
    if (this.limitMs > 0) this.timer = setTimeout(this.onSilence, this.limitMs + this.graceMs);
  }

  /** The other side is known to be gone: the time in which it may come back begins now. */
  gone(): void {
    this.stopTimer();
    this.timer = setTimeout(this.onSilence, this.graceMs);
  }

  private stopTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
