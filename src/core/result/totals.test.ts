import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyWindow, mergeWindow } from '#core/measurement/windowFold.ts';
import { summarize } from '#core/statistics/latency.ts';
import { consecutiveWindows } from '#core/testing/arbitraries.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import { Totals } from './totals.ts';
import type { Window } from '#core/measurement/window.ts';

const plan = planWith({ load: stages({ connections: 10, requests: 100 }) });

function sumTotals(...windows: Window[]): Totals {
  const totals = new Totals();
  for (const window of windows) totals.add(window);
  return totals;
}

const full = (): Window => windowWith({ ok: [{ count: 90, ms: 20 }], failed: { timeout: 4, refused: 3 }, withoutResponse: 3 });

describe('request and journey outcomes', () => {
  it('cover every journey and every request', () => {
    const { outcomes, balances } = sumTotals(full()).outcomes(plan, true);
    expect(balances).toBe(true);
    expect(outcomes.requests).toMatchObject({ sent: 100, ok: 90, timeout: 4, refused: 3, inFlight: 3, httpError: 0 });
    expect(outcomes.journeys).toEqual({
      planned: 100,
      started: 100,
      notStarted: { target: 0, generator: 0, stopped: 0 },
      finished: 97,
      abandoned: 0,
      running: 3,
    });
  });

  it('have no planned journeys for a plan by duration', () => {
    expect(sumTotals(full()).outcomes(planWith(), true).outcomes.journeys.planned).toBe(null);
  });

  it.each<[string, (window: Window) => void]>([
    ['a lost request', (window) => (window.cells[0] ?? never()).started++],
    ['a request counted twice', (window) => ((window.cells[0] ?? never()).outcomes.ok = 91)],
    ['an uncounted outstanding request', (window) => (window.inFlight = 2)],
    ['a journey that did not start without a cause', (window) => (window.journeys.started = 99)],
    ['a journey that ended without a start', (window) => (window.journeys.finished = 101)],
  ])('do not balance with %s', (_, spoil) => {
    const window = full();
    spoil(window);
    expect(sumTotals(window).outcomes(plan, true).balances).toBe(false);
  });

  it('balance in an unfinished run whose journeys are not all started, but not if too many were started', () => {
    const window = windowWith({ ok: [{ count: 50, ms: 20 }], withoutResponse: 10 });
    expect(sumTotals(window).outcomes(plan, false).balances).toBe(true);
    expect(sumTotals(window).outcomes(plan, true).balances).toBe(false);
    window.journeys.notStartedStopped = 40;
    expect(sumTotals(window).outcomes(plan, true).balances).toBe(true);
    const over = windowWith({ ok: [{ count: 101, ms: 20 }] });
    expect(sumTotals(over).outcomes(plan, false).balances).toBe(false);
  });

  it('take the number in flight from the last window', () => {
    const windows = [
      windowWith({ ok: [{ count: 40, ms: 20 }], withoutResponse: 10 }),
      windowWith({ second: 1, ok: [{ count: 0, ms: 1 }], inFlight: 0 }),
    ];
    const last = windows[1] ?? never();
    last.cells[0] = { ...(last.cells[0] ?? never()), outcomes: { ok: 10 } };
    last.journeys.finished = 10;
    expect(sumTotals(...windows).outcomes(planWith(), true)).toMatchObject({
      balances: true,
      outcomes: { requests: { sent: 50, ok: 50, inFlight: 0 } },
    });
  });
});

describe('sums', () => {
  it('are separate by stage and step, and include the end of the run', () => {
    const totals = sumTotals(
      ...repeatedWindows(3, { ok: [{ count: 5, ms: 1 }] }),
      windowWith({ second: 3, width: 10, stage: 1, step: 2, ok: [{ count: 7, ms: 9 }] }),
    );
    expect([...totals.cells].map(({ stage, step, started }) => [stage, step, started])).toEqual([
      [0, 0, 15],
      [1, 2, 7],
    ]);
    expect(totals.sum(({ stage }) => stage === 1).outcomes.ok).toBe(7);
    expect(totals.endSecond).toBe(13);
    expect(totals.latency()).toMatchObject({ count: 22, min: 1, max: 9 });
  });
});

function never(): never {
  throw new Error('a window has one cell here');
}

it('join: returns the sums over the windows of all generators', () => {
  const reportedBy = (totals: Totals): unknown => ({
    ...totals.outcomes(plan, false),
    endSecond: totals.endSecond,
    sideCalls: totals.sideCalls.toSorted((one, other) => one.step - other.step),
    loaded: totals.sumLoaded(() => true),
    cells: [...totals.cells]
      .map(({ times, ...counts }) => ({
        ...counts,
        times: Object.entries(times)
          .map(([kind, of]) => [kind, summarize(of)])
          .sort(),
      }))
      .sort((one, other) => one.stage - other.stage || one.step - other.step),
  });
  fc.assert(
    fc.property(consecutiveWindows, consecutiveWindows, (ones, others) => {
      const seconds = Math.min(ones.length, others.length);
      const both = [ones.slice(0, seconds), others.slice(0, seconds)];
      // A generator that reports side calls reports them to the end of the run.
      fc.pre(both.every((windows) => windows.every(({ side }) => side === undefined) || windows.at(-1)?.side !== undefined));
      const merged = ones.slice(0, seconds).map((one, second) => {
        const sum = copyWindow(one);
        mergeWindow(sum, others[second] ?? never());
        return sum;
      });
      const joined = new Totals();
      for (const windows of both) joined.join(sumTotals(...windows));
      const whole = sumTotals(...merged);
      expect(reportedBy(joined)).toEqual(reportedBy(whole));
    }),
    { numRuns: 15 },
  );
});
