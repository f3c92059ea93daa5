/**
 * Keeps measurements of a path and loads of this process apart, both ways: beside a load a path would be measured as what the load leaves of it, and the
 * load as what the measurement leaves. Whoever starts a load says so first, so that no further measurement begins, and then waits {@link untilQuiet}: a
 * measurement is over within seconds.
 */
export class QuietLine {
  private readonly mustNotLoad: () => void;
  private last: Promise<unknown> = Promise.resolve();

  /** `mustNotLoad` throws when a load is going, or is about to. */
  constructor(mustNotLoad: () => void) {
    this.mustNotLoad = mustNotLoad;
  }

  /** Measures, one at a time. Throws what `mustNotLoad` does when its turn comes, and what the work does. */
  measure<Result>(work: () => Promise<Result>): Promise<Result> {
    const own = this.last.then(() => {
      this.mustNotLoad();
      return work();
    });
    this.last = own.catch(() => {});
    return own;
  }

  /** Resolves when nothing is measured any more. Never rejects. */
  readonly untilQuiet = async (): Promise<void> => {
    await this.last;
  };
}
