import { isBlock } from '#core/base/json.ts';
import { bareName } from '#core/base/text.ts';
import { fieldPlaces } from './fieldLocations.ts';
import { type NamedLocation, escapeRegExp, isAlike, type ValueLocation, maskVariableParts } from './valueLocation.ts';
import type { LocationKind } from './schema.ts';
import type { Needles } from './needles.ts';
import { type Finder, finderText, jsonOf, takeCapture } from './takeCapture.ts';
import type { Exchange } from './walk.ts';
import { type ServerCall, serverCalls } from '#core/work/pages/serverCalls.ts';

const MAX_ARGUMENTS_BEFORE = 5;
/** Matches an argument in a script, or in a script within a JSON string. */
const SCALAR_PATTERN = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\"[^"]*"|[^"'(),]*)`;
const OTHER_ARGUMENT_PATTERN = `[^()]{0,1000}?`;
const VERB_PATTERN = /^(?:set|get|add|update|show|init|load|put|new|on)$/;

/** Caches the calls of each exchange, because many values are looked up in the same page. */
const callsByExchange = new WeakMap<Exchange, readonly ServerCall[]>();

/** Finds the value among the arguments of calls in a response’s scripts: `set_draft_id("3")`, `add_row(7, …)`. */
function callPlaces(value: string, exchange: Exchange, leaf: NamedLocation): ValueLocation[] {
  let calls = callsByExchange.get(exchange);
  if (calls === undefined) callsByExchange.set(exchange, (calls = serverCalls(exchange.text ?? '', { isAnyPage: true })));
  return calls.flatMap(({ name, args }) =>
    args.slice(0, MAX_ARGUMENTS_BEFORE + 1).flatMap((arg, index): ValueLocation[] => {
      if ((typeof arg !== 'string' && typeof arg !== 'number') || String(arg) !== value) return [];
      const before = args
        .slice(0, index)
        .map((one) => `${isBlock(one) || Array.isArray(one) ? OTHER_ARGUMENT_PATTERN : SCALAR_PATTERN}\\s*,\\s*`);
      const pattern = `(?:(?<![\\w$.])|(?<=\\\\[nrt]))${escapeRegExp(name)}\\(\\s*${before.join('')}(?:\\\\?["'])?([^"'\\\\(),]*)`;
      const location = { kind: 'script', called: name, isRelated: isOf(name, index, leaf), isListed: false } as const;
      return [
        { ...location, finder: { from: 'body', pattern } },
        { ...location, finder: { from: 'body', pattern, which: 'last' } },
      ];
    }),
  );
}

/**
 * Returns whether a call concerns the sent field: the field's name contains every word of the call's name, or the field is an id and the
 * value is the first argument.
 */
function isOf(name: string, index: number, leaf: NamedLocation): boolean {
  const words = name
    .slice(name.lastIndexOf('.') + 1)
    .split(/[_$]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '' && !VERB_PATTERN.test(word));
  const called = bareName(leaf.name);
  return (words.length > 0 && words.every((word) => called.includes(word))) || (index === 0 && /^[ug]?u?id$/.test(called));
}

const MAX_OCCURRENCES = 12;
/** Maximum number of occurrences that are examined. The text “1” occurs hundreds of times in a page. */
const MAX_CANDIDATES = 300;
const MAX_PATHS = 12;
const MAX_TEXT_LENGTH = 2_000_000;
const CONTEXT_LENGTH = 240;
const MAX_FIELD_LENGTH = 20_000;

/** A value that a request sends, with its name and position. */
export interface SoughtValue {
  readonly value: string;
  readonly leaf: NamedLocation;
  /** The path before the value, if the value is part of a path. */
  readonly prefix: string;
  /** Whether the value is not a token. If so, it counts only if the response uses the same name as the request. */
  readonly isShort: boolean;
}

