import { describe, expect, it } from 'vitest';
import { isStandstill, probableWait, type RunFreeze, describeUsedUpPool } from './freeze.ts';

const frozen = (changes: Partial<RunFreeze> = {}): RunFreeze => ({
  seconds: 30,
  fromSecond: 4,
  inFlight: 9,
  kind: null,
  pool: null,
  ...changes,
});
const pool = (stood: number, changes: Partial<NonNullable<RunFreeze['pool']>> = {}) => ({
  monitor: 'PostgreSQL',
  stood,
  each: stood,
  servers: 1,
  kept: null,
  ...changes,
});

describe('isStandstill', () => {
  it('returns true if twenty responses would have arrived at a passed level', () => {
    const at = (okPerSecond: number | null) => isStandstill(frozen({ seconds: 5 }), { okPerSecond, p95Ms: 100 });
    expect([at(3.9), at(4), at(null)]).toEqual([false, true, false]);
  });

  it('returns true from three times the p95 on', () => {
    const at = (p95Ms: number | null) => isStandstill(frozen({ seconds: 6 }), { okPerSecond: 50, p95Ms });
    expect([at(2_000), at(2_001), at(null)]).toEqual([true, false, false]);
  });
});

describe('describeUsedUpPool', () => {
  it('returns null without a monitor', () => {
    expect(describeUsedUpPool([])).toBeNull();
    expect(describeUsedUpPool([frozen()])).toBeNull();
  });

  it('names the size of the exhausted pool and the evidence', () => {
    const found = describeUsedUpPool([frozen(), frozen({ pool: pool(15, { kept: 5 }) })]);
    expect(found?.short).toBe(', where the pool of database connections, 15 (5 + 10), is exhausted');
    expect(found?.showed).toMatch(
      /^while 15 connections of PostgreSQL were idle in a transaction\. That is its whole pool, 15 \(5 \+ 10\): /,
    );
  });

  it('estimates the pool of several servers as a share of the maximum, unless a single server froze', () => {
    const two = { servers: 2 };
    const both = [frozen({ pool: pool(30, { ...two, each: 15 }) }), frozen({ pool: pool(20, { ...two, each: 10 }) })];
    expect(describeUsedUpPool(both)?.short).toContain('15 for each of 2 servers');
    const alone = [...both, frozen({ pool: pool(12, two) })];
    expect(describeUsedUpPool(alone)?.short).toContain('12 for each of 2 servers');
    expect(describeUsedUpPool(alone)?.showed).toContain('while 12 connections');
    // The smallest held number with the same pool size decides: either one server froze, or both did.
    const mixed = [frozen({ pool: pool(30, { ...two, each: 15, kept: 5 }) }), frozen({ pool: pool(15, two) })];
    expect(describeUsedUpPool(mixed)?.showed).toMatch(/^while 15 connections .* 15 \(5 \+ 10\) for each of 2 servers/);
  });
});

it('probableWait: names a default wait and the settings of the pool', () => {
  expect(probableWait({ seconds: 30, kind: null })).toContain('database pool. 30 s is about the wait that pools allow. Its size and');
  expect(probableWait({ seconds: 17, kind: null }, ', here of at most 9')).toMatch(
    / of its database pool, here of at most 9\. Its size and/,
  );
  expect(probableWait({ seconds: 17, kind: 'sqlalchemy' })).toContain('SQLAlchemy sets its size by pool_size');
});
