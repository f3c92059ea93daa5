import { HoldfastError } from '#core/base/errors.ts';
import type { Ending } from '#core/result/schema.ts';

/** The kinds of load. `anyRun` includes runs of other processes with the same store; all other kinds are of this process. */
export type LoadKind = 'join' | 'selfTest' | 'populate' | 'series' | 'search' | 'run' | 'anyRun';

/** Returns the error `NAME_GOING`, for requests that conflict with a load of this process. */
export function loadGoingError(name: string, message: string, data?: unknown): HoldfastError {
  return new HoldfastError({ code: `${name}_GOING`, message, hint: 'Wait until it ends or stop it, then start again.', data });
}

/** Returns the error `NAME_ELSEWHERE`, because only the process that runs a load can stop it. */
export function loadElsewhereError(name: string, called: string, pid: number): HoldfastError {
  return new HoldfastError({
    code: `${name}_ELSEWHERE`,
    message: `This ${called} belongs to another Holdfast on this computer.`,
    hint: `Stop it there: in its window, or with Ctrl+C in its terminal (process ${pid}).`,
  });
}

/** What needs to run alone: a load, or work that would disturb a load. A `cell` is a run of a series or a search. */
export type Claim = Exclude<LoadKind, 'anyRun'> | 'cell' | 'path' | 'print' | 'record';

/**
 * The loads that exclude each claim, in the order in which they are reported. The store itself rejects a run while another process has an
 * active run.
 */
const EXCLUDING_LOADS: Readonly<Record<Claim, readonly LoadKind[]>> = {
  join: ['join', 'selfTest', 'populate', 'series', 'search', 'anyRun'],
  run: ['join', 'run', 'selfTest', 'populate', 'series', 'search'],
  cell: ['run', 'selfTest', 'populate'],
  series: ['join', 'series', 'selfTest', 'populate', 'search', 'anyRun'],
  search: ['join', 'search', 'selfTest', 'populate', 'series', 'anyRun'],
  populate: ['join', 'populate', 'selfTest', 'series', 'search', 'anyRun'],
  selfTest: ['join', 'selfTest', 'populate', 'series', 'search', 'anyRun'],
  path: ['join', 'selfTest', 'populate', 'series', 'search', 'anyRun'],
  print: ['series', 'search', 'anyRun'],
  record: ['series', 'search', 'anyRun'],
};

/**
 * Keeps loads apart from each other and from path measurements, because each would distort the other. A load first counts as starting, so
 * that no new measurement begins. It then waits for the current measurement by {@link waitForMeasurement}, which takes only seconds.
 */
export class LoadLock {
  private readonly loadChecks = new Map<LoadKind, () => HoldfastError | null>();
  private lastMeasured: Promise<unknown> = Promise.resolve();

  /** Registers a kind of load. `findProblem` returns the error to throw while such a load is active or about to start, otherwise null. */
  register(kind: LoadKind, findProblem: () => HoldfastError | null): void {
    this.loadChecks.set(kind, findProblem);
  }

  /** Throws the error of the first active load that excludes this claim. */
  claim(claim: Claim): void {
    for (const kind of EXCLUDING_LOADS[claim]) {
      const problem = this.loadChecks.get(kind)?.() ?? null;
      if (problem !== null) throw problem;
    }
  }

  /**
   * Runs a path measurement once the previous one has ended. Throws if a load is active at that time, and throws the errors of the work.
   */
  measure<Result>(work: () => Promise<Result>): Promise<Result> {
    const own = this.lastMeasured.then(() => {
      this.claim('path');
      return work();
    });
    this.lastMeasured = own.catch(() => {});
    return own;
  }

  /** Resolves when no path measurement is active. Never rejects. */
  async waitForMeasurement(): Promise<void> {
    await this.lastMeasured;
  }
}

/** Returns the error for requests to a process that is ending. */
export function closingError(): HoldfastError {
  return new HoldfastError({ code: 'GONE', message: 'Holdfast is closing.', hint: 'Start it again, then start the run.' });
}

export const STOPPED_BY_USER: Ending = { code: 'user', text: 'You stopped it.' };
export const CLOSED: Ending = { code: 'closed', text: 'Holdfast was closed.' };
