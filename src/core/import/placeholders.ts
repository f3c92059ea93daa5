import { isBlock } from '#core/base/json.ts';

/** Escapes literal text for a plan: `{{` in it is no placeholder. */
export function literal(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** Reverses {@link literal}. */
export function unliteral(text: string): string {
  return text.replaceAll('\\{{', '{{');
}

/** Returns a valid name for a plan value, made from any text. */
export function valueName(text: string, otherwise = 'value'): string {
  const cleaned = text
    .slice(0, 200)
    .replaceAll(/[^\w-]+/g, '_')
    .replaceAll(/^[^A-Za-z_]+|_+$/g, '')
    .slice(0, 40);
  return cleaned === '' ? otherwise : cleaned;
}

/** Converts an expression of another tool to plan text: `{{name}}`, or any text. */
type Resolve = (expression: string) => string;

const BRACES = /\{\{([^{}]{0,500})\}\}/g;
/** Artillery reads `{{{ x }}}` as `{{ x }}`. */
const TWO_OR_THREE_BRACES = /\{\{\{([^{}]{0,500})\}\}\}|\{\{([^{}]{0,500})\}\}/g;

/** Converts `{{ expression }}` and `{{{ expression }}}` of Artillery to plan text; all other text is escaped as literal. */
export function translateTwoOrThreeBraces(text: string, resolve: Resolve): string {
  return translate(text, TWO_OR_THREE_BRACES, resolve);
}

/** Converts `{{ expression }}` of Postman to plan text; all other text is escaped as literal. */
export function translateBraces(text: string, resolve: Resolve): string {
  return translate(text, BRACES, resolve);
}

/** Converts `${expression}` of JMeter to plan text; all other text is escaped as literal. */
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

const MAX_DEPTH = 60;

/**
 * Converts every string of a JSON value: member names with `write`, values with `writeValue`. A value without a JSON form (a YAML date,
 * undefined) becomes a string. Throws a RangeError at too deep nesting.
 */
export function translateJson(value: unknown, write: (text: string) => string, depth = 0, writeValue = write): JsonValue {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
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
