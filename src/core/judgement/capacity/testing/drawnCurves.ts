import { type ValueInterval, type Usl, uslPeak, uslRate } from '../usl.ts';
import { limitRate, fitScaling } from '../scaling.ts';
import { measuredLevels } from './levels.ts';

/** A server with known parameters, and how its levels were measured. */
export interface CurveKind {
  readonly name: string;
  /** Returns, for a seed, whether the interval of each number covers the true value. */
  readonly reported: (seed: number) => Readonly<Record<string, boolean>>;
}

const SERVERS: readonly Usl[] = [
  { lambda: 100, sigma: 0.05, kappa: 0.001 },
  { lambda: 40, sigma: 0.02, kappa: 0.0005 },
  { lambda: 100, sigma: 0.1, kappa: 0.004 },
  { lambda: 100, sigma: 0.15, kappa: 0 },
  { lambda: 100, sigma: 0, kappa: 0.002 },
];
const COUNTS = [1, 2, 4, 8, 16, 32, 64];
const MORE_COUNTS = [1, 2, 4, 8, 16, 24, 32, 48, 64];
/** Relative noise of rates between runs, and runs per level. */
const MEASURED = [
  { noise: 0.02, repeats: 2, counts: MORE_COUNTS },
  { noise: 0.03, repeats: 1, counts: COUNTS },
  { noise: 0.05, repeats: 3, counts: COUNTS },
];
const CORNER = { slope: 50, most: 900 };

/** Kinds of curves: with contention and coherency, with one of the two missing, and with a hard limit. */
export const CURVE_KINDS: readonly CurveKind[] = [
  ...SERVERS.flatMap((truth) =>
    MEASURED.map(({ noise, repeats, counts }): CurveKind => ({
      name: `σ ${truth.sigma}, κ ${truth.kappa}; ${repeats} of each, ${100 * noise} % apart`,
      reported(seed) {
        const scaling = fitScaling(measuredLevels((at) => uslRate(truth, at), counts, noise, repeats, seed));
        if (scaling.kind !== 'curve') return {};
        const { lambda, sigma, kappa, peakAt } = scaling.intervals;
        return {
          λ: holds(lambda, truth.lambda),
          σ: holds(sigma, truth.sigma),
          κ: holds(kappa, truth.kappa),
          ...(peakAt === null ? {} : { peak: holds(peakAt, uslPeak(truth) ?? Infinity) }),
        };
      },
    })),
  ),
  ...MEASURED.map(({ noise, repeats, counts }): CurveKind => ({
    name: `a hard limit; ${repeats} of each, ${100 * noise} % apart`,
    reported(seed) {
      const scaling = fitScaling(measuredLevels((at) => limitRate(CORNER, at), counts, noise, repeats, seed));
      return scaling.kind === 'limit' ? { most: scaling.limit.low <= CORNER.most && CORNER.most <= scaling.limit.high } : {};
    },
  })),
];

function holds({ low, high }: Pick<ValueInterval, 'low' | 'high'>, value: number): boolean {
  return value >= low && (high === null || value <= high);
}

/** Returns, for each number, the share of `sets` sets whose interval covers the true value. */
export function correctCurveShares(kind: CurveKind, sets: number, seed: number): ReadonlyMap<string, number> {
  const counts = new Map<string, { reported: number; held: number }>();
  for (let set = 0; set < sets; set += 1)
    // Seeds are multiplied, because adjacent seeds give correlated numbers.
    for (const [name, isHeld] of Object.entries(kind.reported((seed + set) * 7_919))) {
      const count = counts.get(name) ?? { reported: 0, held: 0 };
      counts.set(name, { reported: count.reported + 1, held: count.held + (isHeld ? 1 : 0) });
    }
  return new Map([...counts].map(([name, { reported, held }]) => [name, held / reported]));
}
