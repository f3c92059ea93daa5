import type { RunResult } from '#core/result/schema.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';

/**
 * Steps that ask for something else each time, or wait until something else comes: their answers have no length and no time of their own, nor have those
 * that they lead to.
 */
export function differentOnPurpose({ journey }: Pick<RunResult['plan'], 'journey'>): ReadonlySet<string> {
  const steps = journey.filter((step) => step.poll !== undefined || namesOfStep(step).length > 0);
  return new Set(steps.flatMap(({ name }) => [name, `${name} › redirects`]));
}
