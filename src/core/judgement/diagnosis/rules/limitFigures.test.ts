import { describe, expect, it } from 'vitest';
import { watchSchema } from '#core/plan/schema/watchPages.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, generatorThatReads, healthyStep, point, postgresThatReads } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

type StageOfRun = MeasuredRun['stages'][number];

const [STAGE] = facts().stages;

interface Level {
  readonly at: number;
  readonly perSecond?: number | null;
  readonly mean?: StageOfRun['latency']['response']['mean'];
  readonly changes?: Partial<StageOfRun>;
  readonly unit?: StageOfRun['level']['unit'];
}

function stage({ at, perSecond = 100, mean = 10, changes = {}, unit = 'connections' }: Level): StageOfRun {
  if (STAGE === undefined) throw new Error('no stage');
  return {
    ...STAGE,
    name: `${at}`,
    level: { unit, from: at, to: at, highest: at },
    requests: { ...STAGE.requests, sent: 1_000, ok: 950, timeout: 50 },
    rates: { ...STAGE.rates, completedPerSecond: perSecond },
    latency: { ...STAGE.latency, response: { ...CALM, mean } },
    ...changes,
  };
}

describe('saturatedBelow', () => {
  const of = (levels: readonly Level[], changes: Partial<MeasuredRun> = {}) =>
    findingsBy('saturatedBelow', facts(healthyStep(), { stages: levels.map(stage), ...changes }))[0];
  /** Two levels: twice the level gives 12 % more throughput and 1.4 times the response time. */
  const LIGHT = { at: 8, mean: 10, changes: { startedAtSecond: 30, endedAtSecond: 60 } };
  const HEAVY = { at: 16, perSecond: 112, mean: 14, changes: { startedAtSecond: 0, endedAtSecond: 30 } };

  it('is reported with the figures of each level', () => {
    const finding = of([HEAVY, LIGHT]);
    expect(finding?.sentence).toBe(
      'The server was saturated from the beginning: 100/s at 8 connections and 112/s at 16. More connections only waited longer; saturation begins below 8.',
    );
    expect(finding?.evidence).toEqual([expect.stringContaining('latency grew 1.4 times'), expect.stringContaining('connections')]);
    expect(finding?.figures).toEqual([
      { what: '“8”, 8 connections', value: '100/s, mean 10 ms' },
      { what: '“16”, 16 connections', value: '112/s, mean 14 ms' },
    ]);
    expect(finding).toMatchObject({
      level: 'warning',
      range: { fromSecond: 0, toSecond: 60 },
      remedy: expect.stringContaining('from 1 connections'),
    });
    expect(of([{ ...LIGHT, unit: 'users' }, HEAVY])?.sentence).toContain('at 8 users');
  });

  it('says that the server processes one request at a time if one user has the same throughput', () => {
    const one = (unit: 'users' | 'connections') =>
      of([
        { ...LIGHT, at: 1, unit },
        { ...HEAVY, at: 2 },
      ]);
    expect(one('users')).toMatchObject({ level: 'info', sentence: expect.stringContaining('with a single user and') });
    expect(one('connections')?.sentence).toContain('with a single connection and');
    expect(one('connections')?.remedy).toContain('More workers');
  });

  it.each<[string, readonly Level[]]>([
    ['levels that differ by less than a factor of two', [LIGHT, { ...HEAVY, at: 15.9 }]],
    ['rates that grow', [LIGHT, { ...HEAVY, perSecond: 112.1 }]],
    ['a rate in between that is lower', [LIGHT, { ...LIGHT, at: 12, perSecond: 90 }, HEAVY]],
    ['times that do not grow with the level', [LIGHT, { ...HEAVY, mean: 13.9 }]],
    ['an uncounted stage', [{ ...LIGHT, changes: { counted: false } }, HEAVY]],
    ['arrivals', [{ ...LIGHT, unit: 'arrivalsPerSecond' }, HEAVY]],
    ['a stage that is not steady', [{ ...LIGHT, changes: { level: { unit: 'connections', from: 1, to: 8, highest: 8 } } }, HEAVY]],
    ['an unknown rate', [{ ...LIGHT, perSecond: null }, HEAVY]],
    ['an unknown mean', [{ ...LIGHT, mean: 'never' }, HEAVY]],
    ['none', []],
  ])('is absent for %s', (_name, levels) => {
    expect(of(levels)).toBeUndefined();
  });

  it('requires fifty responses at each level, and at most 5 % failures', () => {
    const requests = (sent: number, ok: number, timeout: number) => ({
      ...LIGHT,
      changes: { requests: { ...stage(LIGHT).requests, sent, ok, timeout } },
    });
    expect(of([requests(50, 50, 0), HEAVY])).toBeDefined();
    expect(of([requests(49, 49, 0), HEAVY])).toBeUndefined();
    expect(of([requests(1_000, 949, 51), HEAVY])).toBeUndefined();
  });

  it('ignores runs in which more than 20 % of the seconds were overloaded', () => {
    const windows = (overloadedBy: number) =>
      Array.from({ length: 10 }, (_, at) => point(at, at < overloadedBy ? { overloadedBy: ['threadCpu'] } : {}));
    expect(of([LIGHT, HEAVY], { windows: windows(2) })).toBeDefined();
    expect(of([LIGHT, HEAVY], { windows: windows(3) })).toBeUndefined();
  });

  it('has no range if a stage never began or never ended', () => {
    const times = (startedAtSecond: number | null, endedAtSecond: number | null) => ({ changes: { startedAtSecond, endedAtSecond } });
    expect(of([{ ...LIGHT, ...times(null, 60) }, HEAVY])?.range).toBeNull();
    expect(of([LIGHT, { ...HEAVY, ...times(0, null) }])?.range).toBeNull();
    expect(
      of([
        { ...LIGHT, ...times(30, null) },
        { ...HEAVY, ...times(null, 90) },
      ])?.range,
    ).toEqual({ fromSecond: 30, toSecond: 90 });
  });
});

