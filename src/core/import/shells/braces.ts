/** Braces of a word, by where in it they stand, and what bash puts in their place, one word for each. */
export interface Choices {
  readonly at: number;
  readonly values: readonly string[];
}

/** `{a,b}`, `{1..10}`, `{01..10..3}`, `{a..e}`: without quotes, variables or further braces in them. */
const BRACES =
  /^\{(?:([^\s{}'"`$\\]{0,500},[^\s{}'"`$\\]{0,500})|(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?(\d{1,9}))?|([A-Za-z])\.\.([A-Za-z]))\}/;
const LONGEST_BRACES = 1_010;
/** A line of more words than this is told of as too much of something else. */
const MOST_WORDS = 1_000;

/** What stands in braces at the beginning of a text, and how long they are; null where bash leaves them as they are. */
export function bracesAt(text: string): { readonly values: readonly string[]; readonly length: number } | null {
  const [whole, list, from, to, by, first, last] = BRACES.exec(text.slice(0, LONGEST_BRACES)) ?? [];
  if (whole === undefined) return null;
  const { length } = whole;
  if (list !== undefined) return { values: list.split(','), length };
  if (first !== undefined && last !== undefined) {
    const letters = sequence(first.charCodeAt(0), last.charCodeAt(0), 1);
    return { values: letters.map((code) => String.fromCharCode(code)), length };
  }
  if (from === undefined || to === undefined) return null;
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const numbers = sequence(Number(from), Number(to), Math.max(1, Number(by ?? 1)));
  return { values: numbers.map((number) => padded(number, width)), length };
}

function sequence(from: number, to: number, by: number): number[] {
  const count = Math.min(MOST_WORDS, Math.floor(Math.abs(to - from) / by) + 1);
  return Array.from({ length: count }, (_, index) => from + index * by * Math.sign(to - from));
}

function padded(number: number, width: number): string {
  const sign = number < 0 ? '-' : '';
  return `${sign}${String(Math.abs(number)).padStart(width - sign.length, '0')}`;
}

/** The words that bash makes of one with such braces, the last ones changing first. */
export function wordsOfBraces(word: string, choices: readonly Choices[]): string[] {
  let words = [''];
  let begin = 0;
  for (const { at, values } of choices) {
    const between = word.slice(begin, at);
    words = words.flatMap((one) => values.map((value) => `${one}${between}${value}`)).slice(0, MOST_WORDS);
    begin = at;
  }
  return words.map((one) => one + word.slice(begin));
}
