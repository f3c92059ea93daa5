import { randomFrom } from '#core/testing/queueRun.ts';
import type { LevelSet, LoadLevel } from '../levels.ts';

/** Returns a set of levels of connections from their rates per run. */
export function levelSet(rates: readonly (readonly [at: number, ...perSecond: number[]])[], changes: Partial<LoadLevel> = {}): LevelSet {
  const levels = rates.map(([at, ...perSecond]) => ({
    name: `${at} connections`,
    at,
    perSecond,
    failedShare: 0,
    isDoubted: false,
    ...changes,
  }));
  return { name: '', unit: 'connections', counted: 'responses', levels };
}

/** Returns levels of a server with a known rate, each measured `repeats` times with normal noise of that relative deviation. */
export function measuredLevels(
  rateAt: (at: number) => number,
  counts: readonly number[],
  noise: number,
  repeats: number,
  seed: number,
): LevelSet {
  const random = randomFrom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return levelSet(counts.map((at) => [at, ...Array.from({ length: repeats }, () => rateAt(at) * (1 + noise * normal()))]));
}
