import { parseSync, Visitor } from 'vite';

/** A file of the product, by its path in the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** From how many words on a text is one that says something. Shorter ones (“Number of users”) may be two names that happen to be equal. */
const LEAST_WORDS = 4;

/** Statements, markup and style sheets are written for programs: alike does not mean that they say the same. */
const FOR_PROGRAMS = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|DROP) |^\s*<\S|[{};]\s*$|=>/;

/** Texts of at least four words that stand in more than one place, each with its places (`path:line`), in the order of the files. What a template puts in counts as the same. */
export function repeatedTexts(sources: readonly Source[]): { readonly text: string; readonly places: readonly string[] }[] {
  const places = new Map<string, string[]>();
  for (const source of sources) {
    for (const { text, start } of textsIn(source)) {
      if (!saysSomething(text)) continue;
      const line = source.text.slice(0, start).split('\n').length;
      places.set(text, [...(places.get(text) ?? []), `${source.path}:${line}`]);
    }
  }
  return [...places].filter(([, found]) => found.length > 1).map(([text, found]) => ({ text, places: found }));
}

interface Text {
  readonly text: string;
  /** Where it begins in the file, in characters. */
  readonly start: number;
}

function textsIn({ path, text }: Source): Text[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: Text[] = [];
  const add = (start: number, words: string): void => {
    found.push({ start, text: words.replaceAll(/\s+/g, ' ').trim() });
  };
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ quasis, start }) => add(start, quasis.map(({ value }) => value.cooked ?? value.raw).join('…')),
    JSXText: ({ value, start }) => add(start, value),
  }).visit(program);
  return found;
}

function saysSomething(text: string): boolean {
  return !FOR_PROGRAMS.test(text) && text.split(' ').filter((word) => /\p{L}/u.test(word)).length >= LEAST_WORDS;
}
