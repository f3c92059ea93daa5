import type { Plan } from '#core/plan/schema/plan.ts';
import type { JudgeInput } from './input.ts';

/** Whether a plan fetches whole pages. They are what its users wait for, so what is said first is about them and not about their images. */
export function fetchesPages({ journey }: Plan): boolean {
  return journey.some(({ resources }) => resources !== undefined);
}

/** Complete pages per second while a stage was loaded; null when it never was. */
export function pageRate({ plan, stageTimes, evidence }: JudgeInput, stage: number): number | null {
  const span = stageTimes[stage] ?? null;
  if (span === null || span.to <= span.from) return null;
  const blocks = plan.journey.flatMap((_, step) => evidence.whileLoaded(stage, step));
  return blocks.reduce((sum, { pages }) => sum + pages, 0) / (span.to - span.from);
}
