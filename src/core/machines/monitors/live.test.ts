import { expect, it } from 'vitest';
import { joinLiveMonitors, MAX_LIVE_MONITOR_POINTS, type LiveMonitor } from './foldPoints.ts';
import type { MonitorInfo } from './result.ts';

function monitor(number: number, seconds: readonly number[], changes: Partial<MonitorInfo> = {}): LiveMonitor {
  const quantities: MonitorInfo['quantities'] = [{ id: 'a', words: 'a', unit: 'perSecond', chart: 'A' }];
  const info: MonitorInfo = {
    number,
    name: `m${number}`,
    kind: 'machine',
    role: 'target',
    host: null,
    quantities,
    limits: [],
    state: 'watching',
    problem: null,
    errorMs: null,
    ...changes,
  };
  return { info, points: seconds.map((second) => ({ second, width: 1, values: { a: 2 } })) };
}

it('joinLiveMonitors: keeps the points of both updates and the newer state', () => {
  const joined = joinLiveMonitors([monitor(1, [0, 1]), monitor(0, [0])], [monitor(1, [2], { state: 'lost' })]);
  expect(joined.map(({ info: { number, state }, points }) => [number, state, points.map(({ second }) => second)])).toEqual([
    [0, 'watching', [0]],
    [1, 'lost', [0, 1, 2]],
  ]);
});

it('joinLiveMonitors: stays small over many hours and covers the whole time', () => {
  let picture: LiveMonitor[] = [];
  for (let second = 0; second < 10_000; second += 1) picture = joinLiveMonitors(picture, [monitor(0, [second])]);
  const points = picture[0]?.points ?? [];
  expect(points.length).toBeLessThanOrEqual(2 * MAX_LIVE_MONITOR_POINTS);
  expect(points[0]?.second).toBe(0);
  expect(points.reduce((sum, { width, values }) => sum + width * (values['a'] ?? 0), 0)).toBeCloseTo(20_000);
});
