import { describe, expect, it } from 'vitest';
import type { PeopleRules } from '#core/work/journey/people.ts';
import { checkError } from '#core/work/bodyCheck/errorTexts.ts';
import { Person, PersonTracker } from './person.ts';

const [START, SEND, NOTE, SUMMARY] = [0, 1, 2, 3];
const rules: PeopleRules = {
  one: 'pupil',
  many: 'pupils',
  milestones: [{ name: 'started', step: START }],
  items: new Set([SEND, NOTE]),
  each: null,
};

/** Returns a person who has started, and whose steps the tracker follows. */
function follow() {
  const person = new Person(0, null);
  const tracker = new PersonTracker({ person }, rules, { personChanged: () => {} });
  const succeed = (step: number, confirms: readonly number[] = []) => tracker.succeed(step, { confirms, isConfirmed: step !== SUMMARY });
  const readBack = (failure: string | null, status = 200) => tracker.fail({ step: SUMMARY, status, failure }, { confirms: [SEND] });
  succeed(START);
  return { person, succeed, readBack };
}

describe('the items of a person', () => {
  it('are confirmed only by a step that reads back their own step', () => {
    const { person, succeed } = follow();
    succeed(SEND, [START]);
    succeed(NOTE);
    succeed(SEND, [START]);
    expect(person.record()).toMatchObject({ items: 3, confirmed: 0, notFound: 0 });
    succeed(SUMMARY, [SEND]);
    succeed(SUMMARY, [SEND]);
    expect(person.record()).toMatchObject({ items: 3, confirmed: 2, notFound: 0 });
  });

  it('are missing if the page that lists them has other content, and unknown after another page or no response', () => {
    const reads = (failure: string | null, status?: number) => {
      const { person, succeed, readBack } = follow();
      succeed(SEND);
      readBack(failure, status);
      return person.record().notFound;
    };
    expect(reads(checkError('TEXT_MISSING', '“text 1”'))).toBe(1);
    for (const code of ['NO_PAGE', 'LOGIN_FORM', 'ERROR_PAGE', 'LEADS_TO_LOGIN'] as const)
      expect(reads(checkError(code, 'HTML')), code).toBe(0);
    expect([reads(null, 502), reads('TIMEOUT@firstByte', 0)]).toEqual([0, 0]);
  });
});
