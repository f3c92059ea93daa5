export interface SearchOptions {
  /** Where to begin; the answer may lie on either side. */
  readonly start: number;
  readonly lowest: number;
  readonly highest: number;
  /** The answer is good enough when what failed is no more than this factor above it. */
  readonly precision: number;
  readonly maxProbes: number;
}

const FIRST_STRIDE = 2;

/**
 * The highest value found at which `holds` is true: strides up or down, each stride the square of the one before, until the answer lies between a value that holds and one that
 * does not, then halves the ratio of the two. null when nothing held. What holds at a value is taken to hold below it.
 */
export async function searchHighest(holds: (value: number) => Promise<boolean>, options: SearchOptions): Promise<number | null> {
  const { start, lowest, highest, precision, maxProbes } = options;
  let good: number | null = null;
  let bad: number | null = null;
  let value = clamp(start, lowest, highest);
  let stride = FIRST_STRIDE;
  for (let probe = 0; probe < maxProbes; probe += 1) {
    if (await holds(value)) good = value;
    else bad = value;
    if (good !== null && (good >= highest || (bad !== null && bad / good <= precision))) break;
    if (good === null && value <= lowest) break;
    if (good !== null && bad !== null) value = Math.round(Math.sqrt(good * bad));
    else {
      value = clamp(good === null ? value / stride : value * stride, lowest, highest);
      stride **= 2;
    }
  }
  return good;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, Math.round(value)));
}
