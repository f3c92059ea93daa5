import type { Comparison, FigureDifference, Pair, Standing } from './schema.ts';
import { isTooVariable } from './conclusion.ts';

/** Identity of a baseline: a preset, or a plan by its name, at a target. */
export interface BaselineOf {
  /** Id of the preset, or name of the plan. */
  readonly question: string;
  readonly isPreset: boolean;
  /** Address of the first target. */
  readonly target: string;
}

interface BaselineQuery {
  /** Preset of the plan; null if it belongs to none. */
  readonly preset: string | null;
  /** Returns the name in the plan, because the plan's runs may have other names. Called only if there is no preset. */
  readonly planName: () => string;
  readonly target: string;
}

export function identifyBaseline({ preset, planName, target }: BaselineQuery): BaselineOf {
  return { question: preset ?? planName(), isPreset: preset !== null, target };
}

export function judgeStanding({ conclusion, differences }: Pick<Pair, 'conclusion' | 'differences'>): Exclude<Standing, 'isBaseline'> {
  if (conclusion !== 'differs') return conclusion;
  const directions = new Set(
    differences.flatMap(({ judgement, direction }) => (judgement === 'differs' && direction !== null ? [direction] : [])),
  );
  const [only, ...others] = directions;
  return only === undefined || others.length > 0 ? 'different' : only;
}

/** Result of a comparison for a pipeline. */
export type Gate = 'worse' | 'notWorse' | 'notKnown';

/**
 * `worse`: a figure is worse by more than noise and by more than `tolerance` (as a share of the baseline; failures have no tolerance).
 * `notKnown`: a pair is inconclusive, because it has too few runs, differs in too much, or varies too much.
 */
export function judgeGate({ pairs }: Pick<Comparison, 'pairs'>, tolerance: number): Gate {
  if (pairs.some(({ differences }) => differences.some((one) => isWorse(one, tolerance)))) return 'worse';
  const isReported = ({ conclusion, differences }: Pair): boolean =>
    conclusion === 'differs' || (conclusion === 'withinNoise' && !isTooVariable(differences));
  return pairs.every(isReported) ? 'notWorse' : 'notKnown';
}

/** Returns whether a figure is certainly worse by more than the tolerance. */
export function isWorse({ judgement, direction, change, scale }: FigureDifference, tolerance: number): boolean {
  if (judgement !== 'differs' || direction !== 'worse' || change === null) return false;
  return scale === 'difference' || Math.abs(change) > tolerance;
}
