import { checkPattern } from '#core/review/checks/bodies.ts';

const LONGEST = 1_000;

/** Why a text is no regular expression of a plan; null when it is one. */
export function whyNoPattern(pattern: string, flags: string): string | null {
  if (pattern === '' || pattern.length > LONGEST) return `it has ${pattern.length} characters`;
  return checkPattern(pattern, flags, '')[0]?.message ?? null;
}
