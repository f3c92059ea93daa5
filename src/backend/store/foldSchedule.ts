import type { GeneratorReading } from '#core/result/schema.ts';

/** From which age on windows are folded to which width, in seconds. */
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
 * What to fold when the window that begins at `second` has just been stored: for each level the one stretch that has
 * become old enough in this second. Asked once for every second of a run, each stretch comes up exactly once.
 */
export function foldsDue(second: number): FoldRange[] {
  const due: FoldRange[] = [];
  for (const { width, afterSeconds } of FOLD_LEVELS) {
    const to = second - afterSeconds;
    if (to > 0 && to % width === 0) due.push({ from: to - width, to, width });
  }
  return due;
}

const WORST = [
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

/**
 * The worst of several readings: a fold must not make a generator look healthier than it was in its worst second.
 * `readings` holds at least one.
 */
export function worstReading(first: GeneratorReading, others: readonly GeneratorReading[]): GeneratorReading {
  const worst: GeneratorReading = { ...first, sick: [...first.sick] };
  for (const reading of others) {
    for (const name of WORST) worst[name] = larger(worst[name], reading[name]);
    for (const cause of reading.sick) if (!worst.sick.includes(cause)) worst.sick.push(cause);
  }
  return worst;
}

function larger(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

/** At most `max` readings: neighbours become their worst. */
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
