/** A rate as k6 takes it: a whole number of iterations in a time of so many whole seconds. */
export interface WholeRates {
  readonly rates: readonly number[];
  readonly unitSeconds: number;
}

const LONGEST_UNIT_SECONDS = 1_000_000;
/** Rates are meant to a billionth; 0.1 + 0.2 is 0.3. */
const PRECISION = 1e-9;

/** Rates a second as whole numbers in one unit of time; where none makes all of them whole, in the longest, rounded. */
export function wholeRates(perSecond: readonly number[]): WholeRates {
  for (let unitSeconds = 1; unitSeconds <= LONGEST_UNIT_SECONDS; unitSeconds *= 10) {
    const scaled = perSecond.map((rate) => rate * unitSeconds);
    const isWhole = scaled.every((rate) => Math.abs(rate - Math.round(rate)) <= PRECISION * Math.max(1, rate));
    if (isWhole || unitSeconds === LONGEST_UNIT_SECONDS) return { rates: scaled.map(Math.round), unitSeconds };
  }
  return { rates: perSecond.map(Math.round), unitSeconds: 1 };
}

/** Seconds as k6 writes them, to the millisecond: `90s`, `1500ms`. */
export function duration(seconds: number): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1_000));
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}
