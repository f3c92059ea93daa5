import { describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { planWith } from '#core/testing/plans.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep, point, postgresThatReads } from '../testing/facts.ts';
import { idsOf, numberOf, saidBy } from '../testing/found.ts';

const SECONDS = 40;
const POOL = 12;
const all = Array.from({ length: SECONDS }, (_unused, second) => second);
/** Half of the pool at first, then three times as many as it has. */
const asked = (second: number): number => (second < SECONDS / 2 ? POOL / 2 : 3 * POOL);

interface Database {
  /** Connections in use when so many requests are on their way. */
  readonly used?: (inFlight: number, second: number) => number;
  /** Connections of the program that nobody uses then. */
  readonly idle?: (used: number) => number;
  readonly limit?: number;
}

function postgres({ used = (inFlight) => Math.min(POOL, inFlight), idle = (busy) => POOL - busy, limit = 100 }: Database): MonitorResult {
  const busy = (second: number): number => used(asked(second), second);
  const active = (second: number): number => Math.floor(busy(second) / 3);
  const read = {
    connections: (second: number) => 1 + 2 + busy(second) + idle(busy(second)),
    active: (second: number) => 1 + active(second),
    // Two are somebody else's.
    idle: (second: number) => 2 + idle(busy(second)),
    idleInTransaction: (second: number) => busy(second) - active(second),
    locked: () => 0,
    longest: () => 300,
  };
  return { ...postgresThatReads(SECONDS, read, limit), name: 'database' };
}

/** A server that takes 200 ms for each, three at a time for each connection of its pool. */
function run(database: Database, p50 = (inFlight: number): number => 200 * Math.max(1, inFlight / POOL)): MeasuredRun {
  const windows = all.map((second) => point(second, { inFlight: asked(second), p50: p50(asked(second)) }));
  const plan = planWith({ servers: { header: 'X-Server', pool: 'tomcatJdbc' } });
  return facts(healthyStep(), { plan, windows, durationSeconds: SECONDS, monitors: [postgres(database)] });
}

describe('requests that wait for a connection of the pool', () => {
  it('are told with the size of the pool, how many asked, what it cost, and the setting', () => {
    const [found] = saidBy('poolWait.database', run({}));
    expect(found).toMatchObject({ level: 'warning', confidence: 'likely', range: { fromSecond: 20, toSecond: 40 } });
    expect(found?.sentence).toBe(
      'Requests waited for a pool connection: at most 12 connections of database were in use, with up to 36 requests in flight.',
    );
    expect(numberOf(found, 'Pool')).toBe(12);
    expect(numberOf(found, 'Median then')).toBe(600);
    expect(numberOf(found, 'Median with no more requests than connections')).toBe(200);
    expect(found?.remedy).toContain('Tomcat JDBC pool sets its size by maxActive (default 100)');
  });

  it('are only remarked on where nobody was slower for it', () => {
    expect(
      saidBy(
        'poolWait.database',
        run({}, () => 200),
      ),
    ).toMatchObject([{ level: 'info', confidence: 'possible' }]);
  });

  it('are none where as many are in use as ask, where some are left over, and where the database itself has no more', () => {
    expect(idsOf(run({ used: (inFlight) => inFlight }))).not.toContain('poolWait.database');
    expect(idsOf(run({ used: (_inFlight, second) => 8 + (second % 5) }))).not.toContain('poolWait.database');
    expect(idsOf(run({ idle: () => 10 + 1 }))).toContain('poolWait.database');
    expect(idsOf(run({ idle: (used) => (used === POOL ? 8 : 0) }))).not.toContain('poolWait.database');
    expect(idsOf(run({ limit: 15 }))).not.toContain('poolWait.database');
  });
});
