import { dirname, resolve } from 'node:path';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { lookIntoFeeds } from '#backend/services/runs/readFeeds.ts';
import type { Issue } from '#core/plan/issues.ts';

/** Resolves paths of feeds and uploads against the folder of the plan file. */
export function withFilesBeside(plan: Plan, planFile: string): Plan {
  const folder = dirname(planFile);
  const feeds = Object.fromEntries(
    Object.entries(plan.feeds ?? {}).map(([name, feed]) => [name, { ...feed, file: resolve(folder, feed.file) }]),
  );
  const { journey, populate } = plan;
  return {
    ...plan,
    journey: stepsBeside(journey, folder),
    ...(plan.feeds === undefined ? {} : { feeds }),
    ...(populate === undefined
      ? {}
      : {
          populate: {
            ...populate,
            ...(populate.journey === undefined ? {} : { journey: stepsBeside(populate.journey, folder) }),
            ...(populate.remove === undefined ? {} : { remove: stepsBeside(populate.remove, folder) }),
          },
        }),
  };
}

function stepsBeside(steps: Plan['journey'], folder: string): Plan['journey'] {
  return steps.map((step) => ({
    ...step,
    ...(step.bodyFile === undefined ? {} : { bodyFile: resolve(folder, step.bodyFile) }),
    ...(step.multipart === undefined ? {} : { multipart: step.multipart.map((part) => beside(part, folder)) }),
  }));
}

function beside(part: NonNullable<Step['multipart']>[number], folder: string): NonNullable<Step['multipart']>[number] {
  if ('file' in part) return { ...part, file: resolve(folder, part.file) };
  return 'folder' in part ? { ...part, folder: resolve(folder, part.folder) } : part;
}

/** Checks feeds of a plan: missing files, missing columns, too few rows for its users. */
export async function feedIssues(plan: Plan, planFile: string): Promise<Issue[]> {
  const { problems } = await lookIntoFeeds(withFilesBeside(plan, planFile));
  return problems.map(({ message, hint }) => ({ level: 'error', code: 'FEED_UNUSABLE', path: 'feeds', message, hint }));
}
