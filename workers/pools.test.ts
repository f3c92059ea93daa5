import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listPools, type Division, type Pool } from './drivers/connectionLoads.ts';

const divisions = fc.record({
  connections: fc.integer({ min: 1, max: 200 }),
  requests: fc.integer({ min: 1, max: 10_000 }),
  steps: fc.integer({ min: 1, max: 7 }),
  targets: fc.integer({ min: 1, max: 9 }),
});

function allPools(division: Omit<Division, 'thread' | 'threads'>, threads: number): Pool[] {
  return Array.from({ length: threads }, (_, thread) => listPools({ ...division, thread, threads })).flat();
}

function sum(pools: readonly Pool[], count: (pool: Pool) => number): number {
  return pools.reduce((total, pool) => total + count(pool), 0);
}

describe('listPools', () => {
  it('assigns exactly the planned requests, for any number of threads and targets', () => {
    fc.assert(
      fc.property(divisions, fc.integer({ min: 1, max: 16 }), (division, wanted) => {
        const threads = Math.min(wanted, division.connections);
        const pools = allPools(division, threads);
        expect(sum(pools, (pool) => (pool.journeys ?? 0) * division.steps - pool.cutRequests)).toBe(division.requests);
        expect(sum(pools, (pool) => pool.journeys ?? 0)).toBe(Math.ceil(division.requests / division.steps));
        for (const pool of pools) expect(pool.cutRequests).toBeLessThan(division.steps);
      }),
    );
  });

  it('opens all connections, but no more than there are journeys', () => {
    fc.assert(
      fc.property(divisions, (division) => {
        const journeys = Math.ceil(division.requests / division.steps);
        for (const pool of allPools(division, 1)) expect(pool.connections).toBeLessThanOrEqual(pool.journeys ?? 0);
        expect(sum(allPools(division, 1), (pool) => pool.connections)).toBe(Math.min(division.connections, journeys));
      }),
    );
  });

  it('assigns connection i to target i mod T on every thread', () => {
    fc.assert(
      fc.property(divisions, fc.integer({ min: 1, max: 16 }), (division, wanted) => {
        const threads = Math.min(wanted, division.connections);
        const byTarget = (pools: Pool[]): number[] =>
          Array.from({ length: division.targets }, (_, target) =>
            sum(
              pools.filter((pool) => pool.target === target),
              (pool) => pool.journeys ?? 0,
            ),
          );
        expect(byTarget(allPools(division, threads))).toEqual(byTarget(allPools(division, 1)));
      }),
    );
  });

  it('sets no number of journeys for a stage of fixed duration', () => {
    expect(listPools({ connections: 5, requests: null, steps: 2, targets: 2, thread: 0, threads: 1 })).toEqual([
      { target: 0, connections: 3, firstConnection: 0, journeys: null, cutRequests: 0 },
      { target: 1, connections: 2, firstConnection: 1, journeys: null, cutRequests: 0 },
    ]);
  });
});
