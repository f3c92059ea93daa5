import type { Plan } from '#core/plan/schema/plan.ts';

/** Returns a line for each server of a plan: its name, if it has one, and its address. */
export function linesOfTargets({ targets, namedTargets = {} }: Pick<Plan, 'targets' | 'namedTargets'>): string[] {
  const named = Object.entries(namedTargets).map(([name, { url }]) => ({ name, url }));
  return [...targets, ...named].map(({ name, url }) => (name ? `${name}: ${url}` : url));
}
