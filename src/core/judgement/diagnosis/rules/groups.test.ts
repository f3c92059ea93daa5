import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTotalHistogram, record } from '#core/statistics/histogram.ts';
import { timeGroups } from '#core/measurement/groups.ts';
import { logNormal, randomFrom } from '#core/testing/queueRun.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { idsOf, played, findingsBy } from '../testing/found.ts';

const plan = planWith({ load: stages({ connections: 10, seconds: 20 }) });
const run = (serviceMs: (n: number) => number, page = plan) =>
  played(page, { workers: Infinity, serviceMs: (random, n) => serviceMs(n) + 5 * random() });

describe('groups of times', () => {
  it('are counted with their limits at any distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 60 }), fc.integer({ min: 300, max: 9_000 }), fc.integer(), (slow, slowMs, seed) => {
        const random = randomFrom(seed);
        const times = createTotalHistogram();
        for (let n = 0; n < 1_000; n += 1) record(times, 1_000 * (n < slow ? slowMs + 10 * random() : logNormal(20, 0.3, random)));
        const groups = timeGroups(times);
        expect(groups.map(({ count }) => count)).toEqual([1_000 - slow, slow]);
        expect(groups[1]?.medianMs).toBeGreaterThanOrEqual(slowMs - 0.01 * slowMs);
      }),
      { numRuns: 50 },
    );
  });

  it('are one for widely spread times, and none for a few times', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomFrom(seed);
      const times = createTotalHistogram();
      for (let n = 0; n < 2_000; n += 1) record(times, 1_000 * logNormal(20, 1.2, random));
      expect(timeGroups(times), `seed ${seed}`).toHaveLength(1);
    }
    expect(timeGroups(createTotalHistogram())).toEqual([]);
  });
});

describe('two groups', () => {
  it('are reported with the share and the time of the slow responses', () => {
    const given = run((n) => (n % 60 === 30 ? 2_250 : 50));
    const [finding] = findingsBy('groups', given);
    expect(finding).toMatchObject({ level: 'warning', range: null, sentence: expect.stringMatching(/^1\.6\d* % of responses to “page”/) });
    expect(finding?.sentence).toContain('about 2.25 s');
    expect(idsOf(given)).not.toContain('slowTail');
  });

  it.each([
    [1_000, 'Linux retries a connection'],
    [3_000, 'Linux retries a connection'],
    [5_000, 'DNS server'],
    [7_000, 'Linux retries a connection'],
  ])('point to the retrying component for a wait of %i ms', (ms, who) => {
    expect(
      findingsBy(
        'groups',
        run((n) => (n % 200 === 100 ? ms + 50 : 50)),
      )[0]?.sentence,
    ).toContain(who);
  });

  it('are no alarm if both are large, because some pages come from a cache', () => {
    expect(
      findingsBy(
        'groups',
        run((n) => (n % 4 === 0 ? 300 : 10)),
      )[0],
    ).toMatchObject({ level: 'info', sentence: expect.stringContaining('fall into 2 groups') });
  });

  it.each([
    ['3 of 5', (n: number) => n % 5 < 3],
    ['9 of 10', (n: number) => n % 10 > 0],
  ])('are reported if %s responses are always slow, with the larger group named', (_share, isSlow) => {
    const [finding] = findingsBy(
      'groups',
      run((n) => (isSlow(n) ? 300 : 10)),
    );
    expect(finding).toMatchObject({ level: 'info', sentence: expect.stringContaining('fall into 2 groups') });
    expect(finding?.figures?.map(({ what }) => what)).toEqual(['Fast group', 'Largest group']);
  });

  it('are reported for a quick step beside slow ones in the same seconds', () => {
    const given = run((n) => (n % 60 === 30 ? 2_250 : 50));
    const slower = given.windows.map((one) => ({ ...one, ok: 2 * one.ok, completed: 2 * one.completed, p50: 400, p90: 450 }));
    const beside = { ...given, plan: planWith({ ...plan, journey: [{ name: 'page' }, { name: 'report' }] }), windows: slower };
    expect(findingsBy('groups', beside)[0]).toMatchObject({ level: 'warning', sentence: expect.stringContaining('about 2.25 s') });
  });

  it('replace only the finding about the mean of their own step', () => {
    const given = run((n) => (n % 60 === 30 ? 2_250 : 10));
    const [step] = given.steps;
    if (step === undefined) throw new Error('no step');
    expect(idsOf({ ...given, steps: [step, { ...step, name: 'report' }] })).toEqual(['groups.the whole run.page', 'averageHides.report']);
  });

  it('state the time, if all slow responses arrived at one time', () => {
    const given = played(plan, {
      workers: Infinity,
      serviceMs: (_random, n, second) => (second >= 12 && second < 12.1 ? 1_500 : 50 + (n % 7)),
    });
    expect(findingsBy('groups', given)[0]?.range).toMatchObject({ fromSecond: 13 });
  });

  it('are not reported if requests differ on purpose, or if the server changed over time', () => {
    const different = planWith({ ...plan, journey: [{ name: 'page', path: '/{{task}}' }] });
    expect(
      findingsBy(
        'groups',
        run((n) => (n % 60 === 30 ? 2_250 : 50), different),
      ),
    ).toEqual([]);
    for (const [since, slowMs] of [
      [12, 900],
      [17.7, 1_700],
    ] as const)
      expect(
        findingsBy('groups', played(plan, { workers: Infinity, serviceMs: (_random, _n, second) => (second > since ? slowMs : 50) })),
      ).toEqual([]);
  });
});
