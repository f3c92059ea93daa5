import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import { checkPattern } from '#core/review/checks/bodies.ts';

/** Returns a JSONPath in the syntax of plans; null for a path that can match several places (`*`, `..`, filters, slices). */
export function jsonPathOf(written: string): string | null {
  const trimmed = written.trim();
  if (trimmed.length > 500) return null;
  const quoted = trimmed.replaceAll(/\['([^'\\\]]*)'\]/g, (_whole, name: string) => `[${JSON.stringify(name)}]`);
  const rooted = quoted.startsWith('$') ? quoted : `$${quoted.startsWith('[') || quoted === '' ? '' : '.'}${quoted}`;
  return parseJsonPath(rooted) === null ? null : rooted;
}

const MAX_PATTERN_LENGTH = 1_000;

/** Returns why a text is not a valid regular expression of a plan; null if it is valid. */
export function whyNoPattern(pattern: string, flags: string): string | null {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return `it has ${pattern.length} characters`;
  return checkPattern(pattern, flags, '')[0]?.message ?? null;
}

/** Returns a pattern that captures an attribute of the element with this name or id, if the name comes before the attribute. */
export function attributePattern(name: string, attribute: string): string {
  return `(?:name|id)=["']?${name.replaceAll('.', String.raw`\.`)}["']?[^>]*\\s${attribute}=["']([^"']*)`;
}
