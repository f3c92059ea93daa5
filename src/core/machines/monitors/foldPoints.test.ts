import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, foldPoints, readPoints, reduceMonitorPoints } from './foldPoints.ts';
import type { Quantity, MonitorPoint } from './result.ts';

const QUANTITIES: Quantity[] = [
  { id: 'net.in', words: 'in', unit: 'bytesPerSecond', chart: 'Network' },
  { id: 'sockets.timeWait', words: 'TIME_WAIT', unit: 'count', chart: 'Sockets', fold: 'highest' },
  { id: 'memory.free', words: 'free', unit: 'bytes', chart: 'Memory', fold: 'lowest' },
];

function at(second: number, values: Record<string, number>, width = 1): MonitorPoint {
  return { second, width, values };
}

describe('foldPoints', () => {
  it('keeps time-weighted means, maxima or minima, according to the quantity', () => {
    const points = [
      at(0, { 'net.in:eth0': 10, 'sockets.timeWait': 5, 'memory.free': 9 }),
      at(1, { 'net.in:eth0': 40, 'sockets.timeWait': 7, 'memory.free': 3 }, 2),
      at(10.2, { 'sockets.timeWait': 1 }),
    ];
    expect(foldPoints(points, 10, QUANTITIES)).toEqual([
      { second: 0, width: 3, values: { 'net.in:eth0': 30, 'sockets.timeWait': 7, 'memory.free': 3 } },
      at(10.2, { 'sockets.timeWait': 1 }),
    ]);
  });

  it('averages known values and leaves unknown ones out', () => {
    const folded = foldPoints([at(0, { 'net.in': 6 }), at(1, {}), at(2, { 'net.in': 12 })], 60, QUANTITIES);
    expect(folded).toEqual([{ second: 0, width: 3, values: { 'net.in': 9 } }]);
  });

  it('preserves the total of a rate for any number of points', () => {
    const pointsOfRun = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(pointsOfRun, fc.integer({ min: 1, max: 20 }), (rates, max) => {
        const points = rates.map((rate, second) => at(second, { 'net.in': rate }));
        const total = (some: readonly MonitorPoint[]): number =>
          some.reduce((sum, { width, values }) => sum + width * (values['net.in'] ?? 0), 0);
        const reduced = reduceMonitorPoints(points, max, QUANTITIES);
        expect(reduced.length).toBeLessThanOrEqual(max);
        expect(total(reduced)).toBeCloseTo(total(points), 3);
      }),
    );
  });
});

it('columnsOf and readPoints: restore points, including gaps', () => {
  const points = [at(0.25, { a: 1, 'b:c': 0.12345 }), at(1.25, {}), at(2.25, { a: 0 }, 1.001)];
  const columns = columnsOf(points);
  expect(columns.values).toEqual({ a: [1, null, 0], 'b:c': [0.12345, null, null] });
  expect(readPoints(columns)).toEqual(points);
});
