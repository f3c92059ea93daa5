import type { LoadLevel } from './levels.ts';
import { FLAT, isSound, meanRate } from './scaling.ts';

/** What levels show without any curve. */
export type Shape =
  | { readonly kind: 'flat'; readonly from: number; readonly to: number; readonly least: number; readonly most: number }
  | { readonly kind: 'falls'; readonly best: LoadLevel; readonly last: LoadLevel }
  | { readonly kind: 'rises' };

/** Levels at which hardly anything failed, from few to many. Flat is where the heaviest, and others down to half of it or fewer, got the same done. */
export function shapeOf(levels: readonly LoadLevel[]): Shape {
  const healthy = levels.filter(isSound);
  const last = healthy.at(-1);
  if (last === undefined || healthy.length < 2) return { kind: 'rises' };
  const best = healthy.reduce((one, other) => (meanRate(other) > meanRate(one) ? other : one));
  if (meanRate(best) > FLAT * meanRate(last)) return { kind: 'falls', best, last };
  const first = healthy.findIndex((_level, index) => {
    const rates = healthy.slice(index).map(meanRate);
    return Math.max(...rates) <= FLAT * Math.min(...rates);
  });
  const from = healthy[first];
  if (from === undefined || from.at * 2 > last.at) return { kind: 'rises' };
  const rates = healthy.slice(first).map(meanRate);
  return { kind: 'flat', from: from.at, to: last.at, least: Math.min(...rates), most: Math.max(...rates) };
}
