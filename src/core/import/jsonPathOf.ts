import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';

/** A path of JSONPath in the form that plans know; null for one that finds several places (`*`, `..`, filters, slices). */
export function jsonPathOf(written: string): string | null {
  const trimmed = written.trim();
  if (trimmed.length > 500) return null;
  const quoted = trimmed.replaceAll(/\['([^'\\\]]*)'\]/g, (_whole, name: string) => `[${JSON.stringify(name)}]`);
  const rooted = quoted.startsWith('$') ? quoted : `$${quoted.startsWith('[') || quoted === '' ? '' : '.'}${quoted}`;
  return parseJsonPath(rooted) === null ? null : rooted;
}
