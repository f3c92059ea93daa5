import { lookIntoFeeds } from '#backend/services/runs/readFeeds.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { withFilesBeside } from './files.ts';

/** What is wrong with the lists of a plan: not there, of other columns, or with too few rows for its users. */
export async function feedIssues(plan: Plan, planFile: string): Promise<Issue[]> {
  const { problems } = await lookIntoFeeds(withFilesBeside(plan, planFile));
  return problems.map(({ message, hint }) => ({ level: 'error', code: 'FEED_UNUSABLE', path: 'feeds', message, hint }));
}
