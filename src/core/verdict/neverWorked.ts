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
