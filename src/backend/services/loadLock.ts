import { HoldfastError } from '#core/base/errors.ts';

/** What puts load on from this process; `anyRun` counts the runs of others that share the store, too. */
export type LoadKind = 'selfTest' | 'populate' | 'series' | 'search' | 'run' | 'anyRun';

/** `…_GOING`: what anybody is told who wants to begin something beside a load of this process. */
export function loadGoing(name: string, message: string, data?: unknown): HoldfastError {
  return new HoldfastError({ code: `${name}_GOING`, message, hint: 'Wait until it ends or stop it, then start again.', data });
}

/** `…_ELSEWHERE`: only the process that makes a load can stop it. */
export function loadElsewhere(name: string, called: string, pid: number): HoldfastError {
  return new HoldfastError({
    code: `${name}_ELSEWHERE`,
    message: `This ${called} belongs to another Holdfast on this computer.`,
    hint: `Stop it there: in its window, or with Ctrl+C in its terminal (process ${pid}).`,
  });
}

/** What has to go alone: a load, or what would disturb one. A cell is a run that a series or a search has begun. */
export type Claim = Exclude<LoadKind, 'anyRun'> | 'cell' | 'path' | 'print' | 'record';

/** Beside which loads each may not go, in the order in which whoever asks is told of them. The store refuses a run beside one of another process. */
const APART: Readonly<Record<Claim, readonly LoadKind[]>> = {
  run: ['run', 'selfTest', 'populate', 'series', 'search'],
  cell: ['run', 'selfTest', 'populate'],
  series: ['series', 'selfTest', 'populate', 'search', 'anyRun'],
  search: ['search', 'selfTest', 'populate', 'series', 'anyRun'],
  populate: ['populate', 'selfTest', 'series', 'search', 'anyRun'],
  selfTest: ['selfTest', 'populate', 'series', 'search', 'anyRun'],
  path: ['selfTest', 'populate', 'series', 'search', 'anyRun'],
  print: ['series', 'search', 'anyRun'],
  record: ['series', 'search', 'anyRun'],
};

/**
 * Keeps loads apart from each other, and from measurements of a path: beside a load a path would be measured as what the load leaves of it, and the load as
 * what the measurement leaves. Whoever starts a load says so first, so that no further measurement begins, and then waits {@link untilQuiet}: a measurement
 * is over within seconds.
 */
export class LoadLock {
  private readonly going = new Map<LoadKind, () => HoldfastError | null>();
  private lastMeasured: Promise<unknown> = Promise.resolve();

  /** `going`: what anybody is told while a load of this kind goes, or is about to; null otherwise. */
  register(kind: LoadKind, going: () => HoldfastError | null): void {
    this.going.set(kind, going);
  }

  /** Throws what goes that this may not go beside. */
  claim(claim: Claim): void {
    for (const kind of APART[claim]) {
      const problem = this.going.get(kind)?.() ?? null;
      if (problem !== null) throw problem;
    }
  }

  /** Measures a path, one at a time. Throws what goes when its turn comes, and what the work does. */
  measure<Result>(work: () => Promise<Result>): Promise<Result> {
    const own = this.lastMeasured.then(() => {
      this.claim('path');
      return work();
    });
    this.lastMeasured = own.catch(() => {});
    return own;
  }

  /** Resolves when no path is measured any more. Never rejects. */
  async untilQuiet(): Promise<void> {
    await this.lastMeasured;
  }
}
