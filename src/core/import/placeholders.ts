import { isBlock } from '#core/base/json.ts';
import { freeName } from '#core/base/text.ts';
import { parseCapturePath, parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import { checkPattern } from '#core/review/checks/bodies.ts';

/** Escapes literal text for a plan, where `{{` would begin a placeholder. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** Reverses {@link escapePlaceholders}. */
export function unescapePlaceholders(text: string): string {
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
type ResolveExpression = (expression: string) => string;

const BRACES_PATTERN = /\{\{([^{}]{0,500})\}\}/g;
/** Artillery treats `{{{ x }}}` like `{{ x }}`. */
const TWO_OR_THREE_BRACES_PATTERN = /\{\{\{([^{}]{0,500})\}\}\}|\{\{([^{}]{0,500})\}\}/g;

/** Converts `{{ expression }}` and `{{{ expression }}}` of Artillery to plan text; all other text is escaped as literal. */
export function translateTwoOrThreeBraces(text: string, resolve: ResolveExpression): string {
  return translate(text, TWO_OR_THREE_BRACES_PATTERN, resolve);
}

/** Converts `{{ expression }}` of Postman to plan text; all other text is escaped as literal. */
export function translateBraces(text: string, resolve: ResolveExpression): string {
  return translate(text, BRACES_PATTERN, resolve);
}

/** Converts `${expression}` of JMeter to plan text; all other text is escaped as literal. */
export function translateDollars(text: string, resolve: ResolveExpression): string {
  return translate(text, /\$\{([^{}]{0,500})\}/g, resolve);
}

function translate(text: string, pattern: RegExp, resolve: ResolveExpression): string {
  let written = '';
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    written += escapePlaceholders(text.slice(position, match.index)) + resolve((match[1] ?? match[2] ?? '').trim());
    position = match.index + match[0].length;
  }
  return written + escapePlaceholders(text.slice(position));
}

const MAX_DEPTH = 60;

/**
 * Converts every string of a JSON value: member names with `write`, and values with `writeValue`, which also gets the name of the member. A
 * value without a JSON form (a YAML date, undefined) becomes a string. Throws a RangeError if the value is nested too deeply.
 */
export function translateJson(
  value: unknown,
  write: (text: string) => string,
  writeValue: (text: string, member: string | null) => string = write,
): JsonValue {
  const walk = (one: unknown, member: string | null, depth: number): JsonValue => {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    if (typeof one === 'string') return writeValue(one, member);
    if (one === null || one === undefined || typeof one === 'boolean') return one ?? null;
    if (typeof one === 'number') return Number.isFinite(one) ? one : null;
    if (Array.isArray(one)) return one.map((item: unknown) => walk(item, null, depth + 1));
    if (one instanceof Date) return one.toISOString();
    if (!isBlock(one)) return String(one);
    return Object.fromEntries(Object.entries(one).map(([name, below]) => [write(name), walk(below, name, depth + 1)]));
  };
  return walk(value, null, 0);
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Returns a JSONPath in the syntax of plans; null for a path that can match several locations (`*`, `..`, filters, slices). */
export function readJsonPath(written: string): string | null {
  const rooted = rootedPath(written);
  return rooted === null || parseJsonPath(rooted) === null ? null : rooted;
}

/** Reads the path of a capture, and whether it matches every item of a list (`$.items[*].id`); null for any other path. */
export function readCapturePath(written: string): { readonly path: string; readonly isList: boolean } | null {
  const rooted = rootedPath(written);
  const read = rooted === null ? null : parseCapturePath(rooted);
  if (rooted === null || read === null) return null;
  // The path of a list has no [*] at its end.
  return { path: rooted.replace(/\[\*\]$/, ''), isList: read.within !== null };
}

function rootedPath(written: string): string | null {
  const trimmed = written.trim();
  if (trimmed.length > 500) return null;
  const quoted = trimmed.replaceAll(/\['([^'\\\]]*)'\]/g, (_whole, name: string) => `[${JSON.stringify(name)}]`);
  // Other tools also write a position as a member: `$.items.0.id`.
  const indexed = quoted.replaceAll(/\.(\d{1,9})(?=[.[]|$)/g, '[$1]');
  return indexed.startsWith('$') ? indexed : `$${indexed.startsWith('[') || indexed === '' ? '' : '.'}${indexed}`;
}

const MAX_PATTERN_LENGTH = 1_000;

/** Returns why a text is not a valid regular expression of a plan; null if it is valid. */
export function findPatternProblem(pattern: string, flags: string): string | null {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return `it has ${pattern.length} characters`;
  return checkPattern(pattern, flags, '')[0]?.message ?? null;
}

/** Returns a pattern that captures an attribute of the element with this name or id, if the name comes before the attribute. */
export function attributePattern(name: string, attribute: string): string {
  return `(?:name|id)=["']?${name.replaceAll('.', String.raw`\.`)}["']?[^>]*\\s${attribute}=["']([^"']*)`;
}

const NAME_PREFIX = 'HOLDFAST_';

/** Returns the name of the environment variable from which an imported plan reads a value. */
export function environmentName(name: string): string {
  return `${NAME_PREFIX}${name.replaceAll('-', '_').toUpperCase()}`;
}

/**
 * Returns an environment variable name for a secret by its label; numbered if another secret has that name. `taken`: the secrets so far.
 */
export function secretName(label: string, value: string, taken: ReadonlyMap<string, string>): string {
  return freeName(environmentName(valueName(label, 'SECRET')), (name) => (taken.get(name) ?? value) !== value);
}

/** Returns the name of the plan variable that has its value from an environment variable. */
export function variableName(environment: string): string {
  return environment.slice(NAME_PREFIX.length).toLowerCase();
}
