/** Rates for k6: whole numbers of iterations per whole number of seconds. */
export interface IntegerRates {
  readonly rates: readonly number[];
  readonly unitSeconds: number;
}

const MAX_UNIT_SECONDS = 1_000_000;
/**
 * Maximum unit in seconds that is easy to read. Above it, the length of the stage is more readable: 200 in 60 s instead of 3,333,333 in
 * 1,000,000 s.
 */
const MAX_ROUND_UNIT_SECONDS = 100;
/** Tolerance for comparing rates, because 0.1 + 0.2 must equal 0.3. */
const RATE_TOLERANCE = 1e-9;

/**
 * Converts rates per second to whole numbers per unit. If no unit fits, the rates are rounded per longest unit. `seconds`, the duration of
 * the load, is a possible unit, too.
 */
export function toWholeRates(perSecond: readonly number[], seconds?: number): IntegerRates {
  const round = Array.from({ length: Math.log10(MAX_UNIT_SECONDS) + 1 }, (_, power) => 10 ** power);
  // k6 supports durations in milliseconds.
  const own = seconds === undefined || seconds < 1 || !Number.isInteger(seconds * 1_000) ? [] : [seconds];
  const units = [
    ...round.filter((unit) => unit <= MAX_ROUND_UNIT_SECONDS),
    ...own,
    ...round.filter((unit) => unit > MAX_ROUND_UNIT_SECONDS),
  ];
  const unitSeconds = units.find((unit) => perSecond.every((rate) => isWhole(rate, unit))) ?? MAX_UNIT_SECONDS;
  return { rates: perSecond.map((rate) => Math.round(rate * unitSeconds)), unitSeconds };
}

function isWhole(rate: number, unit: number): boolean {
  return Math.abs(rate * unit - Math.round(rate * unit)) <= RATE_TOLERANCE * Math.max(1, rate);
}

/** Formats seconds for k6 with a precision of milliseconds: `90s`, `1500ms`. */
export function duration(seconds: number): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1_000));
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}
