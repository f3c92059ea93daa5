import { describe, expect, it } from 'vitest';
import type { Cycle } from '#core/judgement/capacity/levels.ts';
import { passageLines } from '../text/textTable.ts';
import { capacityBlocks } from './capacity.ts';
import type { Passage } from './model.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

describe('capacityBlocks', () => {
  const cycle = (name: string, at: number, changes: Partial<Cycle> = {}): Cycle => ({
    name,
    at,
    counted: 'requests',
    total: 1_000,
    good: 990,
    failed: 10,
    perSecond: 16.5,
    times: { min: 5, mean: 20, p50: 18, p90: 30, p95: 40, max: 90 },
    apdex: 0.9,
    requestApdex: null,
    hasFailed: false,
    ...changes,
  });
  const level = (name: string, at: number, perSecond: number, more = {}) => ({
    name,
    at,
    perSecond: [perSecond],
    failedShare: 0,
    isDoubted: false,
    ...more,
  });

  it('shows cycles and levels in tables', () => {
    const levels = [level('low', 1, 10), level('mid', 10, 80, { isDoubted: true }), level('high', 100, 90, { failedShare: 0.5 })];
    const refused = { kind: 'refused', why: 'tooFew', numbers: { measured: 3, idle: 0, failed: 1, doubted: 1 }, worst: null } as never;
    const residuals = [
      { name: 'low', at: 1, measured: 10, curve: 9.5, deviation: 0.0526 },
      { name: 'mid', at: 10, measured: 80, curve: 82, deviation: -0.0244 },
    ];
    const limit = { kind: 'limit', limit: { slope: 9.5, most: 90, low: 88, high: 92, fullAt: 9.5 }, residuals, usualOff: 0.02 } as never;
    const capacity = (scaling: never, changes: object) =>
      ({
        sets: [{ set: { name: '', unit: 'users', counted: 'responses', levels, ...changes }, scaling }],
        cycles: [cycle('low', 1), cycle('high', 1_000, { perSecond: null, total: 0, failed: 0, apdex: null })],
        best: null,
        headroom: null,
      }) as never;
    const tables = (passages: readonly Passage[]): string[] => linesOf(passages.filter(({ kind }) => kind === 'table'));
    expect(tables(capacityBlocks(capacity(refused, {})))).toEqual([
      'Cycle by cycle',
      '  Cycle  Concurrency  Successful requests/s  Total  Failed   Min   Mean    p95    Max        Apdex',
      '  low              1                   16.5  1,000     1 %  5 ms  20 ms  40 ms  90 ms  0.90 (Good)',
      '  high         1,000                      –      0       –  5 ms  20 ms  40 ms  90 ms            –',
      '  Times cover completed requests only. Apdex covers whole pages only.',
      '',
      'Levels',
      '  Level  Users  Measured/s              Deviation',
      '  low        1          10                      –',
      '  mid       10          80               doubtful',
      '  high     100          90  excluded: 50 % failed',
    ]);
    expect(tables(capacityBlocks(capacity(limit, { name: 'node', unit: 'connections' }))).slice(6)).toEqual([
      'Levels and fitted curve: node',
      '  Level  Connections  Measured/s  Curve              Deviation',
      '  low              1          10    9.5                 +5.3 %',
      '  mid             10          80     82                 −2.4 %',
      '  high           100          90      –  excluded: 50 % failed',
    ]);
  });
});
