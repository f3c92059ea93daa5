import { describe, expect, it } from 'vitest';
import { type Histogram, createHistogram, record } from '#core/statistics/histogram.ts';
import { ALL_PAGES, listAllPages, findPageCell, pageStep, stepOfSlot, visitStep, watchPageBehind } from './pageCell.ts';
import type { Cell } from './window.ts';
import { emptyCell } from './windowFold.ts';

function times(...microseconds: readonly number[]): Histogram {
  const histogram = createHistogram();
  for (const time of microseconds) record(histogram, time);
  return histogram;
}
const cell = (stage: number, step: number, changes: Partial<Cell>): Cell => ({ ...emptyCell(stage, step), ...changes });

describe('findPageCell and listAllPages', () => {
  it('use separate step numbers for whole pages', () => {
    expect([0, 1, 141].map((step) => stepOfSlot(pageStep(step)))).toEqual([0, 1, 141]);
    expect([stepOfSlot(0), stepOfSlot(ALL_PAGES)]).toEqual([null, null]);
    expect(stepOfSlot(ALL_PAGES + 1)).toBe(0);
  });

  it('use separate step numbers for visits of watched pages', () => {
    expect([0, 1, 7].map((page) => watchPageBehind(visitStep(page)))).toEqual([0, 1, 7]);
    expect([0, 141, pageStep(141)].map(watchPageBehind)).toEqual([null, null, null]);
  });

  it('count complete pages as ok and incomplete ones as timeout', () => {
    const pages = findPageCell(
      cell(2, 3, {
        started: 500,
        notStartedTarget: 4,
        notStartedGenerator: 5,
        times: { page: times(1_000, 2_000), pageFailed: times(9_000) },
      }),
    );
    expect(pages).toMatchObject({
      stage: 2,
      step: pageStep(3),
      started: 3,
      outcomes: { ok: 2, timeout: 1 },
      notStartedTarget: 4,
      notStartedGenerator: 5,
    });
    expect(pages?.times.responseOk?.totalCount).toBe(2);
  });

  it('handle a cell whose pages all failed, and return null if responses are not pages', () => {
    const failed = findPageCell(cell(0, 0, { times: { pageFailed: times(9_000) } }));
    expect(failed).toMatchObject({ started: 1, outcomes: { ok: 0, timeout: 1 } });
    expect(failed?.times.responseOk?.totalCount).toBe(0);
    expect(findPageCell(cell(0, 0, { times: { page: times(1_000) } }))).toMatchObject({ started: 1, outcomes: { ok: 1, timeout: 0 } });
    expect(findPageCell(cell(0, 0, { times: { serviceOk: times(1_000) } }))).toBeNull();
  });

  it('add up over the steps of each stage', () => {
    const page = (stage: number, step: number, count: number): Cell =>
      cell(stage, step, { times: { page: times(...Array.from({ length: count }, () => 1_000)) } });
    const all = listAllPages([page(0, 0, 2), page(0, 4, 3), page(1, 0, 7), cell(1, 1, { times: { serviceOk: times(1_000) } })]);
    expect(all.map(({ stage, step, outcomes, times: kinds }) => [stage, step, outcomes.ok, kinds.responseOk?.totalCount])).toEqual([
      [0, ALL_PAGES, 5, 5],
      [1, ALL_PAGES, 7, 7],
    ]);
    expect(listAllPages([cell(0, 0, {})])).toEqual([]);
  });
});
