import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from './buildSeriesResult.ts';
import { listStatedDifferences } from './differences.ts';
import { levelsName } from './levels.ts';
import type { SeriesHead } from './result.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const head: SeriesHead = {
  id: 's',
  name: 'two machines',
  startedAt: '2026-03-12T14:00:00.000Z',
  endedAt: '2026-03-12T15:00:00.000Z',
  state: 'finished',
  endedBecause: null,
};
const connections = [10, 20, 50];

/**
 * Returns the stated differences for five runs of each cell: `a` always has the same rates, and `b` has rates of its own for each level.
 */
function stated(ofB: readonly (readonly number[])[], a: readonly number[] = [100, 101, 102, 103, 104]): string[] {
  const runs = connections.flatMap((level, index) =>
    a.flatMap((rate, repeat) => [
      cellRun(`a · ${level} connections`, repeat + 1, { figures: figuresWith({ okPerSecond: rate, p95: 20 + repeat }) }),
      cellRun(`b · ${level} connections`, repeat + 1, {
        figures: figuresWith({ okPerSecond: ofB[index]?.[repeat] ?? rate, p95: 20 + repeat }),
      }),
    ]),
  );
  const document = documentWith({ levels: { connections }, variants: [{ name: 'a' }, { name: 'b' }], repeats: 5 });
  return listStatedDifferences(buildSeriesResult(head, document, runs)).map(({ text }) => text);
}

describe('listStatedDifferences', () => {
  it('merges levels with the same result', () => {
    expect(stated([])).toEqual([
      'At 10, 20 and 50 connections, “b” and “a” do not differ in successful responses a second beyond run-to-run noise.',
      'At 10, 20 and 50 connections, “b” and “a” do not differ in p95 beyond run-to-run noise.',
    ]);
  });

  it('distinguishes better, worse and chance', () => {
    const [half, third] = [
      [50, 51, 52, 53, 54],
      [34, 35, 36, 37, 38],
    ];
    expect(stated([half, third, [200, 201, 202, 203, 204]]).slice(0, 3)).toEqual([
      'At 10 and 20 connections, “b” has 49 % to 65 % fewer successful responses a second than “a”, more than run-to-run noise.',
      'At 10, 20 and 50 connections, “b” and “a” do not differ in p95 beyond run-to-run noise.',
      'At 50 connections, “b” has 1.98 times as many successful responses a second as “a” (202 vs 102), more than run-to-run noise.',
    ]);
  });

  it('states that one variant has no value where the other has one', () => {
    const ofB = [0, 0, 0, 0, 0];
    expect(stated([ofB, ofB, ofB])[0]).toBe(
      'At 10, 20 and 50 connections, “b” has no successful responses, “a” has some, more than run-to-run noise.',
    );
    expect(stated([ofB, ofB, ofB], [0, 0, 0, 0, 0])[0]).toBe(
      'At 10, 20 and 50 connections, “b” and “a” do not differ in successful responses a second beyond run-to-run noise.',
    );
    expect(
      stated(
        [
          [50, 51, 52, 53, 54],
          [50, 51, 52, 53, 54],
          [50, 51, 52, 53, 54],
        ],
        ofB,
      )[0],
    ).toBe('At 10, 20 and 50 connections, “b” has successful responses, “a” has none, more than run-to-run noise.');
  });

  it('names levels by the field in which they differ', () => {
    expect(levelsName([{ perSecond: 10 }, { perSecond: 20 }])).toBe('10/s and 20/s');
    expect(levelsName([1_000, 2_000].map((requests) => ({ connections: 10, requests })))).toBe('10 connections, 1,000 and 2,000 requests');
    expect(
      levelsName([
        { users: 1, seconds: 10 },
        { users: 2, seconds: 20 },
      ]),
    ).toBe('1 user, 10 s; 2 users, 20 s');
    expect(levelsName([{}, {}])).toBe('');
  });
});
