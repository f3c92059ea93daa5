import { recordedRequests } from '#core/plan/requests.ts';
import { formatCount } from '#core/base/units.ts';
import { WRONG_PAGES, WRONG_PAGE_STATUSES, type WrongPage } from './evidence.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import type { JudgeInput } from './input.ts';
import { itemsWords } from './items.ts';

/** A kind of request without a single successful response, including start-up and warm-up. */
export interface NeverWorked {
  readonly name: string;
  /** The step, unless the request is a redirect. */
  readonly step: Step | null;
  readonly sent: number;
}

/**
 * Returns the requests without a single successful response, with or without a criterion. Journeys then ended early or continued without a result: a login
 * that always fails does not affect the criteria of earlier steps.
 */
export function neverWorked({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>): NeverWorked[] {
  return recordedRequests(plan).flatMap(({ name, isMeasured, isRedirect, resource, step: index }, step) => {
    // A missing image does not end a journey.
    if (!isMeasured || resource !== null) return [];
    const { sent, good } = evidence.totalOf(step);
    return sent > 0 && good === 0 ? [{ name, step: isRedirect ? null : (plan.journey[index] ?? null), sent }] : [];
  });
}

/** Example: “none of 12 requests of “login” succeeded”. */
export function neverWorkedWords({ name, step, sent }: NeverWorked): string {
  if (step?.poll !== undefined || step?.items !== undefined) return itemsWords(step, sent, sent);
  return sent === 1 ? `the only request of “${name}” did not succeed` : `none of ${formatCount(sent)} requests of “${name}” succeeded`;
}

/** Smallest share that counts as all. The last requests of a run may have no response. */
export const MIN_NEARLY_ALL_SHARE = 0.95;

/** Requests for a page that is missing, moved or denied: how many were sent, and how many responses said so. */
export interface UnavailablePage {
  readonly kind: WrongPage;
  readonly sent: number;
  readonly answers: number;
}

/** Returns why a request's page is unavailable: no response was successful and nearly all had the same kind of status. null if the page is available. */
export function findUnavailable({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>, step: number): UnavailablePage | null {
  const written = plan.journey[recordedRequests(plan)[step]?.step ?? -1];
  const { sent, good, wrongPages } = evidence.totalOf(step);
  if (good > 0) return null;
  const kind = WRONG_PAGES.find((one) => wrongPages[one] > 0 && wrongPages[one] >= MIN_NEARLY_ALL_SHARE * sent);
  if (kind === undefined || WRONG_PAGE_STATUSES[kind].some((status) => written?.expectStatus?.includes(status) === true)) return null;
  // A redirect or refusal of a submitted form is a response to its content, for example to a wrong password.
  if (kind !== 'missing' && written?.method !== 'GET' && written?.method !== 'HEAD') return null;
  return { kind, sent, answers: wrongPages[kind] };
}

const WRONG_PAGE_WORDS: Readonly<Record<WrongPage, { readonly got: string; readonly so: string }>> = {
  missing: { got: 'got 404', so: 'the plan requests a page that does not exist' },
  redirected: { got: 'got a redirect', so: 'the plan requests a page that has moved or needs a login' },
  denied: { got: 'got 401 or 403', so: 'the plan requests a page that needs a login or other permissions' },
};

/** Example: “all 84 requests of “statement” got 404, so the plan requests a page that does not exist”. */
export function unavailableWords(name: string, { kind, sent, answers }: UnavailablePage): string {
  const { got, so } = WRONG_PAGE_WORDS[kind];
  const [all, some] = [formatCount(sent), formatCount(answers)];
  if (sent === 1) return `the only request of “${name}” ${got}, so ${so}`;
  return `${answers === sent ? `all ${all}` : `${some} of ${all}`} requests of “${name}” ${got}, so ${so}`;
}
