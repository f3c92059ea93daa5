import { formatCount } from '#core/base/units.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { warning } from './make.ts';

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
