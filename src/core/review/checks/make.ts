import type { Issue } from '#core/plan/issues.ts';

/** What the run cannot start with. */
export function error(code: string, path: string, message: string, hint: string): Issue {
  return { level: 'error', code, path, message, hint };
}

/** What the run can start with, and yet should not without a thought. */
export function warning(code: string, path: string, message: string, hint: string): Issue {
  return { level: 'warning', code, path, message, hint };
}

/** Positions of the names that occurred before. */
export function repeated(names: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (name === undefined) return [];
    if (seen.has(name)) return [index];
    seen.add(name);
    return [];
  });
}
