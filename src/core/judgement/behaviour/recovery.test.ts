import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLoadProfile } from '#core/work/load/profile.ts';
import { behaviourSchema } from '#core/result/behaviour.ts';
import { listRecoveries, withRecoveries } from './recovery.ts';
import { sampleBell } from '#core/result/testing/sampleBell.ts';
import { recoverySentence } from './sentences.ts';
import { buildPlan } from './testing/arrivalPlan.ts';

describe('listRecoveries', () => {
  const plan = buildPlan([
    { name: 'calm', kind: 'constant', perSecond: 5, seconds: 10 },
    { name: 'up', kind: 'ramp', fromPerSecond: 5, toPerSecond: 50, seconds: 10 },
    { name: 'after', kind: 'constant', perSecond: 5, seconds: 20 },
    { name: 'second', kind: 'constant', perSecond: 40, seconds: 5 },
    { name: 'end', kind: 'constant', perSecond: 5, seconds: 15 },
  ]);
  /** Returns a run in which 9 of 10 responses in second s take `p90(s)`, and `failed(s)` requests fail. */
  const secondsOf = (p90: (second: number) => number | null, failed: (second: number) => number = () => 0) =>
    Array.from({ length: 60 }, (_, second) => ({
      second,
      width: 1,
      completed: p90(second) === null ? 0 : 5,
      failed: failed(second),
      inFlight: 0,
      p90: p90(second),
    }));
  const recoveries = (p90: (second: number) => number | null, failed?: (second: number) => number) =>
    listRecoveries(buildLoadProfile(plan), secondsOf(p90, failed));

  it('reports an immediate recovery if the load slowed nothing', () => {
    expect(recoveries(() => 500)).toMatchObject([
      { stage: 'up', shape: 'rise', level: 50, endedAtSecond: 20, seconds: 0, beforeMs: 500, worstMs: 500, watchedSeconds: 20 },
      { stage: 'second', shape: 'spike', level: 40, unit: 'arrivalsPerSecond', endedAtSecond: 45, seconds: 0 },
    ]);
  });

  it('counts the recovery from a bell from its instant to the next bell', () => {
    const bells = [sampleBell({ atSecond: 15 }), sampleBell({ bell: 'end', atSecond: 30 })];
    const slow = secondsOf((second) => ((second >= 15 && second < 22) || second >= 30 ? 4_000 : 500));
    expect(withRecoveries(bells, slow).map((one) => one.recovery)).toEqual([
      { beforeMs: 500, worstMs: 4_000, seconds: 7, watchedSeconds: 15, resolutionSeconds: 1, reason: null },
      { beforeMs: 500, worstMs: 4_000, seconds: null, watchedSeconds: 30, resolutionSeconds: 1, reason: null },
    ]);
    const [early] = withRecoveries([sampleBell({ atSecond: 2 })], slow);
    expect(early?.recovery?.reason).toContain('too few responses');
  });

  it('describes the load: a spike, a plateau or a rise, with its level', () => {
    const reported = (...stages: object[]): string | undefined => {
      const calm = { kind: 'constant', perSecond: 5, seconds: 20 };
      const [first] = listRecoveries(
        buildLoadProfile(buildPlan([calm, ...stages, calm])),
        secondsOf(() => 500),
      );
      return first && / after the (.*?) in “/.exec(recoverySentence(first))?.[1];
    };
    const flank = (fromPerSecond: number, toPerSecond: number, seconds: number) => ({ kind: 'ramp', fromPerSecond, toPerSecond, seconds });
    const held = (perSecond: number, seconds: number) => ({ kind: 'constant', perSecond, seconds });
    expect(reported(held(50, 5))).toBe('spike to 50/s');
    expect(reported(flank(5, 50, 2), held(50, 4), flank(50, 5, 2))).toBe('spike to 50/s');
    expect(reported(flank(5, 50, 1), flank(50, 5, 1))).toBe('spike to 50/s');
    expect(reported(held(50, 25))).toBe('plateau at 50/s');
    expect(reported(flank(5, 50, 8), held(50, 25), flank(50, 5, 2))).toBe('plateau at 50/s');
    expect(reported(flank(5, 50, 10))).toBe('rise to 50/s');
    expect(reported({ kind: 'steps', fromPerSecond: 10, toPerSecond: 50, steps: 5, secondsEach: 5 })).toBe('rise to 50/s');
    // Steep rise, slow fall.
    expect(reported(flank(50, 5, 40))).toBe('spike to 50/s');
  });

  it('names users in a load of users', () => {
    const profile = [5, 40, 5].map((users, index) => ({
      stage: `${users}`,
      counted: true,
      fromSecond: 20 * index,
      toSecond: 20 * (index + 1),
      level: users,
      toLevel: users,
      unit: 'users' as const,
    }));
    const [first] = listRecoveries(
      profile,
      secondsOf(() => 500),
    );
    expect(first && recoverySentence(first)).toContain(
      'Recovered within 1 s after the plateau at 40 users in “40”, which ended at second 40',
    );
  });

  it('does not describe the load in old results without a profile', () => {
    const [first] = recoveries(() => 500);
    const { shape: _shape, unit: _unit, ...old } = first ?? {};
    const seen = behaviourSchema.parse({ firstResponses: [], queues: [], bursts: null, recoveries: [old], capacity: null });
    expect(seen.recoveries.map(recoverySentence)).toEqual([
      expect.stringContaining('after the high load of 50 in “up”, which ended at second 20'),
    ]);
  });

  it('ends a recovery when times stay as before, not at a single fast second', () => {
    const slow = (second: number): number => (second >= 15 && second < 27 && second !== 23 ? 4_000 : 500);
    const [first, second] = recoveries(slow);
    expect(first).toMatchObject({ seconds: 7, worstMs: 4_000, resolutionSeconds: 1 });
    expect(second).toMatchObject({ seconds: 0 });
    expect(first && recoverySentence(first)).toContain('Recovered 7 s ±');
  });

  it('does not end a recovery while requests fail, or while no response arrives although some requests are outstanding', () => {
    expect(
      recoveries(
        () => 500,
        (second) => (second >= 18 && second < 24 ? 2 : 0),
      )[0]?.seconds,
    ).toBe(4);
    const stuck = secondsOf((second) => (second >= 15 ? null : 500)).map((one) => ({ ...one, inFlight: one.second >= 15 ? 9 : 0 }));
    const [first] = listRecoveries(buildLoadProfile(plan), stuck);
    expect(first).toMatchObject({ seconds: null, reason: null, watchedSeconds: 20 });
    expect(first && recoverySentence(first)).toContain('No recovery within');
  });

  it('returns an unknown recovery without a calm time before the load, and none if the load is never high', () => {
    const [first] = listRecoveries(
      buildLoadProfile(plan),
      secondsOf((second) => (second < 12 ? null : 500)),
    );
    expect(first).toMatchObject({ seconds: null });
    expect(first?.reason).toContain('too few');
    expect(
      listRecoveries(
        buildLoadProfile(buildPlan([{ kind: 'constant', perSecond: 5, seconds: 10 }])),
        secondsOf(() => 5),
      ),
    ).toEqual([]);
    expect(listRecoveries([], [])).toEqual([]);
    const failing = recoveries(
      () => 500,
      () => 4,
    );
    expect(failing).toMatchObject([{ seconds: null }, { seconds: null }]);
    expect(failing[0]?.reason).toContain('already failed in the calm before it');
  });

  it('returns a recovery that is as long as the times stay high', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 18 }), fc.integer({ min: 600, max: 9_000 }), (lasts, ms) => {
        const [first] = recoveries((second) => (second >= 16 && second < 20 + lasts ? ms : 500));
        expect(first?.seconds).toBe(lasts);
      }),
    );
  });
});
