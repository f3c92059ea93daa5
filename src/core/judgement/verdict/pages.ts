import type { Plan } from '#core/plan/schema/plan.ts';
import type { JudgeInput } from './input.ts';

/** Returns whether a plan fetches whole pages. Then headlines are about pages instead of requests. */
export function fetchesPages({ journey }: Plan): boolean {
  return journey.some(({ resources }) => resources !== undefined);
}

/** Returns complete pages per second while a stage was loaded; null if it never was. */
export function pageRate({ plan, stageTimes, evidence }: JudgeInput, stage: number): number | null {
  const span = stageTimes[stage] ?? null;
  if (span === null || span.to <= span.from) return null;
  const blocks = plan.journey.flatMap((_, step) => evidence.whileLoaded(stage, step));
  return blocks.reduce((sum, { pages }) => sum + pages, 0) / (span.to - span.from);
}
