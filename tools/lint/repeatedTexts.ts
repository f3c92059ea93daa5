import { isForPeople, lineAt, type Source, textsIn } from './texts.ts';

/** Minimum number of words. Shorter texts (“Number of users”) may be names that are equal by chance. */
const MIN_WORDS = 4;

/**
 * Returns texts of at least four words that occur more than once, each with its locations (`path:line`), in the order of the files. Two
 * texts are equal if they differ only in template values.
 */
export function repeatedTexts(sources: readonly Source[]): { readonly text: string; readonly places: readonly string[] }[] {
  const places = new Map<string, string[]>();
  for (const source of sources) {
    for (const { text, start } of textsIn(source)) {
      if (!isForPeople(text, MIN_WORDS)) continue;
      places.set(text, [...(places.get(text) ?? []), `${source.path}:${lineAt(source.text, start)}`]);
    }
  }
  return [...places].filter(([, found]) => found.length > 1).map(([text, found]) => ({ text, places: found }));
}
