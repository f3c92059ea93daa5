import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consecutiveWindows, windowAt } from '#core/testing/arbitraries.ts';
import { comparable } from '#core/testing/comparable.ts';
import { windowWith } from '#core/testing/windows.ts';
import { Totals } from '#core/result/totals.ts';
import type { Window } from './window.ts';
import { copyWindow, emptyWindow, foldWindows, mergeWindow } from './windowFold.ts';

/** Each example builds dozens of histograms. */
const FEW = { numRuns: 30 };
const sameSecond = windowAt(fc.constant(7));

function merged(...windows: Window[]): unknown {
  const sum = emptyWindow(7, 1);
  for (const window of windows) mergeWindow(sum, window);
  return comparable(sum);
}

describe('mergeWindow', () => {
  it('does not depend on the order or grouping of threads', () => {
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

  it('refuses a window of other seconds', () => {
    expect(() => mergeWindow(emptyWindow(1, 1), emptyWindow(2, 1))).toThrow(RangeError);
  });
});

describe('foldWindows', () => {
  it('gives the same by way of 10 s as at once, whatever order the windows come in', () => {
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

  it('loses nothing: the sums over all windows stay', () => {
    fc.assert(
      fc.property(consecutiveWindows, (windows) => {
        expect(sums(foldWindows(windows, 10))).toEqual(sums(windows));
      }),
      FEW,
    );
  });

  it('leaves the given windows as they were', () => {
    fc.assert(
      fc.property(consecutiveWindows, (windows) => {
        const before = windows.map(comparable);
        foldWindows(windows, 10);
        expect(windows.map(comparable)).toEqual(before);
      }),
      FEW,
    );
  });

  it('does not fold across a change of health, a gap or a multiple of the width', () => {
    const windows = [0, 1, 2, 3, 6, 9, 10].map((second) => windowWith({ second, sick: second === 2 ? ['steal'] : [] }));
    expect(foldWindows(windows, 10).map(({ second, width, sick }) => [second, width, sick.join(' ')])).toEqual([
      [0, 2, ''],
      [2, 1, 'steal'],
      [3, 1, ''],
      [6, 1, ''],
      [9, 1, ''],
      [10, 1, ''],
    ]);
  });

  it('takes what is in flight from the last of the folded windows', () => {
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
