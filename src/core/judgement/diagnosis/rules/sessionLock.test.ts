import { describe, expect, it } from 'vitest';
import { planWith, users } from '#core/testing/plans.ts';
import { CALM, facts, healthyStep } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

/** Times of the practice server exam with pages of 500 ms and --lock session: a save every 2 s beside the pages of 20 pupils. */
const STEADY = { ...CALM, count: 80, min: 500, p50: 507, p95: 523, max: 529 };
const WAITING = { ...CALM, count: 100, min: 501, p50: 513, p95: 854, max: 998 };

function run(page: typeof CALM, { next = STEADY, save = STEADY, everySeconds = 2 } = {}) {
  const journey = [{ name: 'page' }, { name: 'next' }, { name: 'save', background: { everySeconds, after: 'page' } }];
  const times = { page, next, save };
  const steps = Object.entries(times).map(([name, good]) => healthyStep({ name, latencyByStatusClass: { '3xx': good } }));
  const plan = planWith({ journey, load: users([{ users: 20, seconds: 60 }]) });
  return findingsBy('sessionLock', { ...facts(undefined, { plan }), steps });
}

describe('sessionLock', () => {
  it('finds requests that waited for another one of the same user', () => {
    expect(run(WAITING)).toMatchObject([
      {
        id: 'sessionLock.page',
        level: 'info',
        confidence: 'possible',
        sentence: 'Some requests of “page” took up to 485 ms longer: they probably waited for “save” of the same user.',
      },
    ]);
  });

  it('finds nothing if nothing waits, a wait is longer than one request, or the median is slow, too', () => {
    expect(run(STEADY)).toEqual([]);
    expect(run({ ...WAITING, max: 1_300 })).toEqual([]);
    expect(run({ ...WAITING, min: 100 })).toEqual([]);
  });

  it('finds nothing if the server is slow elsewhere, or users hardly ever send both at once', () => {
    expect(run(WAITING, { next: WAITING })).toEqual([]);
    expect(run(WAITING, { save: WAITING })).toEqual([]);
    expect(run(WAITING, { everySeconds: 60 })).toEqual([]);
  });
});
