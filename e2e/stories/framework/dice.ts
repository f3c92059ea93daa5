/** Draws the parameters of a story. */
export interface Dice {
  /** Returns an integer from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** Returns one of the values `from`, `from + step`, … up to `to`. */
  step(from: number, to: number, step: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** Returns dice for a story. The same seed and name always lead to the same values, whatever other stories run. */
export function diceFor(seed: number, name: string): Dice {
  const next = generator(hash(`${seed} ${name}`));
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    whole: integer,
    step: (from, to, step) => from + step * integer(0, Math.round((to - from) / step)),
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
  };
}

/** Returns the FNV-1a hash of a text, in 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** Returns a generator of numbers that are uniform in [0, 1), by Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
