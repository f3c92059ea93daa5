import { answeredRequests } from '#core/measurement/ledger.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Finding } from '#core/result/schema.ts';
import { formatBytes, formatCount, formatNumber, formatShare } from '#core/base/units.ts';
import { differentOnPurpose, NEGLIGIBLE_SHARE, type Rule } from '../rule.ts';

/** A mean difference of up to this share of the page is what a changing number or date in it makes; more may be a cut-off page. */
const BENIGN_DEVIATION_SHARE = 0.02;
/** From so many failures for each answer of another length on, these are the failures. */
const ERROR_PAGES = 0.5;
/** From so large a part of the responses on the first is the exception. */
const MOST_DIFFER = 0.5;
/** A number that changes makes so many bytes at least. */
const BENIGN_BYTES = 16;

/** Whether a good answer to this step has something in its body that the plan looks for. */
function looksInside({ checks, captures = [] }: Plan['journey'][number]): boolean {
  return (
    checks.some((check) => check.kind !== 'size' && check.kind !== 'page' && !check.not) ||
    captures.some((capture) => (capture.from === 'body' || capture.from === 'json' || capture.from === 'between') && !capture.mayBeEmpty)
  );
}

/**
 * Whether failures make the difference: most of what is different are failures, so few of them are shorter by a whole page each that the others hardly differ, or the first answer, which all are
 * compared with, was a failure itself.
 */
function isOfErrorPages(
  { httpError, ok }: Parameters<typeof answeredRequests>[0],
  { different, deviationBytes, first, benignBytes }: Record<'different' | 'deviationBytes' | 'first' | 'benignBytes', number>,
): boolean {
  if (httpError === 0) return false;
  if (httpError >= ERROR_PAGES * different || different >= ok) return true;
  const others = Math.max(0, different - httpError);
  return others * benignBytes < deviationBytes && deviationBytes <= httpError * first + others * benignBytes;
}

/**
 * Bodies of different lengths. ApacheBench counts each as a failure; the mean difference in bytes tells a page that carries a
 * changing number (harmless) from one that is sometimes cut off.
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
      if (first === null || first === 0 || complete === 0 || different / complete < NEGLIGIBLE_SHARE) return [];
      const meanDeviation = (deviationBytes + empty * first) / different;
      // Error pages have a length of their own: what there is to say of them other rules say.
      const benignBytes = Math.max(BENIGN_BYTES, first * BENIGN_DEVIATION_SHARE);
      if (isOfErrorPages(step.requests, { different, deviationBytes: Math.abs(meanDeviation * different), first, benignBytes })) return [];
      const benign = Math.abs(meanDeviation) <= benignBytes;
      // “No failure” would stand beside the finding that some of them are.
      if (benign && step.requests.wrongBody >= ERROR_PAGES * different) return [];
      // Cut off, or with an error text in it, a page would hardly hold what is looked for in it.
      const isSeenTo = seenTo.has(step.name) && step.requests.wrongBody === 0;
      // A list to which the run itself adds makes nearly every response longer than the first; a page that is cut off is shorter.
      const isGrowing = !benign && meanDeviation > 0 && different >= MOST_DIFFER * complete;
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
