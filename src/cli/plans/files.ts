import { dirname, resolve } from 'node:path';
import type { Plan } from '#core/plan/schema.ts';

/** The plan with whole paths of its feeds and uploads: a plan file names them as they lie beside it. */
export function withFilesBeside(plan: Plan, planFile: string): Plan {
  const folder = dirname(planFile);
  const feeds = Object.fromEntries(
    Object.entries(plan.feeds ?? {}).map(([name, feed]) => [name, { ...feed, file: resolve(folder, feed.file) }]),
  );
  const journey = plan.journey.map((step) =>
    step.multipart === undefined
      ? step
      : { ...step, multipart: step.multipart.map((part) => ('file' in part ? { ...part, file: resolve(folder, part.file) } : part)) },
  );
  return { ...plan, journey, ...(plan.feeds === undefined ? {} : { feeds }) };
}
