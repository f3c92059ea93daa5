/** Alternatives of one pair of braces in a word: its position in the word, and the texts that replace it. */
export interface Choices {
  readonly at: number;
  readonly values: readonly string[];
}

/** `{a,b}`, `{1..10}`, `{01..10..3}`, `{a..e}`, without nested quotes, variables or braces. */
const BRACES =
  /^\{(?:([^\s{}'"`$\\]{0,500},[^\s{}'"`$\\]{0,500})|(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?(\d{1,9}))?|([A-Za-z])\.\.([A-Za-z]))\}/;
const MAX_BRACES_LENGTH = 1_010;
/** Limit for the words of one expansion. Further checks report such a command as too large. */
const MAX_WORDS = 1_000;

/** Returns the alternatives of braces at the beginning of a text and their length; null if bash does not expand them. */
export function bracesAt(text: string): { readonly values: readonly string[]; readonly length: number } | null {
  const [whole, list, from, to, by, first, last] = BRACES.exec(text.slice(0, MAX_BRACES_LENGTH)) ?? [];
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
  const count = Math.min(MAX_WORDS, Math.floor(Math.abs(to - from) / by) + 1);
  return Array.from({ length: count }, (_, index) => from + index * by * Math.sign(to - from));
}

function padded(number: number, width: number): string {
  const sign = number < 0 ? '-' : '';
  return `${sign}${String(Math.abs(number)).padStart(width - sign.length, '0')}`;
}

/** Returns the words that bash makes of a word with braces, in the order of bash: the last braces vary fastest. */
export function wordsOfBraces(word: string, choices: readonly Choices[]): string[] {
  let words = [''];
  let begin = 0;
  for (const { at, values } of choices) {
    const between = word.slice(begin, at);
    words = words.flatMap((one) => values.map((value) => `${one}${between}${value}`)).slice(0, MAX_WORDS);
    begin = at;
  }
  return words.map((one) => one + word.slice(begin));
}
