import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { point } from '#core/judgement/diagnosis/testing/facts.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { consecutiveWindows } from '#core/testing/arbitraries.ts';
import { windowWith } from '#core/testing/windows.ts';
import { pickGeneratorFields } from './liveGenerators.ts';
import { pointsUntil, generatorPointOfWindow, createPointOfWindows, pointOfWindow, ratePoints, reducePoints } from './pointSeries.ts';

const points = [point(0), point(1), point(2)];

describe('pointsUntil', () => {
  it('ends the last point with the run, not with its second', () => {
    expect(pointsUntil(points, 2.25).map(({ width }) => width)).toEqual([1, 1, 0.25]);
  });

  it('ignores whole seconds, later ends and impossible ends', () => {
    for (const end of [3, 7, 2, 1]) expect(pointsUntil(points, end)).toEqual(points);
    expect(pointsUntil([], 3)).toEqual([]);
  });
});

describe('ratePoints', () => {
  it('omits a last point that covers only a moment, unless it is the only one', () => {
    const moment = point(2, { width: 0.25 });
    expect(ratePoints([point(0), moment])).toEqual([point(0)]);
    expect(ratePoints([moment])).toEqual([moment]);
    expect(ratePoints([point(0), point(1, { width: 0.75 })])).toHaveLength(2);
  });
});

describe('TLS handshakes of a point', () => {
  const handshakes = { full: 3, resumed: 1 };

  it('add up when points are joined', () => {
    const joined = reducePoints([point(0, { handshakes }), point(1, { handshakes }), point(2), point(3)], 2);
    expect(joined.map((each) => each.handshakes)).toEqual([{ full: 6, resumed: 2 }, undefined]);
  });

  it('count only completed handshakes', () => {
    const cell = findOrAddCell(emptyWindow(0, 1), 0, 0);
    const tls = createHistogram();
    for (let made = 0; made < 4; made += 1) record(tls, 2_000);
    Object.assign(cell, { connectionsOpened: 9, sessionsResumed: 1, times: { tls } });
    const window = { ...emptyWindow(0, 1), cells: [cell] };
    expect(pointOfWindow(window).handshakes).toEqual(handshakes);
    expect(pointOfWindow(emptyWindow(0, 1))).not.toHaveProperty('handshakes');
  });
});

it('generatorPointOfWindow: equals the point of the window', () => {
  fc.assert(
    fc.property(consecutiveWindows, (windows) => {
      for (const window of windows) expect(generatorPointOfWindow(window)).toEqual(pickGeneratorFields(pointOfWindow(window)));
    }),
    { numRuns: 30 },
  );
});

describe('createPointOfWindows', () => {
  it('adds counts, and computes percentiles of all times together instead of their mean', () => {
    const sum = createPointOfWindows();
    sum.add(windowWith({ second: 4, ok: [{ count: 99, ms: 10 }], inFlight: 1 }));
    sum.add(windowWith({ second: 5, ok: [{ count: 1, ms: 1_000 }], failed: { timeout: 2 }, inFlight: 3 }));
    expect(sum.end()).toMatchObject({ second: 4, width: 2, completed: 100, ok: 100, failed: 2, inFlight: 3, p50: 10, p95: 10 });
  });

  it('returns null without windows', () => {
    expect(createPointOfWindows().end()).toBeNull();
  });
});
