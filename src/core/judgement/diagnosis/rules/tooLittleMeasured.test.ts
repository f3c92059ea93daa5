import { describe, expect, it } from 'vitest';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { planWith, users } from '#core/testing/plans.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, numberOf, played, findingsBy } from '../testing/found.ts';

const thinking = { kind: 'fixed' as const, seconds: 1 };
/** A site that serves at most 20 pages per second. */
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

it('windowTooShort: reports times that are shorter than the response time law requires', () => {
  const [finding] = findingsBy('windowTooShort', run([160], 4, 4_500));
  expect(finding).toMatchObject({ level: 'warning', range: { fromSecond: 0, toSecond: 4 } });
  expect(finding?.sentence).toContain('too short for its response times');
  expect(numberOf(finding, 'Mean by the response time law')).toBeGreaterThan(6.5);
  expect(numberOf(finding, 'Mean by the response time law')).toBeLessThan(8);
  expect(numberOf(finding, 'Mean of the responses')).toBeLessThan(4);
  expect(finding?.remedy).toMatch(/at least (?:4\d|3\d) s/);
});

it('windowTooShort: ignores a window of five rounds or more', () => {
  expect(findingsBy('windowTooShort', run([10, 40, 80], 25))).toEqual([]);
});

it('windowTooShort: applies only if users send, wait and pause', () => {
  const given = run([160], 4, 4_500);
  const journey = given.plan.journey.map((step) => ({ ...step, redirects: { follow: true as const, most: 5, mayEndAtLogin: false } }));
  expect(idsOf({ ...given, plan: { ...given.plan, journey } })).not.toContain('windowTooShort.the whole run');
});

it('windowTooShort: does not mistake pausing users for waiting ones', () => {
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
    expect(findingsBy('windowTooShort', given), `${count} visitors`).toEqual([]);
  }
});

type StageOfRun = MeasuredRun['stages'][number];

const makeLatency = (changes: Partial<LatencySummary>): StageOfRun['latency'] => {
  const times = { ...CALM, ...changes };
  return { service: times, response: times, errorAdjusted: times };
};

it('tooFewSamples: names the step with the fewest responses below 59, and lists all such steps', () => {
  const of = (...counts: readonly (readonly [name: string, count: number, ok: number])[]) =>
    findingsBy(
      'tooFewSamples',
      facts(healthyStep(), {
        steps: counts.map(([name, count, ok]) =>
          healthyStep({ name, requests: { ...healthyStep().requests, ok }, latency: makeLatency({ count }) }),
        ),
      }),
    )[0];
  const finding = of(['a', 30, 30], ['b', 19, 19], ['c', 19, 19], ['d', 59, 59], ['e', 0, 1], ['f', 5, 0]);
  expect(finding?.sentence).toMatch(/^Too few responses to rely on: 19 to “b”\. The p95 of 24 ms is the time of the slowest one and/);
  expect(finding?.evidence).toHaveLength(1);
  expect(finding?.figures?.map(({ value }) => value)).toEqual(['19', '19', '30', '20 ms']);
  expect(of(['a', 20, 20])?.sentence).toContain('the slowest two or three');
  const many = of(...Array.from({ length: 55 }, (_, at) => [`page ${at}`, 57 - at, 57 - at] as const));
  expect(many?.figures).toHaveLength(7);
  expect(many?.figures?.slice(4)).toEqual([
    { what: 'Responses to “page 50”', value: '7' },
    { what: 'Other steps with too few', value: '50' },
    { what: 'Median', value: '20 ms' },
  ]);
  expect(of(['a', 58, 58], ['b', 59, 59])?.sentence).toContain('58 to “a”');
});

describe('thresholds of notSteady', () => {
  const stage = (at: number, p95: LatencySummary['p95'], p99: LatencySummary['p99'], changes: Partial<StageOfRun> = {}): StageOfRun => {
    const [base] = facts().stages;
    if (base === undefined) throw new Error('no stage');
    const level = { unit: 'connections' as const, from: at, to: at, highest: at };
    return { ...base, name: `${at}`, level, latency: makeLatency({ p95, p99 }), ...changes };
  };
  const of = (...stages: StageOfRun[]) => findingsBy('notSteady', facts(healthyStep(), { stages }))[0];

  it('require counted, steady stages with known times', () => {
    expect(of(stage(10, 2_000, 2_500), stage(20, 900, 1_000))?.evidence).toEqual(['10: p95 2 s, p99 2.5 s', '20: p95 900 ms, p99 1 s']);
    const level = (at: number) => ({ unit: 'arrivalsPerSecond' as const, from: at, to: at, highest: at });
    for (const first of [
      stage(10, 2_000, 2_500, { counted: false }),
      stage(10, 2_000, 2_500, { level: level(10) }),
      stage(10, 2_000, 2_500, { level: { unit: 'connections', from: 1, to: 10, highest: 10 } }),
      stage(10, 'never', 2_500),
      stage(10, 2_000, 'never'),
    ])
      expect(of(first, stage(20, 900, 1_000))).toBeUndefined();
  });
});

