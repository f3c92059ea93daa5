import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from './buildSeriesResult.ts';
import { saidDifferences } from './differences.ts';
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

/** Five runs of each cell: `a` always as fast, `b` by these rates of its own, of one level after the other. */
function said(ofB: readonly (readonly number[])[]): string[] {
  const a = [100, 101, 102, 103, 104];
  const runs = connections.flatMap((level, index) =>
    a.flatMap((rate, repeat) => [
      cellRun(`a · ${level} connections`, repeat + 1, { figures: figuresWith({ okPerSecond: rate, p95: 20 + repeat }) }),
      cellRun(`b · ${level} connections`, repeat + 1, {
        figures: figuresWith({ okPerSecond: ofB[index]?.[repeat] ?? rate, p95: 20 + repeat }),
      }),
    ]),
  );
  const document = documentWith({ levels: { connections }, variants: [{ name: 'a' }, { name: 'b' }], repeats: 5 });
  return saidDifferences(buildSeriesResult(head, document, runs)).map(({ text }) => text);
}

describe('what is said of differences', () => {
  it('is said once for all levels at which it is the same', () => {
    expect(said([])).toEqual([
      '“b” at 10, 20 and 50 connections: successful responses a second 1 × those of “a”; within normal run-to-run variation.',
      '“b” at 10, 20 and 50 connections: p95 1 × that of “a”; within normal run-to-run variation.',
    ]);
  });

  it('tells better from worse, and both from chance', () => {
    const [half, third] = [
      [50, 51, 52, 53, 54],
      [34, 35, 36, 37, 38],
    ];
    expect(said([half, third, [200, 201, 202, 203, 204]]).slice(0, 3)).toEqual([
      '“b” at 10 and 20 connections: successful responses a second 0.353 to 0.51 × those of “a”; beyond normal run-to-run variation.',
      '“b” at 10, 20 and 50 connections: p95 1 × that of “a”; within normal run-to-run variation.',
      '“b” at 50 connections: successful responses a second 1.98 × those of “a”; beyond normal run-to-run variation.',
    ]);
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
