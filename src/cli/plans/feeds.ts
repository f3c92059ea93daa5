import { dirname, resolve } from 'node:path';
import type { Plan } from '#core/plan/schema.ts';

/** The plan with whole paths of its feeds: a plan file names them as they lie beside it. */
export function withFeedsBeside(plan: Plan, planFile: string): Plan {
  if (plan.feeds === undefined) return plan;
  const folder = dirname(planFile);
  const feeds = Object.fromEntries(Object.entries(plan.feeds).map(([name, feed]) => [name, { ...feed, file: resolve(folder, feed.file) }]));
  return { ...plan, feeds };
}
