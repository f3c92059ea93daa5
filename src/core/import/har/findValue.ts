import { isBlock, parseJson } from '#core/base/json.ts';
import type { WrittenStep } from '../draft.ts';
import type { Needles } from '../recording/needles.ts';

type WrittenCapture = NonNullable<WrittenStep['captures']>[number];

/** A response that is searched for values of later requests. */
export interface Response {
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string | null;
  /** Paths in a JSON response, by value. */
  readonly json: ReadonlyMap<string, string>;
}

const MAX_TEXT_LENGTH = 1_000_000;
const MAX_VALUES = 20_000;
const MAX_DEPTH = 40;

export function parseResponse(headers: Response['headers'], text: string | null, type: string): Response {
  const short = text !== null && text.length <= MAX_TEXT_LENGTH ? text : null;
  const json = new Map<string, string>();
  if (short !== null && /json/i.test(type)) gather(parseJson(short), '$', json, 0);
  return { headers, text: short, json };
}

function gather(value: unknown, path: string, found: Map<string, string>, depth: number): void {
  if (found.size >= MAX_VALUES || depth > MAX_DEPTH || path.length > 400) return;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) gather(item, `${path}[${index}]`, found, depth + 1);
  else if (isBlock(value)) {
    for (const [name, member] of Object.entries(value)) {
      const part = /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
      gather(member, `${path}${part}`, found, depth + 1);
    }
  } else if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    // The first occurrence counts, because ids are often repeated further down.
    if (!found.has(text)) found.set(text, path);
  }
}

/**
 * Returns a capture that finds the value in a later response of the same kind; null if the value is not in the response. Calls `name` only
 * if the value is there.
 */
export function findValue(value: string, response: Response, needles: Needles, name: () => string): WrittenCapture | null {
  const header = response.headers.find(([written, text]) => text === value && !IGNORED_HEADER_PATTERN.test(written));
  if (header !== undefined) return { from: 'header', as: name(), name: header[0] };
  const path = response.json.get(value);
  if (path !== undefined) return { from: 'json', as: name(), path };
  if (response.text === null || response.json.size > 0) return null;
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const plain = needles.isIn(response, value) ? findBetween(response.text, value) : null;
  if (plain !== null) return { from: 'between', as: name(), ...plain };
  const between = escaped === value || !needles.isIn(response, escaped) ? null : findBetween(response.text, escaped);
  return between === null ? null : { from: 'between', as: name(), ...between, html: true };
}

const IGNORED_HEADER_PATTERN =
  /^(:.*|content-length|transfer-encoding|connection|proxy-connection|set-cookie|date|age|expires|last-modified)$/i;
const MAX_AFTER_LENGTH = 120;

/**
 * Returns the shortest text before the value (in steps of 8 characters) whose first occurrence is directly before the value, and the
 * delimiter after it.
 */
function findBetween(text: string, value: string): { after: string; before: string } | null {
  const position = text.indexOf(value);
  if (position < 1) return null;
  const before = text.charAt(position + value.length);
  // A value followed by a letter is part of a longer word; a value that contains its end delimiter cannot be extracted.
  if (before === '' || /[\w-]/.test(before) || value.includes(before) || /[\w-]/.test(text.charAt(position - 1))) return null;
  for (let length = 8; length <= MAX_AFTER_LENGTH; length += 8) {
    const start = Math.max(0, position - length);
    const after = text.slice(start, position);
    if (text.indexOf(after) === start) return { after, before };
    if (start === 0) return null;
  }
  return null;
}
