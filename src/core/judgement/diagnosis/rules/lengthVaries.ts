import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatBytes, formatCount, formatNumber, formatShare } from '#core/base/units.ts';
import { differentOnPurpose, MAX_NEGLIGIBLE_SHARE, type Rule } from '../rule.ts';

/** Largest mean difference, as a share of the page, that a changing number or date explains. More may be a truncated page. */
const MAX_BENIGN_SHARE = 0.02;
/** Smallest ratio of failures to responses of another length that explains the difference by failures. */
const MIN_ERROR_PAGE_RATIO = 0.5;
/** Share of differing responses from which the first response is the exception. */
const MIN_DIFFERING_SHARE = 0.5;
/** Smallest difference in bytes that a changing number explains. */
const MIN_BENIGN_BYTES = 16;

/** Returns whether the plan checks or captures content in the body of a successful response. */
function looksInside({ checks, captures = [] }: Plan['journey'][number]): boolean {
  return (
    checks.some((check) => check.kind !== 'size' && check.kind !== 'page' && !check.not) ||
    captures.some((capture) => (capture.from === 'body' || capture.from === 'json' || capture.from === 'between') && !capture.mayBeEmpty)
  );
}

/**
 * Returns whether failures explain the different lengths: most different responses are failures, or a few failures are whole pages shorter, or the first
 * response, the reference, was a failure.
 */
function isOfErrorPages(
  { httpError, ok }: Parameters<typeof answeredRequests>[0],
  { different, deviationBytes, first, benignBytes }: Record<'different' | 'deviationBytes' | 'first' | 'benignBytes', number>,
): boolean {
  if (httpError === 0) return false;
  if (httpError >= MIN_ERROR_PAGE_RATIO * different || different >= ok) return true;
  const others = Math.max(0, different - httpError);
  return others * benignBytes < deviationBytes && deviationBytes <= httpError * first + others * benignBytes;
}

/**
 * Finds bodies of different lengths, which ApacheBench counts as failures. The mean difference distinguishes a page with a changing number (harmless) from
 * one that is sometimes truncated.
 */
export const lengthVaries: Rule = {
  id: 'lengthVaries',
  find({ steps, plan }) {
    const onPurpose = differentOnPurpose(plan);
    const seenTo = new Set(plan.journey.filter(looksInside).map(({ name }) => name));
    return steps.flatMap((step): Finding[] => {
      if (onPurpose.has(step.name)) return [];
      const { first, differs, deviationBytes, empty } = step.bodyLength;
      const complete = answeredRequests(step.requests);
      const different = differs - empty;
      if (first === null || first === 0 || complete === 0 || different / complete < MAX_NEGLIGIBLE_SHARE) return [];
      const meanDeviation = (deviationBytes + empty * first) / different;
      // Error pages have another length. Other rules report them.
      const benignBytes = Math.max(MIN_BENIGN_BYTES, first * MAX_BENIGN_SHARE);
      if (isOfErrorPages(step.requests, { different, deviationBytes: Math.abs(meanDeviation * different), first, benignBytes })) return [];
      const benign = Math.abs(meanDeviation) <= benignBytes;
      // “No failure” would contradict the finding that some of them are failures.
      if (benign && step.requests.wrongBody >= MIN_ERROR_PAGE_RATIO * different) return [];
      // A truncated page or one with an error text would fail the plan's checks.
      const isSeenTo = seenTo.has(step.name) && step.requests.wrongBody === 0;
      // A list that grows during the run makes nearly every response longer than the first. A truncated page is shorter.
      const isGrowing = !benign && meanDeviation > 0 && different >= MIN_DIFFERING_SHARE * complete;
      const bytes = Math.abs(meanDeviation) === 1 ? 'byte' : 'bytes';
      const difference = `${formatNumber(Math.abs(meanDeviation))} ${bytes} ${meanDeviation < 0 ? 'shorter' : 'longer'}`;
      return [
        {
          id: this.id,
          level: benign || isSeenTo || isGrowing ? 'info' : 'warning',
          sentence: benign
            ? `Responses to “${step.name}” vary in length; the different ones are ${difference} on average. A page with a changing number or date does that; it is no failure.`
            : `${formatShare(different / complete)} of responses to “${step.name}” differ widely in length: on average they are ${difference} than the first.${isGrowing ? ' The page probably shows a list that grew during the run.' : isSeenTo ? ' All of them passed the plan’s content checks.' : ''}`,
          evidence: [
            `${formatCount(different)} of ${formatCount(complete)} responses differ from the first one of ${formatBytes(first)}`,
            `mean difference ${meanDeviation < 0 ? '−' : ''}${formatNumber(Math.abs(meanDeviation))} ${bytes}`,
          ],
          remedy: benign
            ? 'No action needed. ApacheBench lists these under “Failed requests (Length)”; its option -l accepts them.'
            : isGrowing
              ? 'No action needed if it shows what users add. A list without an end is slower from week to week: limit its length, and test with as many rows as there will be.'
              : isSeenTo
                ? 'No action needed if each user sees something else.'
                : 'Open the page a few times and compare. An error text in a page with status 200, or a truncated page, looks like this.',
          confidence: benign ? 'certain' : 'possible',
          range: null,
        },
      ];
    });
  },
};
