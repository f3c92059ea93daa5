import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { facts, healthyStep, point, SLOW_AT_FIRST } from '../testing/facts.ts';
import { idsOf, numberOf, played, findingsBy } from '../testing/found.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 30, seconds: 40 }]) });
const run = (serviceMs: (second: number) => number) =>
  played(plan, { workers: Infinity, serviceMs: (random, _n, second) => serviceMs(second) * (1 + 0.1 * random()) });

it('warmingUp: reports the duration and the times before and after', () => {
  const given = run((second) => (second < 8 ? 250 : 20));
  const [finding] = findingsBy('warmingUp', given);
  expect(finding).toMatchObject({
    level: 'warning',
    range: { fromSecond: 0, toSecond: 8 },
    remedy: expect.stringContaining('at least 10 s'),
  });
  expect(idsOf(given).filter((id) => id.startsWith('behaviour.first') || id.startsWith('groups'))).toEqual([]);
});

it('warmingUp: names the cache if responses report it', () => {
  const given = run((second) => (second < 8 ? 250 : 20));
  const withCache = (warmShare: number) => ({
    ...given,
    windows: given.windows.map((point) => {
      const fromCache = Math.round(point.completed * (point.second < 8 ? 0.1 : warmShare));
      return { ...point, cache: { fromCache, fromServer: point.completed - fromCache } };
    }),
  });
  const [filled] = findingsBy('warmingUp', withCache(0.9));
  expect(filled?.evidence.join(' ')).toContain('Here a cache filled');
  expect(numberOf(filled, 'From a cache at first')).toBeCloseTo(10, -1);
  expect(numberOf(filled, 'From a cache later')).toBeCloseTo(90, -1);
  const [other] = findingsBy('warmingUp', withCache(0.1));
  expect(other?.evidence.join(' ')).not.toContain('cache that filled');
  expect(numberOf(other, 'From a cache later')).toBeNaN();
});

it.each([
  ['a slow first second', (second: number) => (second < 1.2 ? 250 : 20)],
  ['a slow moment later on', (second: number) => (second > 15 && second < 20 ? 250 : 20)],
  ['a server that repeatedly becomes slow', (second: number) => (Math.floor(second / 5) % 2 === 0 ? 250 : 20)],
  ['constant times', () => 20],
])('warmingUp: ignores %s', (_name, serviceMs) => {
  expect(findingsBy('warmingUp', run(serviceMs))).toEqual([]);
});

it('warmingUp: ignores a plan with a bell, before which users send other steps than after it', () => {
  const given = run((second) => (second < 8 ? 250 : 20));
  const withBell = { ...given, plan: { ...given.plan, bells: { ten: { atSeconds: 20, late: 'continue' as const } } } };
  expect([findingsBy('warmingUp', given), findingsBy('warmingUp', withBell)]).toMatchObject([[{ level: 'warning' }], []]);
});

it('warmingUp: ignores users who start at once', () => {
  const windows = Array.from({ length: 30 }, (_, second) =>
    point(second, second < 4 ? { started: second === 0 ? 400 : 10, completed: 100, p50: 900 } : { started: 50, completed: 50, p50: 20 }),
  );
  expect(findingsBy('warmingUp', facts(healthyStep(), { windows }))).toEqual([]);
  const even = windows.map((one) => ({ ...one, started: 50 }));
  expect(findingsBy('warmingUp', facts(healthyStep(), { windows: even }))).toHaveLength(1);
});

describe('slow first responses', () => {
  const makeFirst = (startedAtFirst: number, first = SLOW_AT_FIRST.firstResponses[0]?.first ?? []) => {
    const windows = Array.from({ length: 30 }, (_, second) => point(second, { started: second === 0 ? startedAtFirst : 50, p50: 120 }));
    const behaviour = { ...SLOW_AT_FIRST, firstResponses: SLOW_AT_FIRST.firstResponses.map((one) => ({ ...one, first })) };
    return findingsBy('behaviour', facts(healthyStep(), { windows, behaviour })).length;
  };

  it('indicate a cold server only if as many requests are quick later without a queue', () => {
    expect(makeFirst(50)).toBe(1);
    expect(makeFirst(400)).toBe(0);
    expect(makeFirst(50, [300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000])).toBe(0);
  });
});

