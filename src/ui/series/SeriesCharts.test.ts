import { describe, expect, it } from 'vitest';
import { cellRun, figuresWith } from '#core/series/testing/series.ts';
import { findTypicalRun } from './SeriesCharts.tsx';

describe('findTypicalRun', () => {
  const rate = (repeat: number, completedPerSecond: number, changes: Parameters<typeof cellRun>[2] = {}) =>
    cellRun('a', repeat, { figures: figuresWith({ completedPerSecond }), ...changes });

  it('returns the complete run nearest to the median, or an aborted run if there is no other', () => {
    const cutOff = rate(3, 50, { state: 'aborted' });
    const throughput = { median: 50, least: 10, most: 60 };
    expect(findTypicalRun({ runs: [rate(1, 10), rate(2, 60), cutOff], throughput })?.repeat).toBe(2);
    expect(findTypicalRun({ runs: [cutOff], throughput: null })?.repeat).toBe(3);
    expect(findTypicalRun({ runs: [rate(1, 1, { runId: null, state: 'refused' })], throughput: null })).toBeNull();
  });
});
