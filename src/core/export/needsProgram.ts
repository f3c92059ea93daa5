import { TARGET_WITHOUT_SLASH } from '#core/work/journey/targetValue.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import type { Step } from '#core/plan/schema/plan.ts';

/** What a step needs that takes a program to say (Holdfast, a script of k6) and no list of requests, in words that can follow “needs”; null when it needs nothing of the kind. */
export function needsProgram(step: Step): string | null {
  const captures = step.captures ?? [];
  const parts = step.multipart ?? [];
  if (captures.some((capture) => 'address' in capture && capture.address === true)) return 'links seen from the page on which they stand';
  if (captures.some((capture) => 'otherwise' in capture && capture.otherwise !== undefined)) return 'a value for what a page does not hold';
  if (parts.some((part) => 'valueByEnding' in part)) return 'a field that follows from the name of a file';
  if (parts.some((part) => 'optional' in part && part.optional === true)) return 'a field that is left out where it is empty';
  if (parts.some((part) => 'each' in part && part.each !== undefined)) return 'one file for each item of a list';
  if (step.explains !== undefined) return 'the reason for a failure, asked for afterwards';
  return namesOfStep(step).includes(TARGET_WITHOUT_SLASH) ? 'the address of the target without its last slash' : null;
}
