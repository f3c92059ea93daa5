const MILLISECONDS = { ns: 1e-6, us: 0.001, µs: 0.001, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const isUnit = (unit: string): unit is keyof typeof MILLISECONDS => Object.hasOwn(MILLISECONDS, unit);

/** Converts a time with a unit, such as 21.03ms or 1.02s, to ms. @throws for anything else. */
export function countMilliseconds(time: string): number {
  const [, value = '', unit = ''] = /^([\d.]+)(\p{L}+)$/u.exec(time) ?? [];
  if (!isUnit(unit)) throw new Error(`a time was printed that is not understood: ${time}`);
  return Number(value) * MILLISECONDS[unit];
}

/** Returns the number in the first group of the pattern. @throws if the pattern does not match. */
export function numberIn(text: string, pattern: RegExp): number {
  const [, found = ''] = pattern.exec(text) ?? [];
  if (found === '' || !Number.isFinite(Number(found))) throw new Error(`the output has nothing like ${pattern.source}`);
  return Number(found);
}

/** Returns the number in the first group of the pattern, multiplied by `factor`. Returns null if the pattern does not match. */
export function scaledIn(text: string, pattern: RegExp, factor: number): number | null {
  const [, found = ''] = pattern.exec(text) ?? [];
  return found === '' ? null : Number(found) * factor;
}
