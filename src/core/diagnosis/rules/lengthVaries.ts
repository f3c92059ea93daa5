import type { Finding, RunResult } from '#core/report/result.ts';
import { namesOfStep } from '#core/journey/walked.ts';
import { formatBytes, formatCount, formatNumber, formatShare } from '#core/units.ts';
import { answered, NEGLIGIBLE_SHARE, type Rule } from '../rule.ts';

/** A mean difference of up to this share of the page is what a changing number or date in it makes; more may be a cut-off page. */
const BENIGN_DEVIATION_SHARE = 0.02;

/**
 * Bodies of different lengths. ApacheBench counts each as a failure; the mean difference in bytes tells a page that carries a
 * changing number (harmless) from one that is sometimes cut off.
 */
export const lengthVaries: Rule = {
  id: 'lengthVaries',
  find({ steps, plan }) {
    const onPurpose = differentOnPurpose(plan);
    return steps.flatMap((step): Finding[] => {
      if (onPurpose.has(step.name)) return [];
      const { first, differs, deviationBytes, empty } = step.bodyLength;
      const complete = answered(step.requests);
      const different = differs - empty;
      if (first === null || first === 0 || complete === 0 || different / complete < NEGLIGIBLE_SHARE) return [];
      const meanDeviation = (deviationBytes + empty * first) / different;
      const benign = Math.abs(meanDeviation) <= Math.max(16, first * BENIGN_DEVIATION_SHARE);
      const bytes = Math.abs(meanDeviation) === 1 ? 'byte' : 'bytes';
      const difference = `${formatNumber(Math.abs(meanDeviation))} ${bytes} ${meanDeviation < 0 ? 'shorter' : 'longer'}`;
      return [
        {
          id: this.id,
          level: benign ? 'info' : 'warning',
          sentence: benign
            ? `The answers to “${step.name}” are not all of the same length; on average the different ones are ${difference}. That is what a page with a changing number or date in it does, and no failure.`
            : `${formatShare(different / complete)} answers to “${step.name}” differ much in length: on average they are ${difference} than the first.`,
          evidence: [
            `${formatCount(different)} of ${formatCount(complete)} answers differ from the first one of ${formatBytes(first)}`,
            `mean difference ${formatNumber(meanDeviation)} ${bytes}`,
          ],
          remedy: benign
            ? 'Nothing to do. ApacheBench would list these under “Failed requests (Length)”; its option -l accepts them.'
            : 'Open the page a few times and compare: an error text inside a page with status 200, or a page that is cut off, looks like this.',
          confidence: benign ? 'certain' : 'possible',
          range: null,
        },
      ];
    });
  },
};

/** Steps that ask for something else each time, or wait until something else comes: their answers have no length of their own, nor have those that they lead to. */
function differentOnPurpose({ journey }: RunResult['plan']): ReadonlySet<string> {
  const steps = journey.filter((step) => step.poll !== undefined || namesOfStep(step).length > 0);
  return new Set(steps.flatMap(({ name }) => [name, `${name} › redirects`]));
}
