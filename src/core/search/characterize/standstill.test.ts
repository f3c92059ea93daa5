import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { randomFrom, type SimulatedServer } from '#core/testing/queueRun.ts';
import { searchDocumentSchema } from '../result.ts';
import type { SearchRun } from '../run.ts';
import { searchRunLine } from '../table.ts';
import { playSearch } from '../testing/play.ts';
import { describeCharacter } from './conclusion.ts';
import { chooseNextUsers } from './levels.ts';
import { frozenUsers, isSilent, findStandstill, standstillSentence, formatStandstillAt, findWaitedMs } from './standstill.ts';
import type { UsersReading } from './reading.ts';
import { calmReading, calmReadings, frozenWith32, frozenWith64 } from './testing/frozenRuns.ts';

const settings = { maxUsers: 128, secondsEach: 3 };
const about = (readings: readonly UsersReading[], what: string): string | undefined =>
  describeCharacter(readings, null).reasoning.find((reason) => reason.about === what)?.text;

/** Returns the lines that a terminal shows during the search, one per reading. */
function linesOf(readings: readonly UsersReading[]): string[] {
  const runs = readings.map((reading, position): SearchRun => ({
    position,
    purpose: 'users',
    name: `${reading.users} users`,
    level: reading.users,
    repeat: 1,
    state: 'value',
    phase: null,
    reason: null,
    runId: null,
    reading,
    spentSeconds: 3,
    requests: reading.sent,
  }));
  return runs.map((run) => searchRunLine(run, runs));
}

describe('a run with users in which the server froze', () => {
  it('has the duration, the time, and the requests in flight', () => {
    expect(frozenWith32().freeze).toEqual({ seconds: 58, fromSecond: 4, inFlight: 25, kind: null, pool: null });
    expect(frozenWith64().freeze).toMatchObject({ seconds: 54, fromSecond: 9, inFlight: 64 });
    expect(frozenWith64()).toMatchObject({ sent: 0, startUp: { sent: 314, failed: 0 } });
  });

  it('is the last run with users', () => {
    expect(chooseNextUsers(settings, calmReadings())?.users).toBe(32);
    expect(chooseNextUsers(settings, [...calmReadings(), frozenWith32()])).toBeNull();
    expect(chooseNextUsers(settings, [...calmReadings(), calmReading(32), frozenWith64()])).toBeNull();
    expect(chooseNextUsers(settings, [...calmReadings(), { ...frozenWith64(), freeze: null }]), 'without a response').toBeNull();
  });

  it('comes first in the result, and is excluded from rates and workers', () => {
    const readings = [...calmReadings(), frozenWith32()];
    const conclusion = describeCharacter(readings, null);
    expect(conclusion.sentence).toBe('Freezes for 58 s at 32 users; up to 16 users, 98.4 successful responses/s.');
    expect(conclusion).toMatchObject({ server: 'unknown', freeze: { users: 32, seconds: 58 }, longestMs: 60_100 });
    expect(conclusion.reasoning[0]?.about).toBe('freeze');
    expect(conclusion.reasoning[0]?.text).toMatch(
      /^At 32 users there was no response for 58 s, from second 4 to 62, with 25 requests in flight, and then everything at once\. .* 58 s is about the wait that pools allow\. .* pool_size .* More users were not tested/,
    );
    expect(about(readings, 'kind')).toContain('it differs by 228 %');
    expect(about(readings, 'time-out')).toBe(
      'At 32 users, requests waited for up to 60.1 s and none timed out, so a time-out, if any, is longer.',
    );
  });

  it('keeps the result of fewer users: workers, or that none waited', () => {
    const full = [calmReading(1), calmReading(2), calmReading(4)];
    const busy = [8, 16].map((users) => calmReading(users, { ok: 120, sent: 120, okPerSecond: 40, meanMs: 25 * users }));
    const conclusion = describeCharacter([...full, ...busy, frozenWith32()], null);
    expect(conclusion.sentence).toBe(
      'Freezes for 58 s at 32 users; up to 16 users, 40 successful responses/s. Up to there it is synchronous: 4 workers, 100 ms each.',
    );
    expect(conclusion.queueAtLeast, 'none of the 16 was rejected').toBe(12);
    const free = [1, 2, 4, 8, 16, 32].map((users) => calmReading(users));
    expect(describeCharacter([...free, frozenWith64()], null).sentence).toBe(
      'Freezes for 54 s at 64 users; up to 32 users, 320 successful responses/s. Up to there it is asynchronous: 100 ms each at any load (tested up to 32 users at a time).',
    );
    expect(about([calmReading(1), calmReading(2), frozenWith32()], 'kind')).toBe('Only up to 2 users at a time could be measured.');
  });

  it('names the exhausted pool of a monitored database', () => {
    const plan = planWith({ servers: { header: 'X-Shard', expected: 1, pool: 'sqlalchemy' } });
    const readings = [...calmReadings(), frozenWith32(plan, true)];
    expect(describeCharacter(readings, null).sentence).toMatch(
      /^Freezes for \d+ s at 32 users, where the pool of database connections, 15 \(5 \+ 10\), is exhausted; up to 16 users, /,
    );
    expect(about(readings, 'freeze')).toContain(
      'while 15 connections of PostgreSQL were idle in a transaction. That is its whole pool, 15 (5 + 10): SQLAlchemy sets its size by pool_size + max_overflow',
    );
  });

  it('says that no response was counted, rather than that nothing was measured', () => {
    const lines = linesOf([...calmReadings(), frozenWith32(), frozenWith64(), { ...frozenWith64(), freeze: null }]);
    expect(lines.slice(-4)).toEqual([
      '16 users · 98.4 successful responses/s · 156 ms each · 0 failed',
      '32 users · froze for 58 s · 4.48 s each · 0 failed',
      '64 users · froze for 54 s · no response in the counted time',
      '64 users · no response in the counted time',
    ]);
    const readings = [...calmReadings(), calmReading(32), { ...frozenWith64(), freeze: null }];
    expect(describeCharacter(readings, null).sentence).toBe(
      'No response to 64 users for 45 s; up to 32 users, 320 successful responses/s.',
    );
    expect(about(readings, 'no response')).toMatch(
      /^At 64 users, no response came in the counted time; 314 requests were sent before it\. Each user waited during the whole counted time of 45 s\./,
    );
    expect(describeCharacter([{ ...frozenWith64(), users: 1 }], null).sentence).toBe('Unknown: no response came in the counted time.');
  });

  it('has no time-out, and keeps its failures', () => {
    expect(about([...calmReadings(), frozenWith64()], 'time-out')).toBe(
      'At 64 users, requests waited for at least 54 s and none timed out, so a time-out, if any, is longer.',
    );
    expect(about([...calmReadings(), { ...frozenWith64(), startUp: { sent: 314, failed: 64 } }], 'time-out')).toBe(
      'Of 314 requests before the counted time, 64 failed, after an unknown time. The longest successful response took 283 ms, so a time-out, if any, is longer.',
    );
    const failing = { ...frozenWith32(), failed: 9, timeouts: 9 };
    expect(about([...calmReadings(), failing], 'time-out')).toContain('9 timed out by the plan');
  });

  it('does not count as a freeze if responses always take that long', () => {
    const slow = [1, 2, 4, 8, 16].map((users) => calmReading(users, { meanMs: 20_000, p95Ms: 21_000, okPerSecond: 0.05 * users }));
    expect(describeCharacter([...slow, frozenWith32()], null)).toMatchObject({ freeze: null });
    expect(chooseNextUsers(settings, [...slow, frozenWith32()])?.users).toBe(64);
  });
});

