import type { Issue } from '#core/plan/issues.ts';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

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

/** Whether every target gets some of what a stage spreads over them. */
export function checkReached({ targets }: Plan, count: number, what: 'connections' | 'users' | 'arrivals', path: string): Issue[] {
  if (count >= targets.length) return [];
  return [
    warning(
      `FEWER_${what.toUpperCase()}_THAN_TARGETS`,
      path,
      `${formatCount(count)} ${what} cannot reach ${targets.length} targets: some get no load.`,
      `Use at least ${targets.length} ${what}.`,
    ),
  ];
}
