const SIGNS_PER_LIMIT = 5;

/** Ends what nobody listens to any more: a network that is cut tells neither side, and a load must not go on without its owner. */
export class SilenceWatch {
  private readonly giveSign: () => void;
  private readonly onSilence: () => void;
  private timer: NodeJS.Timeout | null = null;
  private signs: NodeJS.Timeout | null = null;
  private limitMs = 0;

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

  /** Something came: the other side lives. */
  heard(): void {
    if (this.limitMs === 0) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(this.onSilence, this.limitMs);
  }
}
