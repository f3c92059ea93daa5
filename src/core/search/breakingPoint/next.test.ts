import { describe, expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import type { SearchRun } from '../run.ts';
import { nextSearchRun } from './conclusion.ts';
import type { LevelReading, ProbeReading, RecoveryReading } from './reading.ts';
import { breakingPointSettingsSchema } from './schema.ts';
import { failedLevel, passedLevel, probe, readRun, recovered } from './testing/levelReadings.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });
const settings = breakingPointSettingsSchema.parse({ from: 40 });
/** Returns runs, each of which took 10 s and 100 requests. */
const searchRuns = (...readings: readonly (LevelReading | ProbeReading | RecoveryReading)[]): SearchRun[] =>
  readings.map((reading, position) => readRun(reading, position, { spentSeconds: 10, requests: 100 }));
const next = (runs: readonly SearchRun[], changes: Partial<typeof settings> = {}) => nextSearchRun(plan, { ...settings, ...changes }, runs);

const found = searchRuns(probe, passedLevel(40), failedLevel(42), probe);
const END = { kind: 'end', because: null };

describe('recovery run', () => {
  it('follows once the breaking point is found, at the geometric mean', () => {
    expect(next(found)).toMatchObject({ purpose: 'recovery', name: 'recovery', level: Math.sqrt(40 * 42), repeat: 1 });
    expect(next(found, { recovery: false })).toEqual(END);
    expect(next(searchRuns(probe, passedLevel(40), failedLevel(80), probe))).toMatchObject({ purpose: 'level', level: 56.57 });
  });

  it('is made once, even if it was lost', () => {
    expect(next([...found, ...searchRuns(recovered)])).toEqual(END);
    const lost = readRun(recovered, 9, { reading: null, state: 'aborted' });
    expect(next([...found, lost])).toEqual(END);
  });

  it('is omitted if no level failed, none passed, or one was unclear', () => {
    expect(next(searchRuns(probe, passedLevel(40)), { to: 40 })).toEqual(END);
    expect(next(searchRuns(probe, failedLevel(40), probe, failedLevel(0.05), probe))).toEqual(END);
    const unclear = passedLevel(56, { outcome: 'unclear', because: 'nothing' });
    expect(next(searchRuns(probe, passedLevel(40), failedLevel(80), probe, unclear, probe))).toEqual(END);
  });

  it('waits for the server to recover, but not at the end of the search', () => {
    const afterwards = searchRuns(probe, passedLevel(40), failedLevel(42));
    expect(next(afterwards)).toMatchObject({ purpose: 'probe', name: 'one user', repeat: 2 });
    expect(next(afterwards, { recovery: false })).toEqual(END);
  });
});

describe('a search', () => {
  const TIME = 'The maximum duration was reached.';
  const REQUESTS = 'The maximum number of requests was reached.';

  it('ends early if a level would exceed its time or requests', () => {
    // 10 s and 100 requests have been used. 40 per second for 2 s and 10 s are 480 more.
    const first = searchRuns(probe);
    expect([next(first, { maxSeconds: 22 }), next(first, { maxRequests: 580 })]).toMatchObject([{ level: 40 }, { level: 40 }]);
    expect([next(first, { maxSeconds: 21 }), next(first, { maxRequests: 579 })]).toEqual([
      { kind: 'end', because: TIME },
      { kind: 'end', because: REQUESTS },
    ]);
  });

  it('ends early if a probe would exceed its time', () => {
    const afterwards = searchRuns(probe, passedLevel(40), failedLevel(80));
    expect(next(afterwards, { maxSeconds: 32 })).toMatchObject({ purpose: 'probe' });
    expect(next(afterwards, { maxSeconds: 31 })).toEqual({ kind: 'end', because: TIME });
    expect(next(afterwards, { maxRequests: 300 })).toMatchObject({ purpose: 'probe' });
    expect(next(afterwards, { maxRequests: 299 })).toEqual({ kind: 'end', because: REQUESTS });
  });

  it('ends early without a recovery run that would exceed the limits', () => {
    // 40 s and 400 requests have been used. Four times 10 s at 40.99 per second on average are 1,639.5 more, in 50 s with the calm.
    expect([next(found, { maxSeconds: 90 }), next(found, { maxRequests: 2_040 })]).toMatchObject([
      { purpose: 'recovery' },
      { purpose: 'recovery' },
    ]);
    expect([next(found, { maxSeconds: 89 }), next(found, { maxRequests: 2_039 })]).toEqual([END, END]);
  });

  it('continues after a probe that could not be made', () => {
    const lost = readRun(probe, 0, { reading: null, state: 'notRun' });
    expect(next([lost])).toMatchObject({ purpose: 'level', level: 40 });
  });
});
