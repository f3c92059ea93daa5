import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consecutiveWindows, windowAt } from '#core/testing/arbitraries.ts';
import { comparable } from '#core/testing/comparable.ts';
import { windowWith } from '#core/testing/windows.ts';
import { Totals } from '#core/result/totals.ts';
import type { Window } from './window.ts';
import { zeroCounters, STREAM_COUNTERS } from './counters.ts';
import {
  findOrAddCell,
  copyWindow,
  emptyCell,
  emptyWindow,
  foldWindows,
  mergeCell,
  mergeServers,
  mergeSideCalls,
  mergeWindow,
} from './windowFold.ts';

/** Number of runs of expensive properties: fewer than usual, because each example builds dozens of histograms. */
const FEW = { numRuns: 30 };
const sameSecond = windowAt(fc.constant(7));

function merged(...windows: Window[]): unknown {
  const sum = emptyWindow(7, 1);
  for (const window of windows) mergeWindow(sum, window);
  return comparable(sum);
}

describe('mergeWindow', () => {
  it('gives the same result in any order and grouping of threads', () => {
    fc.assert(
      fc.property(sameSecond, sameSecond, sameSecond, (a, b, c) => {
        const inner = copyWindow(b);
        mergeWindow(inner, c);
        expect(merged(a, inner)).toEqual(merged(a, b, c));
        expect(merged(c, a, b)).toEqual(merged(a, b, c));
      }),
      FEW,
    );
  });

  it('rejects a window of other seconds', () => {
    expect(() => mergeWindow(emptyWindow(1, 1), emptyWindow(2, 1))).toThrow(RangeError);
  });
});

describe('foldWindows', () => {
  it('gives the same result in two steps as in one, in any order of windows', () => {
    fc.assert(
      fc.property(consecutiveWindows, fc.nat(), (windows, turn) => {
        const at = windows.length === 0 ? 0 : turn % windows.length;
        const turned = [...windows.slice(at), ...windows.slice(0, at)];
        const once = foldWindows(windows, 20).map(comparable);
        expect(foldWindows(foldWindows(windows, 5), 20).map(comparable)).toEqual(once);
        expect(foldWindows(turned, 20).map(comparable)).toEqual(once);
      }),
      FEW,
    );
  });

  it('keeps the sums over all windows', () => {
    fc.assert(
      fc.property(consecutiveWindows, (windows) => {
        expect(sums(foldWindows(windows, 10))).toEqual(sums(windows));
      }),
      FEW,
    );
  });

  it('does not change the given windows', () => {
    fc.assert(
      fc.property(consecutiveWindows, (windows) => {
        const before = windows.map(comparable);
        foldWindows(windows, 10);
        expect(windows.map(comparable)).toEqual(before);
      }),
      FEW,
    );
  });

  it('does not fold across a change of overload, a gap or a multiple of the width', () => {
    const windows = [0, 1, 2, 3, 6, 9, 10].map((second) => windowWith({ second, overloadedBy: second === 2 ? ['steal'] : [] }));
    expect(foldWindows(windows, 10).map(({ second, width, overloadedBy }) => [second, width, overloadedBy.join(' ')])).toEqual([
      [0, 2, ''],
      [2, 1, 'steal'],
      [3, 1, ''],
      [6, 1, ''],
      [9, 1, ''],
      [10, 1, ''],
    ]);
  });

  it('takes the number in flight from the last folded window', () => {
    const windows = [4, 9, 2].map((inFlight, second) => windowWith({ second, inFlight }));
    expect(foldWindows(windows, 10).map(({ inFlight }) => inFlight)).toEqual([2]);
  });
});

function sums(windows: readonly Window[]): unknown {
  const totals = new Totals();
  for (const window of windows) totals.add(window);
  const whole = emptyWindow(0, 1);
  whole.cells = [...totals.cells];
  return comparable(whole);
}

describe('mergeWindow and foldWindows', () => {
  /** Returns a window with every kind of count, multiplied by `times`. */
  function busy(second: number, times: number): Window {
    const window = emptyWindow(second, 1);
    const cell = findOrAddCell(window, 0, 1);
    cell.started = 5 * times;
    cell.requestsResent = times;
    cell.outcomes = { ok: 3 * times, timeout: times };
    cell.statuses.set(200, 3 * times);
    cell.errors = { 'ETIMEDOUT@connect': times };
    cell.servers = { one: { responded: 2 * times, failed: times, withoutResponse: times, serviceUs: 10 * times } };
    cell.early = [{ startUs: second, responseUs: 1, ok: true }];
    window.loaded = [{ stage: 0, step: 1, responded: 3 * times, ok: 2 * times, bytesReceived: 100 * times, pages: 0 }];
    window.journeys.started = 4 * times;
    window.inFlight = times;
    window.side = { cells: [{ step: 2, started: times, outcomes: { ok: times }, errors: { 'EOF@body': times } }], inFlight: times };
    window.overloadedBy = times > 1 ? ['threadCpu'] : [];
    return window;
  }

  it('add up counts over threads and over seconds', () => {
    const sum = {
      cells: [
        {
          started: 15,
          requestsResent: 3,
          outcomes: { ok: 9, timeout: 3 },
          statuses: new Map([[200, 9]]),
          errors: { 'ETIMEDOUT@connect': 3 },
          servers: { one: { responded: 6, failed: 3, withoutResponse: 3, serviceUs: 30 } },
        },
      ],
      loaded: [{ stage: 0, step: 1, responded: 9, ok: 6, bytesReceived: 300, pages: 0 }],
      journeys: { started: 12 },
      side: { cells: [{ step: 2, started: 3, outcomes: { ok: 3 }, errors: { 'EOF@body': 3 } }] },
    };
    const threads = busy(7, 1);
    mergeWindow(threads, busy(7, 2));
    expect(threads).toMatchObject({ ...sum, inFlight: 3, side: { ...sum.side, inFlight: 3 }, overloadedBy: ['threadCpu'] });
    expect(threads.cells[0]?.early.map(({ startUs }) => startUs)).toEqual([7, 7]);

    const well = (second: number, times: number): Window => ({ ...busy(second, times), overloadedBy: [] });
    const [folded, ...others] = foldWindows([well(11, 2), well(10, 1)], 10);
    expect(others).toEqual([]);
    // The number in flight is taken from the later window.
    expect(folded).toMatchObject({ ...sum, second: 10, width: 2, inFlight: 2, side: { ...sum.side, inFlight: 2 } });
    expect(folded?.cells[0]?.early.map(({ startUs }) => startUs)).toEqual([10, 11]);
  });

  it('merge windows of the same second and width before they are folded', () => {
    const folded = foldWindows([busy(3, 1), busy(3, 1), { ...busy(3, 1), width: 2 }], 1);
    expect(folded.map(({ width, inFlight }) => [width, inFlight])).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  it('fold windows up to the given width, and never across a multiple of it', () => {
    const seconds = (windows: readonly Window[]): number[][] => windows.map(({ second, width }) => [second, width]);
    const all = Array.from({ length: 6 }, (_, second) => emptyWindow(second, 1));
    expect(seconds(foldWindows(all, 3))).toEqual([
      [0, 3],
      [3, 3],
    ]);
    expect(seconds(foldWindows([emptyWindow(0, 1), emptyWindow(1, 3)], 3))).toEqual([
      [0, 1],
      [1, 3],
    ]);
    expect(seconds(foldWindows([emptyWindow(0, 1), emptyWindow(2, 1)], 10))).toHaveLength(2);
  });

  it('add counts of streams and caches if only one window has them', () => {
    const cache = { fromCache: 3, fromServer: 1, fromCacheUs: 30, fromServerUs: 900 };
    const streams = { ...zeroCounters(STREAM_COUNTERS), opened: 2, missed: -1 };
    const [none, one] = [emptyCell(0, 0), { ...emptyCell(0, 0), cache, streams }];
    mergeCell(none, one);
    expect([none.cache, none.streams]).toEqual([cache, streams]);
    mergeCell(none, one);
    expect([none.cache?.fromServerUs, none.streams?.opened, none.streams?.missed]).toEqual([1_800, 4, -2]);
    expect([cache.fromServerUs, streams.opened], 'the other is left as it is').toEqual([900, 2]);
    const plain = emptyCell(0, 0);
    mergeCell(plain, emptyCell(0, 0));
    expect([plain.cache, plain.streams]).toEqual([undefined, undefined]);
  });

  it('take the side calls in flight from the later window, even if it has none', () => {
    const later = emptyWindow(1, 1);
    const [folded] = foldWindows([{ ...busy(0, 1), overloadedBy: [] }, later], 10);
    expect(folded?.side).toMatchObject({ inFlight: 0, cells: [{ step: 2, started: 1 }] });
    expect(copyWindow(busy(0, 2)).side).toEqual(busy(0, 2).side);
    expect(copyWindow(emptyWindow(0, 1))).toEqual(emptyWindow(0, 1));
    const into = [{ step: 2, started: 1, outcomes: {}, errors: {} }];
    mergeSideCalls(into, [
      { step: 2, started: 4, outcomes: { ok: 4 }, errors: {} },
      { step: 3, started: 1, outcomes: {}, errors: { 'EOF@body': 1 } },
    ]);
    expect(into).toEqual([
      { step: 2, started: 5, outcomes: { ok: 4 }, errors: {} },
      { step: 3, started: 1, outcomes: {}, errors: { 'EOF@body': 1 } },
    ]);
  });

  it('do not fold across a cut', () => {
    const all = Array.from({ length: 6 }, (_, second) => emptyWindow(second, 1));
    expect(foldWindows(all, 10, new Set([4])).map(({ second, width }) => [second, width])).toEqual([
      [0, 4],
      [4, 2],
    ]);
  });

  it('keep the servers with the most requests, with or without responses', () => {
    const servers = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `s${at}`,
        { responded: at % 2 === 0 ? at : 0, failed: 0, withoutResponse: at % 2 === 0 ? 0 : at, serviceUs: 0 },
      ]),
    );
    const into = {};
    mergeServers(into, servers);
    expect(into).toHaveProperty('s299');
    expect(into).toHaveProperty('s298');
    expect(into).not.toHaveProperty('s1');
  });

  it('start with empty lists', () => {
    expect(emptyWindow(0, 1)).toMatchObject({ cells: [], loaded: [], overloadedBy: [] });
    expect(emptyCell(0, 0).early).toEqual([]);
  });
});
