import { uniformAt } from '#core/statistics/uniformAt.ts';
import { type ComparedRun, WHOLE_RUN } from '../comparedRun.ts';
import type { Figure } from '../schema.ts';

/** Deterministic standard normal numbers (Box and Muller 1958). */
export function normalNumbers(seed: number): () => number {
  let index = 0;
  return () => {
    const [one, other] = [uniformAt(seed, index), uniformAt(seed, index + 1)];
    index += 2;
    return Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  };
}

interface Noise {
  /** Standard deviation of the logarithm of the noise that shifts all figures of a run together. */
  readonly common: number;
  /** Standard deviation of the noise that each figure has in addition; larger in the tails. */
  readonly own: number;
}

/**
 * Returns the figures of a run of a server whose times are multiplied by `factor`. The noise of a run shifts all of its figures together.
 * In addition, each figure has its own noise, three times as large in the far tail. One run in ten is disturbed: 5 % slower if `common` is
 * 0.02.
 */
export function simulatedFigures(normal: () => number, { common, own }: Noise, factor = 1): Figure[] {
  const shared = normal() * common + (normal() > 1.28 ? 0.05 * (common / 0.02) : 0);
  const value = (middle: number, roughness: number): number => middle * Math.exp(shared + normal() * own * roughness);
  return [
    { scope: WHOLE_RUN, measure: 'goodPerSecond', value: 1 / value(factor / 500, 1) },
    { scope: WHOLE_RUN, measure: 'p50', value: value(20 * factor, 1) },
    { scope: WHOLE_RUN, measure: 'p95', value: value(60 * factor, 1.5) },
    { scope: WHOLE_RUN, measure: 'p99', value: value(110 * factor, 3) },
    { scope: WHOLE_RUN, measure: 'failedShare', value: 0 },
  ];
}

/** Returns a run that began in the given minute, with the given changes. */
export function runWith(minute: number, changes: Partial<ComparedRun> = {}): ComparedRun {
  return {
    id: `run-${minute}`,
    name: 'page',
    startedAt: new Date(Date.UTC(2026, 2, 12, 10, minute)).toISOString(),
    note: '',
    outcome: 'measured',
    leftOut: null,
    overloadedSeconds: 0,
    figures: [],
    conditions: [],
    ...changes,
  };
}
