import { describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { planWith } from '#core/testing/plans.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point, postgresThatReads } from '../testing/facts.ts';
import { idsOf, numberOf, findingsBy } from '../testing/found.ts';

const SECONDS = 40;
const POOL = 12;
const all = Array.from({ length: SECONDS }, (_unused, second) => second);
/** Returns the number of requests at a second: half of the pool at first, then three times its size. */
const asked = (second: number): number => (second < SECONDS / 2 ? POOL / 2 : 3 * POOL);

interface Database {
  /** Number of connections in use for a number of requests in flight. */
  readonly used?: (inFlight: number, second: number) => number;
  /** Idle connections of the program when `used` connections are in use. */
  readonly idle?: (used: number) => number;
  readonly limit?: number;
}

function postgres({ used = (inFlight) => Math.min(POOL, inFlight), idle = (busy) => POOL - busy, limit = 100 }: Database): MonitorResult {
  const busy = (second: number): number => used(asked(second), second);
  const active = (second: number): number => Math.floor(busy(second) / 3);
  const read = {
    connections: (second: number) => 1 + 2 + busy(second) + idle(busy(second)),
    active: (second: number) => 1 + active(second),
    // Two connections belong to another program.
    idle: (second: number) => 2 + idle(busy(second)),
    idleInTransaction: (second: number) => busy(second) - active(second),
    locked: () => 0,
    longest: () => 300,
  };
  return { ...postgresThatReads(SECONDS, read, limit), name: 'database' };
}

/** Returns a run against a server that takes 200 ms per request, with one request per connection of its pool. */
function run(database: Database, p50 = (inFlight: number): number => 200 * Math.max(1, inFlight / POOL)): MeasuredRun {
  const windows = all.map((second) => point(second, { inFlight: asked(second), p50: p50(asked(second)) }));
  const plan = planWith({ servers: { header: 'X-Server', pool: 'tomcatJdbc' } });
  return facts(healthyStep(), { plan, windows, durationSeconds: SECONDS, monitors: [postgres(database)] });
}

describe('poolWait', () => {
  it('reports the size of the pool, the requests in flight, the slowdown, and the setting', () => {
    const [found] = findingsBy('poolWait.database', run({}));
    expect(found).toMatchObject({ level: 'warning', confidence: 'likely', range: { fromSecond: 20, toSecond: 40 } });
    expect(found?.sentence).toBe(
      'Requests waited for a pool connection: at most 12 connections of database were in use, with up to 36 requests in flight.',
    );
    expect(numberOf(found, 'Pool')).toBe(12);
    expect(numberOf(found, 'Median then')).toBe(600);
    expect(numberOf(found, 'Median with no more requests than connections')).toBe(200);
    expect(found?.remedy).toContain('Tomcat JDBC pool sets its size by maxActive (default 100)');
  });

  it('is a remark if requests were not slower', () => {
    expect(
      findingsBy(
        'poolWait.database',
        run({}, () => 200),
      ),
    ).toMatchObject([{ level: 'info', confidence: 'possible' }]);
  });

  it('ignores unused connections, and a database at its own limit', () => {
    expect(idsOf(run({ used: (inFlight) => inFlight }))).not.toContain('poolWait.database');
    expect(idsOf(run({ used: (_inFlight, second) => 8 + (second % 5) }))).not.toContain('poolWait.database');
    expect(idsOf(run({ idle: () => 10 + 1 }))).toContain('poolWait.database');
    expect(idsOf(run({ idle: (used) => (used === POOL ? 8 : 0) }))).not.toContain('poolWait.database');
    expect(idsOf(run({ limit: 15 }))).not.toContain('poolWait.database');
  });
});

describe('poolWait at its thresholds', () => {
  interface Second {
    readonly used: number;
    readonly idle?: number | null;
    readonly inFlight?: number;
    readonly p50?: number | null;
    readonly failed?: number;
  }
  /** Three of three connections are in use for four seconds with 20 % more requests in flight, after two seconds with fewer. */
  const calm: Second = { used: 2, inFlight: 3, p50: 20 };
  const full: Second = { used: 5, inFlight: 6, p50: 30 };
  const repeatSecond = (count: number, one: Second): Second[] => Array.from({ length: count }, () => one);
  const SIX = [calm, calm, full, full, full, full];
  function of(seconds: readonly Second[], changes: Partial<MeasuredRun> = {}, limit = 100, servers?: number) {
    const at = <One>(second: number, pick: (one: Second) => One): One => pick(seconds[second] ?? calm);
    const monitor = postgresThatReads(
      seconds.length,
      { active: () => 1, idleInTransaction: (second) => at(second, ({ used }) => used), idle: () => 2 },
      limit,
    );
    const idle = seconds.map((one) => (one.idle === undefined ? 2 : one.idle));
    const windows = seconds.map(({ inFlight = 6, p50 = 30, failed = 0 }, second) =>
      point(second, { inFlight, p50, failed, ok: 100 - failed }),
    );
    const given = facts(healthyStep(), {
      windows,
      monitors: [{ ...monitor, values: { ...monitor.values, 'postgres.idle': idle } }],
      ...changes,
    });
    return findingsBy('poolWait', servers === undefined ? given : { ...given, plan: planWith({ servers: { expected: servers } }) })[0];
  }

  it('reports its figures', () => {
    const finding = of(SIX);
    expect(finding).toMatchObject({ level: 'warning', confidence: 'likely', range: { fromSecond: 2, toSecond: 6 } });
    expect(finding?.sentence).toContain('at most 5 connections of PostgreSQL were in use, with up to 6 requests in flight');
    expect(finding?.evidence).toEqual([expect.stringContaining('In 4 seconds, exactly 5 were active'), expect.anything()]);
    expect(finding?.figures?.map(({ what, value }) => `${what}: ${value}`)).toEqual([
      'Max connections in use: 5',
      'Pool: 5',
      'Max requests in flight then: 6',
      'Median then: 30 ms',
      'Median with no more requests than connections: 20 ms',
      'Failed then: 0 %',
    ]);
  });

  it.each<[string, readonly Second[], boolean]>([
    ['three seconds', SIX.slice(0, 5), false],
    ['fewer requests', SIX.map((one) => ({ ...one, inFlight: 5.9 })), false],
    ['three connections', repeatSecond(4, { used: 3 }), true],
    ['two connections', repeatSecond(4, { used: 2 }), false],
    ['7 of 10 seconds', [...repeatSecond(7, full), ...repeatSecond(3, { ...full, used: 4 })], true],
    ['7 of 11 seconds', [...repeatSecond(7, full), ...repeatSecond(4, { ...full, used: 4 })], false],
    ['one idle connection', SIX.map((one, at) => ({ ...one, idle: at === 0 ? 2 : 3 })), true],
    ['two idle connections', SIX.map((one, at) => ({ ...one, idle: at === 0 ? 2 : 4 })), false],
    ['some unknown seconds', [...SIX, { ...full, used: 99, idle: null }], true],
  ])('decides by the figures whether it reports a finding: %s', (_name, seconds, isReported) => {
    expect(of(seconds) !== undefined).toBe(isReported);
  });

  it('requires that the database allows more connections', () => {
    // Five connections are in use, two belong to other programs, and one is the monitor's own.
    expect(of(SIX, {}, 9)).toBeDefined();
    expect(of(SIX, {}, 8)).toBeUndefined();
  });

  it('divides the connections by the number of servers if possible', () => {
    expect(of(SIX, {}, 100, 5)?.figures?.[1]?.value).toBe('1 for each of 5 servers');
    expect(of(SIX, {}, 100, 2)?.figures?.[1]?.value).toBe('5');
  });

  it('is a remark below 1.5 times the response time without failures', () => {
    const slower = (p50: number, failed = 0) => SIX.map((one) => (one === full ? { ...full, p50, failed } : one));
    expect(of(slower(29))).toMatchObject({ level: 'info', confidence: 'possible' });
    expect(of(slower(29, 1))).toMatchObject({ level: 'warning', confidence: 'possible' });
    expect(of([{ ...calm, p50: null }, ...SIX.slice(1)])?.figures?.[4]?.value).toBe('20 ms');
  });

  it('recognizes a default wait of pools after which requests fail', () => {
    const latency = { ...healthyStep().latency, service: { ...CALM, max: 30_000 } };
    const failing = SIX.map((one) => ({ ...one, failed: 1 }));
    expect(of(failing, { latency })?.evidence[2]).toMatch(/^The longest response took 30 s, about the wait/);
    expect(of(SIX, { latency })?.evidence).toHaveLength(2);
    expect(of(failing)?.evidence).toHaveLength(2);
    expect(of(failing, { latency: { ...latency, service: { ...CALM, max: 'never' } } })?.evidence).toHaveLength(2);
  });
});
