import { recordedRequests } from '../journey/requests.ts';
import { formatCount } from '../units.ts';
import type { JudgeInput } from './input.ts';

/** A kind of request that was asked for, start-up and warm-up included, and never answered well. */
export interface NeverWorked {
  readonly name: string;
  readonly sent: number;
}

/**
 * The requests of which not a single one was answered well, whether a limit speaks of them or not. Where there are some, journeys ended before
 * their end or went on with nothing: a login that nobody passes leaves the limits of the steps before it intact.
 */
export function neverWorked({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>): NeverWorked[] {
  return recordedRequests(plan).flatMap(({ name, isMeasured, resource }, step) => {
    // A picture that is missing keeps nobody from going on.
    if (!isMeasured || resource !== null) return [];
    const { sent, good } = evidence.totalOf(step);
    return sent > 0 && good === 0 ? [{ name, sent }] : [];
  });
}

/** "not one of 12 requests of “login” was answered well" */
export function neverWorkedWords({ name, sent }: NeverWorked): string {
  return sent === 1
    ? `the only request of “${name}” was not answered well`
    : `not one of ${formatCount(sent)} requests of “${name}” was answered well`;
}

/** Nearly all: the last requests of a run may have had no answer. */
const NEARLY_ALL = 0.95;

/** How many answers there were to a request whose page is not there: none was good, and nearly every one was 404. null for one that is there. */
export function neverThere({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>, step: number): number | null {
  const written = plan.journey[recordedRequests(plan)[step]?.step ?? -1];
  if (written?.expectStatus?.includes(404) === true) return null;
  const { sent, good, missing } = evidence.totalOf(step);
  return good === 0 && missing > 0 && missing >= NEARLY_ALL * sent ? missing : null;
}

/** "all 84 answers to “statement” were 404, so the plan asks for a page that is not there" */
export function neverThereWords(name: string, missing: number): string {
  return `${missing === 1 ? `the only answer to “${name}” was` : `all ${formatCount(missing)} answers to “${name}” were`} 404, so the plan asks for a page that is not there`;
}
