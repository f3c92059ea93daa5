import { isBlock } from '#core/base/json.ts';

/** Text that is meant as it stands, written so that a plan reads no placeholder in it. */
export function literal(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** What {@link literal} wrote, as it is sent. */
export function unliteral(text: string): string {
  return text.replaceAll('\\{{', '{{');
}

/** A name for a value of a plan, out of any text. */
export function valueName(text: string, otherwise = 'value'): string {
  const cleaned = text
    .slice(0, 200)
    .replaceAll(/[^\w-]+/g, '_')
    .replaceAll(/^[^A-Za-z_]+|_+$/g, '')
    .slice(0, 40);
  return cleaned === '' ? otherwise : cleaned;
}

/** What stands for an expression of another tool, as text of a plan: `{{name}}`, or any text. */
type Resolve = (expression: string) => string;

const BRACES = /\{\{([^{}]{0,500})\}\}/g;
/** Artillery reads `{{{ x }}}` as `{{ x }}`. */
const TWO_OR_THREE_BRACES = /\{\{\{([^{}]{0,500})\}\}\}|\{\{([^{}]{0,500})\}\}/g;

/** Turns `{{ expression }}` and `{{{ expression }}}` of Artillery into what a plan writes; everything else is meant as it stands. */
export function translateTwoOrThreeBraces(text: string, resolve: Resolve): string {
  return translate(text, TWO_OR_THREE_BRACES, resolve);
}

/** Turns `{{ expression }}` of Postman into what a plan writes; everything else is meant as it stands. */
export function translateBraces(text: string, resolve: Resolve): string {
  return translate(text, BRACES, resolve);
}

/** The same for `${expression}` of JMeter. */
export function translateDollars(text: string, resolve: Resolve): string {
  return translate(text, /\$\{([^{}]{0,500})\}/g, resolve);
}

function translate(text: string, pattern: RegExp, resolve: Resolve): string {
  let written = '';
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    written += literal(text.slice(position, match.index)) + resolve((match[1] ?? match[2] ?? '').trim());
    position = match.index + match[0].length;
  }
  return written + literal(text.slice(position));
}

const DEEPEST = 60;

/** Every text of a JSON value, translated; `writeValue` does so with those that are no names of members. What JSON cannot say (a date of YAML, undefined) becomes a text. */
export function translateJson(value: unknown, write: (text: string) => string, depth = 0, writeValue = write): JsonValue {
  if (depth > DEEPEST) throw new RangeError('nested too deeply');
  if (typeof value === 'string') return writeValue(value);
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((item: unknown) => translateJson(item, write, depth + 1, writeValue));
  if (value instanceof Date) return value.toISOString();
  if (isBlock(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [write(name), translateJson(member, write, depth + 1, writeValue)]),
    );
  return String(value);
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };
