import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLoaded, keepEarliest, EarliestStarts, EARLY_RESPONSES, mergeLoaded, emptyLoadedCount } from './windowFold.ts';
import type { EarlyResponse } from './window.ts';

const responses = fc.array(fc.record({ startUs: fc.nat({ max: 500 }), responseUs: fc.nat({ max: 5 }), ok: fc.boolean() }), {
  maxLength: 90,
});
const inOrder = (list: readonly EarlyResponse[]): EarlyResponse[] => keepEarliest(list, []);

describe('keepEarliest and EarliestStarts', () => {
  it('give the same responses in any order of merging', () => {
    fc.assert(
      fc.property(responses, responses, responses, (a, b, c) => {
        const together = inOrder([...a, ...b, ...c]);
        expect(keepEarliest(keepEarliest(a, b), c)).toEqual(together);
        expect(keepEarliest(inOrder(c), keepEarliest(b, a))).toEqual(together);
        expect(together.length).toBeLessThanOrEqual(EARLY_RESPONSES);
      }),
    );
  });

  it('keep all of the first responses, although each thread decides alone', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 100_000 }), { maxLength: 400 }), (starts) => {
        const threads = [new EarliestStarts(), new EarliestStarts(), new EarliestStarts()];
        const kept = starts.filter((start, index) => threads[index % 3]?.takes(start));
        const all = (list: readonly number[]): number[] =>
          inOrder(list.map((startUs) => ({ startUs, responseUs: 1, ok: true }))).map(({ startUs }) => startUs);
        expect(all(kept)).toEqual(all(starts));
      }),
    );
  });

  it('keep no more responses than the limit', () => {
    const starts = new EarliestStarts();
    const kept = Array.from({ length: 10_000 }, (_, index) => starts.takes(index)).filter(Boolean);
    expect(kept).toHaveLength(EARLY_RESPONSES);
  });
});

describe('counts while the load of a stage is running', () => {
  const count = (stage: number, step: number, responded: number) => ({
    ...emptyLoadedCount(stage, step),
    responded,
    ok: responded,
    bytesReceived: 10,
  });

  it('add up by stage and step', () => {
    const into = [count(0, 0, 1)];
    mergeLoaded(into, [count(0, 0, 2), count(0, 1, 3), count(1, 0, 4)]);
    expect(into.map(({ stage, step, responded, bytesReceived }) => [stage, step, responded, bytesReceived])).toEqual([
      [0, 0, 3, 20],
      [0, 1, 3, 10],
      [1, 0, 4, 10],
    ]);
    const sum = emptyLoadedCount(5, 6);
    addLoaded(sum, count(0, 0, 7));
    expect(sum).toMatchObject({ stage: 5, step: 6, responded: 7, ok: 7, pages: 0 });
  });

  it('keep the earliest responses up to the limit', () => {
    const responses = Array.from({ length: EARLY_RESPONSES + 5 }, (_, at) => ({ startUs: at, responseUs: 1, ok: true }));
    expect(keepEarliest(responses.slice(10), responses.slice(0, 10))).toEqual(responses.slice(0, EARLY_RESPONSES));
  });

  it('accept a later start only below the limit, and replace the latest by an earlier one', () => {
    const starts = new EarliestStarts();
    for (let at = 0; at < EARLY_RESPONSES; at += 1) expect(starts.takes(100 + at)).toBe(true);
    expect([starts.takes(100 + EARLY_RESPONSES), starts.takes(100 + EARLY_RESPONSES - 1)]).toEqual([false, false]);
    expect(starts.takes(1)).toBe(true);
    // The latest start was dropped, so the previous one is now the latest.
    expect([starts.takes(100 + EARLY_RESPONSES - 2), starts.takes(100 + EARLY_RESPONSES - 3)]).toEqual([false, true]);
  });
});
