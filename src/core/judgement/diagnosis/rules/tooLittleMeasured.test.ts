import { expect, it } from 'vitest';
import { planWith, users } from '#core/testing/plans.ts';
import { idsOf, numberOf, played, saidBy } from '../testing/found.ts';

const thinking = { kind: 'fixed' as const, seconds: 1 };
/** 20 pages a second at most. */
const site = { workers: 8, serviceMs: () => 400 };
const run = (levels: readonly number[], seconds: number, untilMs?: number) =>
  played(
    planWith({
      load: users(
        levels.map((count) => ({ users: count, seconds })),
        thinking,
      ),
      drainSeconds: 1,
    }),
    site,
    untilMs,
  );

it('contradicts times that are shorter than visitors by answers a second allow', () => {
  const [finding] = saidBy('windowTooShort', run([160], 4, 4_500));
  expect(finding).toMatchObject({ level: 'warning', range: { fromSecond: 0, toSecond: 4 } });
  expect(finding?.sentence).toContain('too short for its response times');
  expect(numberOf(finding, 'Mean by the response time law')).toBeGreaterThan(6.5);
  expect(numberOf(finding, 'Mean by the response time law')).toBeLessThan(8);
  expect(numberOf(finding, 'Mean of the responses')).toBeLessThan(4);
  expect(finding?.remedy).toMatch(/at least (?:4\d|3\d) s/);
});

it('has nothing to say of a window of five rounds and more', () => {
  expect(saidBy('windowTooShort', run([10, 40, 80], 25))).toEqual([]);
});

it('does not speak of a law where visitors do more than ask, wait and pause', () => {
  const given = run([160], 4, 4_500);
  const journey = given.plan.journey.map((step) => ({ ...step, redirects: { follow: true as const, most: 5, mayEndAtLogin: false } }));
  expect(idsOf({ ...given, plan: { ...given.plan, journey } })).not.toContain('windowTooShort.the whole run');
});

it('does not take visitors who pause through most of a short window for visitors who wait', () => {
  for (const [count, pauseSeconds] of [
    [500, 2],
    [200, 1.5],
    [50, 2],
  ] as const) {
    const load = users([{ users: count, startUpSeconds: 0.5, seconds: 2.5 }], {
      kind: 'uniform',
      fromSeconds: 0.5 * pauseSeconds,
      toSeconds: 1.5 * pauseSeconds,
    });
    const given = played(planWith({ load }), { workers: Infinity, serviceMs: () => 2 });
    expect(saidBy('windowTooShort', given), `${count} visitors`).toEqual([]);
  }
});
