import type { Pair } from './schema.ts';

/** How a run stands to its baseline, in a word. `different`: better in some figures and worse in others, or neither. */
export const STANDINGS = ['isBaseline', 'worse', 'better', 'different', 'withinNoise', 'tooFew', 'refused'] as const;
export type Standing = (typeof STANDINGS)[number];

export function standingOf({ conclusion, differences }: Pick<Pair, 'conclusion' | 'differences'>): Exclude<Standing, 'isBaseline'> {
  if (conclusion !== 'differs') return conclusion;
  const directions = new Set(
    differences.flatMap(({ judgement, direction }) => (judgement === 'differs' && direction !== null ? [direction] : [])),
  );
  const [only, ...others] = directions;
  return only === undefined || others.length > 0 ? 'different' : only;
}
