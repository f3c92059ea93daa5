/** Scores of a matched letter: at the start of a word, inside a word, and directly after the previous matched letter. */
const WORD_START = 8;
const INSIDE = 1;
const ADJACENT = 4;

/**
 * Returns how well a text matches a query, or null if it does not. Each word of the query must be in the text: its letters in their order,
 * with any other letters between them. Letters at the start of words and side by side count more, and shorter texts score higher.
 */
export function scoreMatch(query: string, text: string): number | null {
  const lower = text.toLowerCase();
  let score = -Math.min(text.length, 200) / 1_000;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const ofWord = scoreWord(word, lower);
    if (ofWord === null) return null;
    score += ofWord;
  }
  return score;
}

function scoreWord(word: string, text: string): number | null {
  const whole = text.indexOf(word);
  // If the text contains the whole word, only this occurrence counts, because people see it first.
  if (whole >= 0) return scoreLetters(text, whole, word.length);
  let score = 0;
  let before = -1;
  for (const letter of word) {
    const place = text.indexOf(letter, before + 1);
    if (place < 0) return null;
    score += isWordStart(text, place) ? WORD_START : place === before + 1 ? ADJACENT : INSIDE;
    before = place;
  }
  return score;
}

function scoreLetters(text: string, from: number, length: number): number {
  return (isWordStart(text, from) ? WORD_START : INSIDE) + (length - 1) * WORD_START + ADJACENT;
}

function isWordStart(text: string, place: number): boolean {
  return place === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(place - 1));
}