describe('limitAhead', () => {
  const SECONDS = 60;
  const of = (connections: (second: number) => number, limit: number, stages?: readonly Partial<StageOfRun>[]) => {
    const given = facts(healthyStep(), { monitors: [postgresThatReads(SECONDS, { connections }, limit)] });
    return findingsBy(
      'limitAhead',
      stages === undefined ? given : { ...given, stages: stages.map((one) => ({ ...stage({ at: 8 }), ...one })) },
    )[0];
  };

  it('uses ten readings of the longest steady stage', () => {
    const growing = (second: number): number => (second >= 20 && second < 30 ? second : 500);
    const stages = (endedAtSecond: number) => [
      { startedAtSecond: 0, endedAtSecond: 5 },
      { startedAtSecond: 20, endedAtSecond, name: 'long' },
      { startedAtSecond: 30, endedAtSecond: 60, counted: false },
    ];
    expect(of(growing, 40, stages(30))?.sentence).toContain(
      'grew by 60 a minute at constant load, from 20 to 29: at this pace it reaches its limit of 40 about 11 s later',
    );
    expect(of(growing, 40, stages(30))?.evidence).toEqual([
      '10 readings in “long”; 95 % interval of the growth: 60 to 60 a minute.',
      'The limit is max_connections; reached between 11 s and 11 s after second 30.',
    ]);
    expect(of(growing, 40, stages(29))).toBeUndefined();
    expect(of(growing, 40, [{ startedAtSecond: null, endedAtSecond: 60 }])).toBeUndefined();
    expect(of(growing, 40, [{ startedAtSecond: 20, endedAtSecond: null }])).toBeUndefined();
  });

  it('requires growth by three and by 5 % of the limit', () => {
    const by = (growth: number, limit: number) => of((second) => 10 + (growth * second) / 59, limit);
    expect(by(3.2, 20)).toBeDefined();
    expect(by(3, 20)).toBeUndefined();
    expect(by(5.2, 100)).toBeDefined();
    expect(by(4.9, 100)).toBeUndefined();
  });

  it('reports limits that will be reached within an hour', () => {
    // The count grows by one every 10 s and is 59 at the end. 359 more take 3,590 s, and 362 take 3,620 s.
    const at = (limit: number) => {
      const monitor = postgresThatReads(SECONDS, { connections: (row) => row }, limit);
      const monitors = [{ ...monitor, second: monitor.second.map((row) => 10 * row) }];
      return findingsBy('limitAhead', facts(healthyStep(), { monitors, stages: [{ ...stage({ at: 8 }), endedAtSecond: 600 }] }));
    };
    expect([at(418).length, at(421).length]).toEqual([1, 0]);
  });
});

describe('limitReached', () => {
  const SECONDS = 20;
  interface Changes {
    readonly held?: (second: number) => number;
    readonly failed?: (second: number) => number;
    readonly limit?: number | undefined;
    readonly seconds?: number;
  }
  function of({ held = (second) => (second < 10 ? 5 : 20), failed = () => 0, limit = 20, seconds = SECONDS }: Changes = {}) {
    const watch = [
      watchSchema.parse({ name: 'held', url: 'http://127.0.0.1:9/', limit }),
      watchSchema.parse({ name: 'free', url: 'http://127.0.0.1:9/' }),
    ];
    const generators = [generatorThatReads(Array.from({ length: seconds }, (_unused, second) => ({ held: held(second), free: 99 })))];
    const windows = Array.from({ length: SECONDS }, (_unused, second) =>
      point(second, { ok: 100 - failed(second), failed: failed(second) }),
    );
    const given = facts(healthyStep(), { windows, generators });
    return findingsBy('limitReached', { ...given, plan: { ...given.plan, watch } });
  }

  it('is reported with its figures up to the last reading', () => {
    const [finding, ...others] = of({ held: (second) => (second < 10 ? 5 : second === 15 ? 22 : 20) });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ level: 'warning', confidence: 'certain', range: { fromSecond: 10, toSecond: 19 } });
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.slice(0, 5).map(({ value }) => value)).toEqual(['20', '22', '10', '0 %', '0 %']);
    expect(of({ held: (second) => (second < 19 ? 5 : 20) })[0]?.range).toEqual({ fromSecond: 19, toSecond: 20 });
    expect(of({ held: (second) => 2 * second })[0]?.evidence[0]).toBe(
      'Until then it grew by 2 a second: (limit − start) / growth is the time until it is full.',
    );
    expect([of({ seconds: 1, held: () => 20 }), of({ seconds: 2, held: () => 20 })].map(({ length }) => length)).toEqual([0, 1]);
  });

  it.each<[string, (second: number) => number, boolean]>([
    ['5 % from then on', (second) => (second < 10 ? 0 : 5), true],
    ['fewer', (second) => (second < 10 ? 0 : 4), false],
    ['three times as many', (second) => (second < 10 ? 4 : 12), true],
    ['less than three times as many', (second) => (second < 10 ? 4 : 11), false],
    ['more from three seconds before', (second) => (second < 7 ? 0 : 15), true],
    ['more from four seconds before', (second) => (second < 6 ? 0 : second < 7 ? 50 : 15), false],
  ])('is a problem only if requests fail with it: %s', (_name, failed, isProblem) => {
    expect(of({ failed })[0]).toMatchObject({ level: isProblem ? 'problem' : 'warning', confidence: isProblem ? 'likely' : 'certain' });
  });
});
