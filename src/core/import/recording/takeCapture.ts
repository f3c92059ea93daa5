import type { z } from 'zod';
import { parseJsonPath, valueAt } from '#core/work/bodyCheck/jsonPath.ts';
import type { captureSchema } from '#core/plan/schema/journey.ts';
import { linkPlace, textsBetween, textsMatching, withoutEntities } from '#core/work/journey/capturedTexts.ts';
import { parseJson } from '../reading.ts';
import { cookiesIn, headerOf, type Exchange } from './walk.ts';

/** A capture as it is written, without its name: a way to find a value in a response. */
type Written = z.input<typeof captureSchema>;
export type Finder = Written extends infer One ? (One extends Written ? Omit<One, 'as'> : never) : never;

/**
 * What a capture takes of a response, as a load would; null when it finds nothing. Of several matches the first or the last: a recording knows of no other
 * choice.
 */
export function takeCapture(finder: Finder, exchange: Exchange): string | null {
  const found = foundBy(finder, exchange);
  if (found === null) return null;
  const text = 'html' in finder && finder.html === true ? withoutEntities(found) : found;
  return 'address' in finder && finder.address === true ? linkPlace(text, URL.canParse(exchange.url) ? new URL(exchange.url) : null) : text;
}

function foundBy(finder: Finder, { text, answerHeaders }: Exchange): string | null {
  switch (finder.from) {
    case 'body': {
      if (text === null) return null;
      const pattern = new RegExp(finder.pattern, `${(finder.flags ?? '').replace('g', '')}g`);
      return chosen(
        textsMatching(text, pattern, (match) => match[finder.group ?? (match.length > 1 ? 1 : 0)] ?? ''),
        finder.which,
      );
    }
    case 'between':
      return text === null ? null : chosen(textsBetween(text, finder.after, finder.before), finder.which);
    case 'json': {
      const found = text === null ? undefined : valueAt(parsed(text), parseJsonPath(finder.path) ?? []);
      return typeof found === 'string' ? found : typeof found === 'number' || typeof found === 'boolean' ? String(found) : null;
    }
    case 'header': {
      const value = headerOf(answerHeaders, finder.name.toLowerCase());
      if (value === null || finder.pattern === undefined) return value;
      const match = new RegExp(finder.pattern).exec(value);
      return match === null ? null : (match[1] ?? match[0]);
    }
    case 'cookie':
      return cookiesIn(answerHeaders).findLast(([name]) => name === finder.name)?.[1] ?? null;
    default:
      return finder satisfies never;
  }
}

/** A response is looked into for many values, beside others. */
const MOST_PARSED = 64;
const parsedTexts = new Map<string, unknown>();

/** A text as JSON; undefined for what is none. */
export function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  if (parsedTexts.has(text)) return parsedTexts.get(text);
  if (parsedTexts.size >= MOST_PARSED) parsedTexts.clear();
  const value = parseJson(text);
  parsedTexts.set(text, value);
  return value;
}

function chosen(texts: Iterable<string>, which: 'first' | 'last' | 'random' | 'all' = 'first'): string | null {
  let found: string | null = null;
  for (const text of texts) {
    found = text;
    if (which !== 'last') break;
  }
  return found;
}
