import { mutated, type Draw } from '#core/import/testing/mutate.ts';

/**
 * Returns a deterministic generator of integers from 0 to `below` − 1 (mulberry32). An input can be reproduced from its seed and number.
 */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NUMBERS = ['0', '-1', '1e999', '4294967296', '9007199254740993', '99999999999999999999', '0x10', 'NaN', '٣', '1_0', '.5', '-0'];
const MAX_MUTATED_LENGTH = 20_000;

/** Returns a mutation of a valid input. Parts are omitted, repeated, swapped or truncated, and tokens of the format are inserted. */
export function mutateInput(corpus: readonly string[], tokens: readonly string[], draw: Draw): string {
  const seed = corpus[draw(corpus.length)] ?? '';
  if (draw(4) === 0 && isText(seed)) return clipLength(mutateJson(seed, corpus, draw));
  let text = seed;
  for (let count = 1 + draw(4); count > 0; count -= 1) text = mutateOnce(text, corpus, tokens, draw);
  return clipLength(text);
}

function clipLength(text: string): string {
  return text.length > MAX_MUTATED_LENGTH ? text.slice(0, MAX_MUTATED_LENGTH) : text;
}

function isText(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- bytes are told from texts by them
  return !/[\u0000-\u0008\u0080-\u009f]/.test(text);
}

/** Mutates the structure of JSON. Text that is not JSON is mutated as text. */
function mutateJson(seed: string, corpus: readonly string[], draw: Draw): string {
  try {
    return mutated(seed, corpus, draw);
  } catch {
    return mutateOnce(seed, corpus, NUMBERS, draw);
  }
}

function mutateOnce(text: string, corpus: readonly string[], tokens: readonly string[], draw: Draw): string {
  const from = draw(text.length + 1);
  const length = draw(Math.min(40, text.length - from + 1));
  const before = text.slice(0, from);
  const part = text.slice(from, from + length);
  switch (draw(10)) {
    case 0:
      return before + text.slice(from + length);
    case 1:
      return before + part.repeat(1 + draw(5)) + text.slice(from);
    case 2:
      return draw(2) === 0 ? before : text.slice(from);
    case 3: {
      const other = corpus[draw(corpus.length)] ?? '';
      const start = draw(other.length + 1);
      return before + other.slice(start, start + draw(100)) + text.slice(from + length);
    }
    case 4:
      return before + String.fromCharCode(draw(8) === 0 ? draw(65_536) : draw(256)) + text.slice(from + 1);
    case 5: {
      const number = /\d+/.exec(text.slice(from));
      if (number === null) return before + (NUMBERS[draw(NUMBERS.length)] ?? '') + text.slice(from);
      const start = from + number.index;
      return text.slice(0, start) + (NUMBERS[draw(NUMBERS.length)] ?? '') + text.slice(start + number[0].length);
    }
    case 6:
      return before + (tokens[draw(tokens.length)] ?? '') + text.slice(from + length);
    default:
      return before + (tokens[draw(tokens.length)] ?? '') + text.slice(from);
  }
}

/** An input of any length that repeats a part, either unchanged or with different numbers. */
export interface LongInput {
  readonly what: string;
  of(length: number): string;
}

export function longInput(corpus: readonly string[], tokens: readonly string[], draw: Draw): LongInput {
  const seed = corpus[draw(corpus.length)] ?? '';
  const from = draw(seed.length + 1);
  const lineStart = draw(2) === 0 ? seed.lastIndexOf('\n', from) + 1 : from;
  const lineEnd = seed.indexOf('\n', from);
  const parts = [
    tokens[draw(tokens.length)] ?? ' ',
    (tokens[draw(tokens.length)] ?? ' ') + (tokens[draw(tokens.length)] ?? ' '),
    seed.slice(from, from + 1 + draw(30)),
    seed.slice(lineStart, lineEnd < 0 ? undefined : lineEnd + 1),
    seed,
  ];
  const part = parts[draw(parts.length)] || ' ';
  const isNumbered = draw(2) === 0;
  const before = draw(4) === 0 ? '' : seed.slice(0, lineStart);
  const after = draw(3) === 0 ? '' : seed.slice(from);
  return {
    what: `${JSON.stringify(before.slice(-30))} + ${isNumbered ? 'numbered ' : ''}${JSON.stringify(part.slice(0, 60))} × n + ${JSON.stringify(after.slice(0, 30))}`,
    of(length) {
      const count = Math.max(1, Math.ceil((length - before.length - after.length) / part.length));
      if (!isNumbered) return before + part.repeat(count) + after;
      return before + Array.from({ length: count }, (_, index) => insertNumber(part, index)).join('') + after;
    },
  };
}

/** Makes the names in a part unique by replacing the first number, or else by inserting a number after the first letter. */
function insertNumber(part: string, index: number): string {
  const at = /\d+/.exec(part) ?? /(?<=[a-z])/i.exec(part);
  if (at === null) return `${part}${index}`;
  return part.slice(0, at.index) + String(index) + part.slice(at.index + at[0].length);
}