describe('warmingUp at its thresholds', () => {
  /** Returns `count` seconds at 20 ms, the first three at 31 ms. */
  const seconds = (count: number, of: (second: number) => Partial<Point> = (second) => (second < 3 ? { p50: 31 } : {})): Point[] =>
    Array.from({ length: count }, (_unused, second) => point(second, { p50: 20, completed: 100, ...of(second) }));
  const coldIn =
    (from: number, to: number, p50 = 31) =>
    (second: number) =>
      second >= from && second < to ? { p50 } : {};
  const of = (windows: Point[]) => findingsBy('warmingUp', facts(healthyStep(), { windows }))[0];

  it('reports its figures', () => {
    const finding = of(seconds(60));
    expect(finding?.sentence).toBe(
      'In the first 3 s of “stage 1” the median response took 31 ms, later 20 ms: the server was still warming up, and its figures mix both.',
    );
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['31 ms', '20 ms', '300 (5 %)']);
  });

  it.each<[string, Point[], boolean]>([
    ['30 ms beside 20 ms', seconds(60, coldIn(0, 3, 30)), false],
    ['20 ms beside 10 ms', seconds(60, (second) => ({ p50: second < 3 ? 20 : 10 })), false],
    ['21 ms beside 10 ms', seconds(60, (second) => ({ p50: second < 3 ? 21 : 10 })), true],
    ['two seconds', seconds(20, coldIn(0, 2)), false],
    ['five warm seconds', seconds(8), true],
    ['four warm seconds', seconds(7), false],
    ['fewer warm than cold seconds', seconds(11, coldIn(0, 6)), false],
    ['as many warm as cold seconds', seconds(12, coldIn(0, 6)), true],
    ['less than 5 % of the responses', seconds(60, (second) => (second < 3 ? { p50: 31, completed: 99 } : {})), false],
    ['10 % slow again', seconds(53, (second) => (second < 3 || (second >= 40 && second < 45) ? { p50: 31 } : {})), true],
    ['more than 10 % slow again', seconds(53, (second) => (second < 3 || (second >= 40 && second < 46) ? { p50: 31 } : {})), false],
    ['a second without a response', seconds(60, (second) => (second === 1 ? { p50: null } : coldIn(0, 4)(second))), true],
    ['nothing', [], false],
  ])('decides by the figures whether it reports a finding: %s', (_name, windows, isCold) => {
    expect(of(windows) !== undefined).toBe(isCold);
  });

  it.each([
    [10, false],
    [11, true],
  ])('leaves out a first point of at most 10 s: one of %d s', (width, isLeftOut) => {
    const first = point(0, { width, p50: 20 });
    const later = seconds(40).map((one) => ({ ...one, second: one.second + width }));
    expect(of([first, ...later]) !== undefined).toBe(isLeftOut);
  });

  it('requires a counted stage of constant load that does not follow a higher one', () => {
    const given = facts(healthyStep(), { windows: seconds(60) });
    const [stage] = given.stages;
    if (stage === undefined) throw new Error('no stage');
    const idsWith = (...stages: (typeof stage)[]) => findingsBy('warmingUp', { ...given, stages }).map(({ id }) => id);
    expect(idsWith({ ...stage, counted: false })).toEqual([]);
    expect(idsWith({ ...stage, level: { ...stage.level, from: 1 } })).toEqual([]);
    const before = (highest: number) => ({ ...stage, name: 'before', counted: false, level: { ...stage.level, highest } });
    expect(idsWith(before(60), stage)).toEqual(['warmingUp.stage 1']);
    expect(idsWith(before(61), stage)).toEqual([]);
    expect(idsWith(stage, before(61))).toEqual(['warmingUp.stage 1']);
  });

  it.each([
    [45, 2],
    [44, 1],
  ])('names a cache whose share grew by 20 %%: from 25 %% to %d %%', (later, evidence) => {
    const withCache = seconds(60).map((one) => {
      const fromCache = one.second < 3 ? 25 : later;
      return { ...one, cache: { fromCache, fromServer: 100 - fromCache } };
    });
    expect(of(withCache)?.evidence).toHaveLength(evidence);
    expect(of(withCache.map(({ cache, ...one }) => (one.second < 3 ? one : { ...one, cache })))?.evidence).toHaveLength(1);
    expect(of(withCache.map(({ cache, ...one }) => (one.second < 3 ? { ...one, cache } : one)))?.evidence).toHaveLength(1);
  });
});
