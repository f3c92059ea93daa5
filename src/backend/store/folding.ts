import type { GeneratorReading } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { foldWindows, mergeWindow } from '#core/measurement/windowFold.ts';

/** Levels of folding: the width of windows, and the age in seconds after which they get this width. */
export const FOLD_LEVELS = [
  { width: 10, afterSeconds: 3_600 },
  { width: 60, afterSeconds: 6 * 3_600 },
] as const;

export interface FoldRange {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/**
 * Returns the ranges to fold after the window at `second` was stored: at each level, the range that has just become old enough. When called
 * for every second of a run, it returns each range exactly once.
 */
export function listDueFolds(second: number): FoldRange[] {
  const due: FoldRange[] = [];
  for (const { width, afterSeconds } of FOLD_LEVELS) {
    const to = second - afterSeconds;
    if (to > 0 && to % width === 0) due.push({ from: to - width, to, width });
  }
  return due;
}

const MAXIMUM_FIELDS = [
  'threadCpu',
  'threadWait',
  'machineCpu',
  'steal',
  'eventLoopDelayMs',
  'scheduleLagMs',
  'garbageCollectionMs',
  'stoodStillMs',
  'memoryBytes',
  'openFiles',
  'timeWaitSockets',
] as const;

/** Returns the worst of several readings, because a folded window must not look healthier than its worst second. */
export function worstReading(first: GeneratorReading, others: readonly GeneratorReading[]): GeneratorReading {
  const worst: GeneratorReading = { ...first, overloadedBy: [...first.overloadedBy] };
  for (const reading of others) {
    for (const name of MAXIMUM_FIELDS) worst[name] = maxKnown(worst[name], reading[name]);
    for (const cause of reading.overloadedBy) if (!worst.overloadedBy.includes(cause)) worst.overloadedBy.push(cause);
  }
  return worst;
}

function maxKnown(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

/** Reduces readings to at most `max`. Each group of neighbouring readings becomes one with their worst values. */
export function reduceReadings(readings: readonly GeneratorReading[], max: number): GeneratorReading[] {
  if (readings.length <= max) return [...readings];
  const size = Math.ceil(readings.length / max);
  const reduced: GeneratorReading[] = [];
  for (let start = 0; start < readings.length; start += size) {
    const [first, ...others] = readings.slice(start, start + size);
    if (first) reduced.push(worstReading(first, others));
  }
  return reduced;
}

/** A window of one load generator with the generator's reading. The generators of a run are numbered from 0. */
export interface GeneratorWindow {
  readonly generator: number;
  readonly window: Window;
  readonly reading: GeneratorReading;
}

/** Last known number of outstanding requests of each generator, including generators that have ended or were lost. */
export class InFlightByGenerator {
  private readonly inFlight = new Map<number, number>();
  private readonly side = new Map<number, number>();

  take({ generator, window }: Pick<GeneratorWindow, 'generator' | 'window'>): void {
    this.inFlight.set(generator, window.inFlight);
    if (window.side) this.side.set(generator, window.side.inFlight);
  }

  /** Sets the outstanding requests of all generators in a merged window. */
  fill(window: Window): Window {
    window.inFlight = sumOf(this.inFlight);
    if (window.side) window.side.inFlight = sumOf(this.side);
    return window;
  }
}

/** Merges windows of several generators that cover the same seconds. Windows of a single generator pass unchanged. */
export function* mergeGenerators(
  placed: Iterable<Pick<GeneratorWindow, 'generator' | 'window'>>,
  inFlight: InFlightByGenerator = new InFlightByGenerator(),
): Generator<Window> {
  let sum: Window | null = null;
  for (const generatorWindow of placed) {
    const { window } = generatorWindow;
    const isSame = sum !== null && sum.second === window.second && sum.width === window.width;
    if (sum !== null && !isSame) yield inFlight.fill(sum);
    inFlight.take(generatorWindow);
    if (sum !== null && isSame) mergeWindow(sum, window);
    else sum = window;
  }
  if (sum !== null) yield inFlight.fill(sum);
}

function sumOf(levels: ReadonlyMap<number, number>): number {
  return [...levels.values()].reduce((sum, level) => sum + level, 0);
}

/**
 * Folds the windows of each generator, and keeps the worst readings. All generators are cut at the same seconds: where one becomes
 * overloaded, recovers, begins or ends. Otherwise, the windows of different generators could no longer be merged.
 */
export function foldGeneratorWindows(generatorWindows: readonly GeneratorWindow[], width: number): GeneratorWindow[] {
  const cuts = findCuts(generatorWindows);
  return [...new Set(generatorWindows.map(({ generator }) => generator))].flatMap((generator) => {
    const ownWindows = generatorWindows.filter((generatorWindow) => generatorWindow.generator === generator);
    const foldedWindows = foldWindows(
      ownWindows.map(({ window }) => window),
      width,
      cuts,
    );
    return foldedWindows.flatMap((window) => {
      const insideOwnWindows = ownWindows.filter(
        ({ window: { second } }) => second >= window.second && second < window.second + window.width,
      );
      const [first, ...others] = insideOwnWindows.map(({ reading }) => reading);
      return first ? [{ generator, window, reading: { ...worstReading(first, others), second: window.second } }] : [];
    });
  });
}

/** Returns the seconds at which the set of generators, or the overload of a generator, changes. */
function findCuts(generatorWindows: readonly GeneratorWindow[]): Set<number> {
  const looks = new Map<number, string[]>();
  for (const { generator, window } of generatorWindows) {
    const look = looks.get(window.second) ?? [];
    look.push(`${generator} ${window.overloadedBy.join(' ')}`);
    looks.set(window.second, look);
  }
  const cuts = new Set<number>();
  let before: string | null = null;
  for (const [second, look] of [...looks].sort(([one], [other]) => one - other)) {
    const now = look.sort().join(', ');
    if (now !== before) cuts.add(second);
    before = now;
  }
  return cuts;
}
