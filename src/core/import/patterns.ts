import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import { checkPattern } from '#core/review/checks/bodies.ts';

/** A path of JSONPath in the form that plans know; null for one that finds several places (`*`, `..`, filters, slices). */
export function jsonPathOf(written: string): string | null {
  const trimmed = written.trim();
  if (trimmed.length > 500) return null;
  const quoted = trimmed.replaceAll(/\['([^'\\\]]*)'\]/g, (_whole, name: string) => `[${JSON.stringify(name)}]`);
  const rooted = quoted.startsWith('$') ? quoted : `$${quoted.startsWith('[') || quoted === '' ? '' : '.'}${quoted}`;
  return parseJsonPath(rooted) === null ? null : rooted;
}

const LONGEST = 1_000;

/** Why a text is no regular expression of a plan; null when it is one. */
export function whyNoPattern(pattern: string, flags: string): string | null {
  if (pattern === '' || pattern.length > LONGEST) return `it has ${pattern.length} characters`;
  return checkPattern(pattern, flags, '')[0]?.message ?? null;
}
