import { parseJson } from '#core/base/json.ts';
import type { z } from 'zod';
import { parseJsonPath, findValueAt } from '#core/work/bodyCheck/jsonPath.ts';
import type { captureSchema } from '#core/plan/schema/journey.ts';
import { linkPlace, listTextsBetween, textsMatching, decodeEntities } from '#core/work/journey/capturedTexts.ts';
import { encodeFields } from '#core/work/journey/escape.ts';
import { listOfferedFields } from '#core/work/pages/offeredForm.ts';
import { findLoginForm, loginFormPart } from '#core/work/pages/loginForm.ts';
import { listSetCookies, headerOf, type Exchange } from './walk.ts';

type CaptureInput = z.input<typeof captureSchema>;
/** A capture without its name: a way to find a value in a response. */
export type Finder = CaptureInput extends infer One ? (One extends CaptureInput ? Omit<One, 'as'> : never) : never;

/** Caches captured values by exchange and finder, because each walk is compared with all earlier ones. */
const capturedValues = new WeakMap<Exchange, Map<string, string | null>>();
const finderTexts = new WeakMap<Finder, string>();

/** Returns a finder as JSON. */
export function finderText(finder: Finder): string {
  const known = finderTexts.get(finder);
  if (known !== undefined) return known;
  const text = JSON.stringify(finder);
  finderTexts.set(finder, text);
  return text;
}

/**
 * Captures a value from a response as a load test does; returns null if nothing matches. Of several matches, takes the first or the last,
 * because random choice has no meaning in a recording.
 */
export function takeCapture(finder: Finder, exchange: Exchange): string | null {
  let known = capturedValues.get(exchange);
  if (known === undefined) capturedValues.set(exchange, (known = new Map()));
  const key = finderText(finder);
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = searchExchange(finder, exchange);
  known.set(key, found);
  return found;
}

function searchExchange(finder: Finder, exchange: Exchange): string | null {
  const found = findWith(finder, exchange);
  if (found === null) return null;
  const text = 'html' in finder && finder.html === true ? decodeEntities(found) : found;
  return 'address' in finder && finder.address === true ? linkPlace(text, URL.canParse(exchange.url) ? new URL(exchange.url) : null) : text;
}

function findWith(finder: Finder, exchange: Exchange): string | null {
  const { text, responseHeaders } = exchange;
  switch (finder.from) {
    case 'body': {
      if (text === null) return null;
      const pattern = new RegExp(finder.pattern, `${(finder.flags ?? '').replace('g', '')}g`);
      return chooseText(
        textsMatching(text, pattern, (match) => match[finder.group ?? (match.length > 1 ? 1 : 0)] ?? ''),
        finder.which,
      );
    }
    case 'between':
      return text === null ? null : chooseText(listTextsBetween(text, finder.after, finder.before), finder.which);
    case 'json': {
      const found = findValueAt(jsonOf(exchange), parseJsonPath(finder.path) ?? []);
      return typeof found === 'string' ? found : typeof found === 'number' || typeof found === 'boolean' ? String(found) : null;
    }
    case 'header': {
      const value = headerOf(responseHeaders, finder.name.toLowerCase());
      if (value === null || finder.pattern === undefined) return value;
      const match = new RegExp(finder.pattern).exec(value);
      return match === null ? null : (match[1] ?? match[0]);
    }
    case 'cookie':
      return listSetCookies(responseHeaders).findLast(([name]) => name === finder.name)?.[1] ?? null;
    case 'form': {
      const { field, choose = 'random', labels } = finder;
      const fields = text === null ? null : listOfferedFields(text, { field, choose, labels, text: finder.text ?? null, draw: () => 0 });
      return fields === null ? null : encodeFields(fields);
    }
    case 'loginForm': {
      const url = URL.canParse(exchange.url) ? new URL(exchange.url) : null;
      const form = text === null || url === null ? null : findLoginForm(text, url);
      return form === null ? null : loginFormPart(form, finder.part, { cookie: () => null, url });
    }
    default:
      return finder satisfies never;
  }
}

/** Maximum number of cached bodies, because a parsed body is several times as large as its text. */
const MAX_PARSED_BODIES = 64;
const parsedBodies = new Map<Exchange, unknown>();

/** Returns the body of a response as JSON; undefined if the body is not JSON. */
export function jsonOf(exchange: Exchange): unknown {
  const { text } = exchange;
  if (text === null || !/^\s*[[{"]/.test(text)) return undefined;
  if (parsedBodies.has(exchange)) return parsedBodies.get(exchange);
  if (parsedBodies.size >= MAX_PARSED_BODIES) parsedBodies.clear();
  const value = parseJson(text);
  parsedBodies.set(exchange, value);
  return value;
}

function chooseText(texts: Iterable<string>, which: 'first' | 'last' | 'random' | 'all' = 'first'): string | null {
  let found: string | null = null;
  for (const text of texts) {
    found = text;
    if (which !== 'last') break;
  }
  return found;
}