/** Yields ways to find a value in a response, the most robust first. Each way has been checked to return the value. */
export function* placesOf(sought: SoughtValue, exchange: Exchange, needles: Needles): Generator<ValueLocation> {
  const seen = new Set<string>();
  for (const location of listCandidates(sought, exchange, needles)) {
    // A short value occurs in many unrelated locations of a page.
    if (sought.isShort && !location.isRelated) continue;
    const written = finderText(location.finder);
    if (seen.has(written)) continue;
    seen.add(written);
    if (takeCapture(location.finder, exchange) === sought.value) yield location;
  }
}

function* listCandidates(sought: SoughtValue, exchange: Exchange, needles: Needles): Generator<ValueLocation> {
  yield* headerPlaces(sought, exchange);
  const { text } = exchange;
  const { value, leaf } = sought;
  if (text === null || text.length > MAX_TEXT_LENGTH || value === '') return;
  const json = jsonOf(exchange);
  if (isBlock(json) || Array.isArray(json)) {
    yield* jsonPlaces(sought, json);
    if (needles.isIn(exchange, value)) yield* callPlaces(value, exchange, leaf);
    return;
  }
  const forms = listEncodings(value).filter((form) => needles.isIn(exchange, form));
  if (forms.length === 0) return;
  yield* fieldPlaces(value, exchange, leaf, needles);
  if (needles.isIn(exchange, value)) yield* callPlaces(value, exchange, leaf);
  for (const form of forms) yield* textPlaces(form, text, sought);
}

const OTHER_TEXT_PATTERN =
  /^(:.*|content-.*|transfer-encoding|connection|keep-alive|proxy-connection|set-cookie|date|age|expires|last-modified|vary|server|allow)$/i;

function headerPlaces({ value, leaf, prefix }: SoughtValue, { responseHeaders }: Exchange): ValueLocation[] {
  return responseHeaders.flatMap(([name, text]): ValueLocation[] => {
    if (OTHER_TEXT_PATTERN.test(name) || !text.includes(value)) return [];
    if (text === value)
      return [{ finder: { from: 'header', name }, kind: 'header', called: name, isRelated: isAlike(name, leaf), isListed: false }];
    if (!/^(location|content-location|refresh|link)$/i.test(name)) return [];
    return addressPatterns(text, value, text.indexOf(value), leaf, prefix).map((found) => ({
      finder: { from: 'header', name, pattern: found.pattern },
      kind: 'address',
      called: found.called,
      isRelated: found.isRelated,
      isListed: false,
    }));
  });
}

