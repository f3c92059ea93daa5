import { isForPeople, lineAt, type Source, textsIn } from './texts.ts';

/** From how many words on a text is one that says something. Shorter ones (“Number of users”) may be two names that happen to be equal. */
const MIN_WORDS = 4;

/** Texts of at least four words that stand in more than one place, each with its places (`path:line`), in the order of the files. What a template puts in counts as the same. */
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
