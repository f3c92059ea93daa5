import { recordedRequests } from '#core/plan/requests.ts';
import { formatCount } from '#core/base/units.ts';
import { ASTRAY, ASTRAY_STATUSES, type Astray } from './evidence.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import type { JudgeInput } from './input.ts';
import { itemsWords } from './items.ts';

/** A kind of request that was asked for, start-up and warm-up included, and never answered well. */
export interface NeverWorked {
  readonly name: string;
  /** The step that it belongs to, where it is the step itself. */
  readonly step: Step | null;
  readonly sent: number;
}

/**
 * The requests of which not a single one was answered well, whether a limit speaks of them or not. Where there are some, journeys ended before
 * their end or went on with nothing: a login that nobody passes leaves the limits of the steps before it intact.
 */
export function neverWorked({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>): NeverWorked[] {
  return recordedRequests(plan).flatMap(({ name, isMeasured, isRedirect, resource, step: index }, step) => {
    // A picture that is missing keeps nobody from going on.
    if (!isMeasured || resource !== null) return [];
    const { sent, good } = evidence.totalOf(step);
    return sent > 0 && good === 0 ? [{ name, step: isRedirect ? null : (plan.journey[index] ?? null), sent }] : [];
  });
}

/** "none of 12 requests of “login” succeeded" */
export function neverWorkedWords({ name, step, sent }: NeverWorked): string {
  if (step?.poll !== undefined || step?.items !== undefined) return itemsWords(step, sent, sent);
  return sent === 1 ? `the only request of “${name}” did not succeed` : `none of ${formatCount(sent)} requests of “${name}” succeeded`;
}

/** Nearly all: the last requests of a run may have had no answer. */
export const NEARLY_ALL = 0.95;

/** Requests whose page is not where the plan asks for it: how many were sent, and how many answers said so. */
export interface NeverThere {
  readonly kind: Astray;
  readonly sent: number;
  readonly answers: number;
}

/** What came of a request whose page is not there: no answer was good, and nearly every one said the same of it. null for one that is there. */
export function neverThere({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>, step: number): NeverThere | null {
  const written = plan.journey[recordedRequests(plan)[step]?.step ?? -1];
  const { sent, good, astray } = evidence.totalOf(step);
  if (good > 0) return null;
  const kind = ASTRAY.find((one) => astray[one] > 0 && astray[one] >= NEARLY_ALL * sent);
  if (kind === undefined || ASTRAY_STATUSES[kind].some((status) => written?.expectStatus?.includes(status) === true)) return null;
  // What hands something in and is sent on, or refused, was understood: a login with a wrong password.
  if (kind !== 'missing' && written?.method !== 'GET' && written?.method !== 'HEAD') return null;
  return { kind, sent, answers: astray[kind] };
}

const ASTRAY_WORDS: Readonly<Record<Astray, { readonly got: string; readonly so: string }>> = {
  missing: { got: 'got 404', so: 'the plan requests a page that does not exist' },
  redirected: { got: 'got a redirect', so: 'the plan requests a page that has moved or needs a login' },
  denied: { got: 'got 401 or 403', so: 'the plan requests a page that needs a login or other permissions' },
};

/** "all 84 requests of “statement” got 404, so the plan requests a page that does not exist" */
export function neverThereWords(name: string, { kind, sent, answers }: NeverThere): string {
  const { got, so } = ASTRAY_WORDS[kind];
  const [all, some] = [formatCount(sent), formatCount(answers)];
  if (sent === 1) return `the only request of “${name}” ${got}, so ${so}`;
  return `${answers === sent ? `all ${all}` : `${some} of ${all}`} requests of “${name}” ${got}, so ${so}`;
}
