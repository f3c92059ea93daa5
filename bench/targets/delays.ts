/** Distribution of the target's response times in ms. */
export type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'exponential'; readonly meanMs: number }
  | { readonly kind: 'bimodal'; readonly ms: number; readonly slowMs: number; readonly slowShare: number };

const MAX_DELAY_MS = 10_000;

/** Parses `fixed:MS`, `exponential:MEAN_MS` or `bimodal:MS:SLOW_MS:SLOW_SHARE`. Returns null for anything else. */
export function parseDelay(text: string): Delay | null {
  const [kind, ...numbers] = text.split(':');
  const values = numbers.map((number) => (/^\d+(\.\d+)?$/.test(number) ? Number(number) : Number.NaN));
  if (!values.every((value) => value <= MAX_DELAY_MS)) return null;
  const [first = 0, second = 0, third = 0] = values;
  if (kind === 'fixed' && values.length === 1) return { kind, ms: first };
  if (kind === 'exponential' && values.length === 1 && first > 0) return { kind, meanMs: first };
  if (kind === 'bimodal' && values.length === 3 && third < 1) return { kind, ms: first, slowMs: second, slowShare: third };
  return null;
}

/** Describes a delay for the caption of a table. */
export function describeDelay(delay: Delay): string {
  switch (delay.kind) {
    case 'fixed':
      return `${delay.ms} ms for every request`;
    case 'exponential':
      return `exponentially distributed times, ${delay.meanMs} ms in the mean`;
    case 'bimodal':
      return `${delay.ms} ms, but ${delay.slowMs} ms for ${delay.slowShare * 100} % of the requests`;
    default:
      return delay satisfies never;
  }
}

/** Returns a generator of delays in ms. The delays are determined by the seed, so that every load generator gets the same target. */
export function delaySampler(delay: Delay, seed: number): () => number {
  const uniform = uniformSampler(seed);
  switch (delay.kind) {
    case 'fixed':
      return () => delay.ms;
    case 'exponential':
      // This is the inverse of the distribution function 1 − exp(−t / mean).
      return () => Math.min(MAX_DELAY_MS, -delay.meanMs * Math.log(1 - uniform()));
    case 'bimodal':
      return () => (uniform() < delay.slowShare ? delay.slowMs : delay.ms);
    default:
      return delay satisfies never;
  }
}

/** Returns a generator of numbers that are uniform in [0, 1): xorshift32 (G. Marsaglia, Xorshift RNGs, 2003). */
function uniformSampler(seed: number): () => number {
  let state = seed >>> 0 === 0 ? 1 : seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
