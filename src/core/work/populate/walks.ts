import { setOwn } from '#core/base/ownMembers.ts';
import { redirectsName } from '#core/plan/requests.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { formatErrorName } from '../bodyCheck/errorTexts.ts';
import type { Sample } from '../samples/schema.ts';

/** Result of the journey for one row. */
export type WalkOutcome =
  | { readonly isGood: true; readonly captured: Readonly<Record<string, string>> }
  | { readonly isGood: false; readonly reason: string };

interface Walk {
  readonly captured: Record<string, string>;
  last: Sample;
  failure: string | null;
  isSettled: boolean;
}

/**
 * Follows many journeys by their requests, in order of completion. A journey succeeds if all its steps succeed, including the redirects of
 * the last step.
 */
export class Walks {
  private readonly last: Step | undefined;
  private readonly open = new Map<number, Walk>();

  constructor(steps: readonly Step[]) {
    this.last = steps.at(-1);
  }

  /** Returns the result if this request settles a user's journey, once; null for all other requests. */
  take(sample: Sample): WalkOutcome | null {
    const { user } = sample;
    if (user === undefined) return null;
    const walk = this.open.get(user) ?? { captured: {}, last: sample, failure: null, isSettled: false };
    this.open.set(user, walk);
    for (const { name, value } of sample.captured) setOwn(walk.captured, name, value);
    walk.last = sample;
    walk.failure ??= sample.failure === null ? null : `${sample.request}: ${formatErrorName(sample.failure)}`;
    if (walk.isSettled || !this.isEnd(sample)) return null;
    walk.isSettled = true;
    return decideOutcome(walk);
  }

  /** Returns the result of an unsettled journey at the end of the run; null if it never started or is settled. */
  rest(user: number): WalkOutcome | null {
    const walk = this.open.get(user);
    if (walk === undefined || walk.isSettled) return null;
    if (walk.failure !== null || this.isLast(walk.last)) return decideOutcome(walk);
    return { isGood: false, reason: `${walk.last.request}: the journey ended there` };
  }

  hasBegun(user: number): boolean {
    return this.open.has(user);
  }

  private isLast({ request }: Sample): boolean {
    return this.last !== undefined && (request === this.last.name || request === redirectsName(this.last.name));
  }

  /** Returns whether a request is the last one of the journey: neither a redirect that is followed nor a poll. */
  private isEnd(sample: Sample): boolean {
    if (!this.isLast(sample) || this.last?.poll !== undefined) return false;
    return this.last?.redirects === undefined || sample.failure !== null || !/^HTTP\/\S+ 3\d\d/.test(sample.received?.head ?? '');
  }
}

function decideOutcome({ failure, captured }: Walk): WalkOutcome {
  return failure === null ? { isGood: true, captured } : { isGood: false, reason: failure };
}
