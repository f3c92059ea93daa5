import type { Comparison, FigureDifference, Pair, Standing } from './schema.ts';
import { isNotToldApart } from './conclusion.ts';

/** What a baseline is of: a preset, or a plan by its name, at a target. */
export interface BaselineOf {
  /** Id of the preset, or name of the plan. */
  readonly question: string;
  readonly isPreset: boolean;
  /** Address of the first target. */
  readonly target: string;
}

interface Asked {
  /** null: the plan is nobody's preset. */
  readonly preset: string | null;
  /** As the plan has it: its runs may be called something else. Asked only of what is nobody's preset. */
  readonly planName: () => string;
  readonly target: string;
}

/** What a plan, or a run of it, has its baseline by. */
export function baselineOf({ preset, planName, target }: Asked): BaselineOf {
  return { question: preset ?? planName(), isPreset: preset !== null, target };
}

export function standingOf({ conclusion, differences }: Pick<Pair, 'conclusion' | 'differences'>): Exclude<Standing, 'isBaseline'> {
  if (conclusion !== 'differs') return conclusion;
  const directions = new Set(
    differences.flatMap(({ judgement, direction }) => (judgement === 'differs' && direction !== null ? [direction] : [])),
  );
  const [only, ...others] = directions;
  return only === undefined || others.length > 0 ? 'different' : only;
}

/** What a comparison means for whoever must go on or stop. */
export type Gate = 'worse' | 'notWorse' | 'notKnown';

/**
 * `worse`: a figure is worse by more than noise, and by more than `tolerance` (a part of the figure it had; failures have no tolerance).
 * `notKnown`: nothing can be said of a pair, because its runs are too few, or differ in too much, or so much among themselves that it may be quite different.
 */
export function gateOf({ pairs }: Pick<Comparison, 'pairs'>, tolerance: number): Gate {
  if (pairs.some(({ differences }) => differences.some((one) => isWorse(one, tolerance)))) return 'worse';
  const isTold = ({ conclusion, differences }: Pair): boolean =>
    conclusion === 'differs' || (conclusion === 'withinNoise' && !isNotToldApart(differences));
  return pairs.every(isTold) ? 'notWorse' : 'notKnown';
}

/** Whether a figure has become worse, surely and by more than is tolerated. */
export function isWorse({ judgement, direction, change, scale }: FigureDifference, tolerance: number): boolean {
  if (judgement !== 'differs' || direction !== 'worse' || change === null) return false;
  return scale === 'difference' || Math.abs(change) > tolerance;
}
