/** A rate as k6 takes it: a whole number of iterations in a time of so many whole seconds. */
export interface WholeRates {
  readonly rates: readonly number[];
  readonly unitSeconds: number;
}

const LONGEST_UNIT_SECONDS = 1_000_000;
/** Longer round units are read worse than the length of a stage: 200 in 60 s, and not 3,333,333 in 1,000,000 s. */
const LONGEST_ROUND_UNIT_SECONDS = 100;
/** Rates are meant to a billionth; 0.1 + 0.2 is 0.3. */
const PRECISION = 1e-9;

/**
 * Rates a second as whole numbers in one unit of time, where none makes all of them whole, in the longest, rounded. `seconds`, the length of what has
 * these rates, is a unit as well.
 */
export function wholeRates(perSecond: readonly number[], seconds?: number): WholeRates {
  const round = Array.from({ length: Math.log10(LONGEST_UNIT_SECONDS) + 1 }, (_, power) => 10 ** power);
  // k6 takes times to the millisecond.
  const own = seconds === undefined || seconds < 1 || !Number.isInteger(seconds * 1_000) ? [] : [seconds];
  const units = [
    ...round.filter((unit) => unit <= LONGEST_ROUND_UNIT_SECONDS),
    ...own,
    ...round.filter((unit) => unit > LONGEST_ROUND_UNIT_SECONDS),
  ];
  const unitSeconds = units.find((unit) => perSecond.every((rate) => isWhole(rate, unit))) ?? LONGEST_UNIT_SECONDS;
  return { rates: perSecond.map((rate) => Math.round(rate * unitSeconds)), unitSeconds };
}

function isWhole(rate: number, unit: number): boolean {
  return Math.abs(rate * unit - Math.round(rate * unit)) <= PRECISION * Math.max(1, rate);
}

/** Seconds as k6 writes them, to the millisecond: `90s`, `1500ms`. */
export function duration(seconds: number): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1_000));
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}