/** Returns the forms in which a value can occur in a page: raw, HTML-escaped, as character references, and percent-encoded. */
export function listEncodings(value: string): string[] {
  const inHtml = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const inAddress = encodeURIComponent(value.toWellFormed());
  const numbered = value.replaceAll(/[+/=&<>"']/g, (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`);
  return [...new Set([value, inHtml, numbered, inAddress])];
}

function jsonPlaces({ value, leaf, prefix }: SoughtValue, json: unknown): ValueLocation[] {
  const paths: { path: string; key: string; isListed: boolean; owner: string }[] = [];
  gather(json, '$', '', '', false, 0);
  const places = paths.map(({ path, key, isListed, owner }): ValueLocation => ({
    finder: { from: 'json', path },
    kind: 'json',
    called: path,
    isRelated: isAlike(key, leaf) || (/^_?(id|number|key|uuid|slug)$/i.test(key) && isIdOf(owner, leaf, prefix)),
    isListed,
  }));
  return places.toSorted((one, other) => rankLocation(one) - rankLocation(other)).slice(0, MAX_PATHS);

  function gather(at: unknown, path: string, key: string, owner: string, isListed: boolean, depth: number): void {
    if (depth > 40 || path.length > 400 || paths.length > 200) return;
    if (Array.isArray(at)) for (const [index, item] of at.entries()) gather(item, `${path}[${index}]`, key, owner, true, depth + 1);
    else if (isBlock(at)) {
      for (const [name, member] of Object.entries(at)) {
        const part = /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
        gather(member, `${path}${part}`, name, key, isListed, depth + 1);
      }
    } else if ((typeof at === 'string' || typeof at === 'number') && String(at) === value) paths.push({ path, key, isListed, owner });
  }
}

function rankLocation({ isRelated, isListed }: ValueLocation): number {
  return (isRelated ? 0 : 2) + (isListed ? 1 : 0);
}

/** Returns whether a member `id` of the object `owner` may be the value that the request sends, judged by their names. */
function isIdOf(owner: string, leaf: NamedLocation, prefix: string): boolean {
  if (leaf.location === 'path') return owner === '' || bareName(leaf.name).startsWith(bareName(owner).slice(0, 4)) || prefix.length > 1;
  return /id$|number$|key$|uuid$|slug$/i.test(leaf.name) || isAlike(owner, leaf);
}

interface AddressPattern {
  readonly pattern: string;
  readonly called: string;
  readonly isRelated: boolean;
}

const QUERY_VALUE_PATTERN = `([^"'&;#<>\\s\\\\]+)`;
const PATH_VALUE_PATTERN = `([^"'/?&#<>\\s\\\\]+)`;
const PATH_END_PATTERN = `(?=\\/?(?:["'?#\\s<\\\\]|$))`;

/** Returns patterns for a value within an address: a parameter, or a part of the path. */
function addressPatterns(text: string, written: string, at: number, leaf: NamedLocation, prefix: string): AddressPattern[] {
  const before = text.slice(Math.max(0, at - CONTEXT_LENGTH), at);
  const after = text.slice(at + written.length, at + written.length + 80);
  if (!/\\\//.test(before.slice(-80))) return derivePatterns(before, after, leaf, prefix);
  // JSON may escape a slash with a backslash.
  const plain = (part: string): string => part.replaceAll('\\/', '/');
  return derivePatterns(plain(before), plain(after), leaf, prefix).map((found) => ({
    ...found,
    pattern: found.pattern.replaceAll(/(?<!\[[^\]]*|\?)\\\//g, '\\\\?\\/'),
  }));
}

function derivePatterns(before: string, after: string, leaf: NamedLocation, prefix: string): AddressPattern[] {
  const [, whole = ''] = /([^"'\s<>()\\,]*)$/.exec(before) ?? [];
  const query = /[?&;]([\w.%[\]-]{1,100})=$/.exec(before)?.[1];
  if (query !== undefined) {
    const isRelated = leaf.location === 'path' ? false : isAlike(query, leaf);
    const own = whole.slice(0, whole.lastIndexOf(query));
    return [
      { pattern: `[?&;]${escapeRegExp(query)}=${QUERY_VALUE_PATTERN}`, called: query, isRelated },
      { pattern: `${maskVariableParts(own)}${escapeRegExp(query)}=${QUERY_VALUE_PATTERN}`, called: query, isRelated },
    ];
  }
  const path = /((?:\/[\w.~@%:+-]+)+\/)$/.exec(whole)?.[1]?.replace(/^\/(?=\/)/, '');
  if (path === undefined) return [];
  const own = path.replace(/^\/\/[^/]*/, '');
  const [, rest = ''] = /^((?:\/[A-Za-z_@.-]+)*)/.exec(after) ?? [];
  const isRelated = leaf.location === 'path' && prefix.endsWith(own.slice(-Math.min(own.length, prefix.length)));
  return [
    ...(rest === ''
      ? []
      : [{ pattern: `${maskVariableParts(own)}${PATH_VALUE_PATTERN}${escapeRegExp(rest)}${PATH_END_PATTERN}`, called: own, isRelated }]),
    { pattern: `${maskVariableParts(own)}${PATH_VALUE_PATTERN}${PATH_END_PATTERN}`, called: own, isRelated },
    { pattern: `${maskVariableParts(own)}${PATH_VALUE_PATTERN}`, called: own, isRelated },
  ];
}

/** Matches the name of a member before its value. Quotation marks may be those of a script, an attribute, or a string within a script. */
const MEMBER_NAME_PATTERN = /(&quot;|&#34;|\\"|["']|)([\w$-]{1,60})\1\s*[:=]\s*(&quot;|&#34;|\\"|["'`]|)$/;

/** Returns patterns for a member of an object, within its field if there is one. */
function memberPatterns(before: string, leaf: NamedLocation, fieldBefore: () => string): AddressPattern[] {
  const [, , called = '', quote = ''] = MEMBER_NAME_PATTERN.exec(before) ?? [];
  if (called === '') return [];
  const open = `(?<![\\w$-])${escapeRegExp(called)}(?:&quot;|&#34;|\\\\"|["'])?\\s*[:=]\\s*`;
  const end = quote.slice(0, 1).replace('\\', '"');
  const pattern = quote === '' ? `${open}([\\w.+-]+)` : `${open}${escapeRegExp(quote)}([^${end}\\\\]*)${escapeRegExp(quote)}`;
  const isRelated = isAlike(called, leaf);
  const field = isRelated && quote.startsWith('&') ? fieldBefore() : '';
  return [...(field === '' ? [] : [{ pattern: `${field}${pattern}`, called, isRelated }]), { pattern, called, isRelated }];
}

/** Returns a pattern for the beginning of the surrounding field’s value; empty outside a field with a name. */
function findField(text: string, at: number): string {
  const tag = text.slice(Math.max(text.lastIndexOf('<', at), at - MAX_FIELD_LENGTH), at);
  const name = tag.includes('>') ? undefined : /^<\w[^]*?\sname=["']?([\w.[\]:-]{1,100})["'\s]/.exec(tag)?.[1];
  return name === undefined ? '' : `\\sname=["']?${escapeRegExp(name)}["'\\s][^>]{0,${MAX_FIELD_LENGTH}}?`;
}

/** Yields locations in addresses and scripts of a page. For tokens, also yields the text around the value as a last resort. */
function* textPlaces(written: string, text: string, { value, leaf, prefix, isShort }: SoughtValue): Generator<ValueLocation> {
  const html = written !== value && written.includes('&');
  const listBothLocations = (kind: LocationKind, called: string, isRelated: boolean, finder: Finder): ValueLocation[] =>
    [finder, { ...finder, which: 'last' } as Finder].map((found) => ({ kind, called, isRelated, isListed: false, finder: found }));
  let at = text.indexOf(written);
  let count = 0;
  let looked = 0;
  for (; at >= 0 && count < MAX_OCCURRENCES && looked < MAX_CANDIDATES; at = text.indexOf(written, at + written.length)) {
    const places: ValueLocation[] = [];
    const ends = text.charAt(at + written.length);
    // The value is skipped within a longer word or number, because an inline image contains any short value hundreds of times.
    if (/[\w-]/.test(ends) || /[\w]/.test(text.charAt(at - 1))) continue;
    looked += 1;
    for (const { pattern, called, isRelated } of addressPatterns(text, written, at, leaf, prefix))
      places.push(...listBothLocations('address', called, isRelated, { from: 'body', pattern, ...(html ? { html } : {}) }));
    const before = text.slice(Math.max(0, at - 120), at);
    for (const { pattern, called, isRelated } of memberPatterns(before, leaf, () => findField(text, at)))
      places.push(...listBothLocations('script', called, isRelated, { from: 'body', pattern, ...(html ? { html } : {}) }));
    yield* places;
    if (!isShort && ends !== '' && !value.includes(ends)) yield* listBetweenLocations(text, at, ends, html);
    if (!isShort || places.some(({ isRelated }) => isRelated)) count += 1;
  }
}

/** Yields captures between a unique text before the value and the character after it. */
function* listBetweenLocations(text: string, at: number, before: string, html: boolean): Generator<ValueLocation> {
  for (const length of [12, 24, 48, 96]) {
    const after = text.slice(Math.max(0, at - length), at);
    if (after === '' || text.indexOf(after) < at - after.length) continue;
    const finder: Finder = { from: 'between', after, before, ...(html ? { html } : {}) };
    yield { kind: 'text', called: after.trim().slice(-20), isRelated: false, isListed: false, finder };
  }
}