describe('windowTooShort at its thresholds', () => {
  /**
   * Changes to a run in which 100 users at 10 requests per second wait 10 s on average, including 8 s of think time. Responses took a
   * second.
   */
  interface Changes {
    readonly users?: number;
    readonly perSecond?: number | null;
    readonly mean?: LatencySummary['mean'];
    readonly count?: number;
    readonly seconds?: number;
    readonly inFlight?: number;
    readonly pause?: number;
    readonly overloadedBy?: number;
    readonly stage?: Partial<StageOfRun>;
    readonly requests?: Partial<StageOfRun['requests']>;
  }
  function of({ pause = 8, ...more }: Changes = {}) {
    const { users: at = 100, perSecond = 10, mean = 1_000, count = 20, seconds = 49, inFlight = 20, overloadedBy = 0 } = more;
    const [base] = facts().stages;
    if (base === undefined) throw new Error('no stage');
    const stage: StageOfRun = {
      ...base,
      level: { unit: 'users', from: at, to: at, highest: at },
      startedAtSecond: 0,
      endedAtSecond: seconds,
      rates: { ...base.rates, completedPerSecond: perSecond },
      latency: makeLatency({ mean, count }),
      requests: { ...base.requests, sent: 50, ok: 20, httpError: 3, wrongBody: 2, ...more.requests },
      ...more.stage,
    };
    const plan = planWith({ load: users([{ users: 100, seconds: 49 }], { kind: 'fixed', seconds: pause }) });
    const windows = Array.from({ length: seconds }, (_unused, second) =>
      point(second, { inFlight, overloadedBy: second < overloadedBy ? ['threadCpu'] : [] }),
    );
    return findingsBy('windowTooShort', facts(healthyStep(), { plan, stages: [stage], windows }))[0];
  }

  it('reports its figures', () => {
    const finding = of();
    expect(finding?.sentence).toContain('100 users at 10/s waited 2 s on average, not the measured 1 s');
    expect(finding?.evidence).toEqual([expect.stringContaining('100 / 10 − 8 = 2 s; the mean of the responses is 1 s'), expect.anything()]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['100', '10/s', '8 s', '2 s', '1 s', '25 of 50', '49 s']);
    expect(finding).toMatchObject({
      confidence: 'likely',
      range: { fromSecond: 0, toSecond: 49 },
      remedy: expect.stringContaining('50 s long'),
    });
  });

  it.each<[string, Changes, boolean]>([
    ['50 % more by the law', { mean: 1_333 }, true],
    ['less than 50 % more by the law', { mean: 1_334 }, false],
    ['50 % more in flight', { inFlight: 15 }, true],
    ['less than 50 % more in flight', { inFlight: 14 }, false],
    ['0.1 s more', { users: 85, pause: 8.375, mean: 24, inFlight: 2, seconds: 40 }, true],
    ['less than 0.1 s more', { users: 85, pause: 8.375, mean: 26, inFlight: 2, seconds: 40 }, false],
    ['five rounds', { seconds: 50 }, false],
    ['nineteen responses', { count: 19 }, false],
    ['an unknown mean', { mean: 'never' }, false],
    ['an unknown rate', { perSecond: null }, false],
    ['a rate of 0', { perSecond: 0 }, false],
    ['an uncounted stage', { stage: { counted: false } }, false],
    ['a stage that never began', { stage: { startedAtSecond: null } }, false],
    ['a stage that never ended', { stage: { endedAtSecond: null } }, false],
  ])('reports a finding only beyond the limit: %s', (_name, changes, isReported) => {
    expect(of(changes) !== undefined).toBe(isReported);
  });

  it('reduces the confidence if more than 20 % of the seconds were overloaded', () => {
    expect(of({ seconds: 40, overloadedBy: 8 })).toMatchObject({ confidence: 'likely' });
    expect(of({ seconds: 40, overloadedBy: 9 })).toMatchObject({ confidence: 'possible', evidence: { length: 3 } });
  });
});
