import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Up to so many ways to deal the runs are all looked at; beyond, a sample of {@link SAMPLED} of them. */
const MOST_ENUMERATED = 20_000;
const SAMPLED = 9_999;
/** The same runs must give the same answer each time they are compared. */
const SEED = 1;

/** For each run, whether it goes to the second side. */
export type Dealing = Uint8Array;

/**
 * The ways to deal `first + second` runs to two sides of these sizes: all of them, or a seeded sample. The real one, in which the first
 * runs are the first side, is always among them, so that a probability is never 0 (Phipson and Smyth 2010).
 */
export function dealings(first: number, second: number): Dealing[] {
  const count = first + second;
  const real = Uint8Array.from({ length: count }, (_, run) => (run < first ? 0 : 1));
  if (waysToDeal(first, second) > MOST_ENUMERATED) return [real, ...sample(real)];
  const found: Dealing[] = [];
  const dealt = new Uint8Array(count);
  const deal = (run: number, left: number): void => {
    if (left > count - run) return;
    if (run === count) {
      found.push(dealt.slice());
      return;
    }
    if (left > 0) {
      dealt[run] = 1;
      deal(run + 1, left - 1);
      dealt[run] = 0;
    }
    deal(run + 1, left);
  };
  deal(0, second);
  return found;
}

/** Binomial coefficient; Infinity where it is too large to matter. */
function waysToDeal(first: number, second: number): number {
  let ways = 1;
  for (let index = 1; index <= second; index += 1) ways = (ways * (first + index)) / index;
  return ways;
}

/** Fisher and Yates' shuffle of the real dealing, again and again. */
function sample(real: Dealing): Dealing[] {
  let drawn = 0;
  return Array.from({ length: SAMPLED }, () => {
    const dealt = real.slice();
    for (let last = dealt.length - 1; last > 0; last -= 1) {
      const chosen = Math.floor(uniformAt(SEED, drawn) * (last + 1));
      drawn += 1;
      const kept = dealt[last] ?? 0;
      dealt[last] = dealt[chosen] ?? 0;
      dealt[chosen] = kept;
    }
    return dealt;
  });
}