describe('frozenUsers, formatStandstillAt and standstillSentence', () => {
  it('find the smallest number of users with a freeze that fewer users did not have', () => {
    const [first, second] = [frozenWith32(), frozenWith64()];
    expect(frozenUsers([second, ...calmReadings(), first])).toEqual([first, second]);
    expect(frozenUsers([first, calmReading(64)]), 'only more users were served').toEqual([]);
    expect(frozenUsers([first, calmReading(32)]), 'only as many users were served').toEqual([]);
    const silent = { ...frozenWith64(), users: 16, freeze: null };
    expect(findStandstill([...calmReadings(), first, silent])).toEqual({ reading: silent, freeze: null });
    expect(isSilent({ sent: 0, startUp: { sent: 0, failed: 0 } }), 'nobody asked').toBe(false);
  });

  it('describe each run in one sentence', () => {
    const stood = 'No response for 58 s, from second 4 to 62, with 25 requests in flight.';
    expect([formatStandstillAt(frozenWith32(), true), formatStandstillAt(frozenWith32(), false)]).toEqual([stood, '']);
    expect(formatStandstillAt(frozenWith64(), true)).toBe(
      'No response for 54 s, from second 9 to 63, with 64 requests in flight. No response came in the counted time; 314 requests were sent before it.',
    );
    const { freeze } = frozenWith32();
    const early = { ...frozenWith32(), freeze: freeze && { ...freeze, fromSecond: null } };
    expect(formatStandstillAt(early, true)).toBe('No response for 58 s, with 25 requests in flight.');
    expect(formatStandstillAt(calmReading(8), true)).toBe('');
  });

  it('state a longest wait only without failures', () => {
    const reading = frozenWith32();
    const waited = (changes: Partial<UsersReading>): number | null =>
      findWaitedMs({ reading: { ...reading, ...changes }, freeze: reading.freeze });
    expect([waited({}), waited({ failed: 1 }), waited({ startUp: { sent: 9, failed: 1 } })]).toEqual([60_100, null, null]);
    expect(standstillSentence({ reading, freeze: reading.freeze }, calmReading(1))).toMatch(/ at 32 users; up to one user, 10 successful/);
  });
});

describe('a whole search', () => {
  /** Returns a server with four workers of 50 ms. With 32 users, all of the workers freeze for 58 s at once. */
  function freezesAt32(): (second: number) => SimulatedServer {
    let run = 0;
    return () => {
      run += 1;
      const isLast = run === 6;
      return { workers: 4, serviceMs: (random, n) => (isLast && n >= 150 && n < 154 ? 58_000 : 50 * (0.99 + 0.02 * random())) };
    };
  }

  it('ends at a freeze, and keeps the workers that were found before', () => {
    const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith({ timeoutSeconds: 90 }) });
    const { conclusion, runs } = playSearch(document, freezesAt32(), randomFrom(7));
    expect(runs.map(({ name }) => name)).toEqual([
      'one user',
      '2 users',
      '4 users',
      '8 users',
      '16 users',
      '32 users',
      'an idle connection',
    ]);
    expect(conclusion.sentence).toMatch(
      /^Freezes for 5\d s at 32 users; up to 16 users, \d+(\.\d)? successful responses\/s\. Up to there it is synchronous: 4 workers, 5\d(\.\d)? ms each\.$/,
    );
  });
});
