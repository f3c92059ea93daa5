import { MAX_LIVE_POINTS } from '#contract/replies.ts';
import { describe, expect, it } from 'vitest';
import { planFor } from '#backend/testing/plans.ts';
import { headFor } from '#backend/testing/runs.ts';
import { syntheticReading, syntheticWindow } from '#backend/testing/windows.ts';
import { startUpStage } from '#core/work/load/stages.ts';
import { LiveView } from './liveView.ts';

describe('LiveView', () => {
  const plan = planFor('http://127.0.0.1:1/', {
    load: { model: 'connections', stages: [{ name: 'steady', connections: 2, seconds: 9_000 }] },
  });

  it('keeps every count in constant memory, however long the run', () => {
    const view = new LiveView(plan);
    for (let second = 0; second < 5_000; second++) view.add(syntheticWindow(second, { perSecond: 2 }), null);
    const live = view.fullState(headFor('a'), null);
    expect(live.points.length).toBeLessThanOrEqual(MAX_LIVE_POINTS);
    expect(live.points.reduce((sum, { started }) => sum + started, 0)).toBe(10_000);
    expect(live.outcomes.requests).toMatchObject({ sent: 10_000, ok: 10_000, inFlight: 0 });
    expect(live.balances).toBe(true);
    expect(live).toMatchObject({ elapsedSeconds: 5_000, plannedSeconds: 9_000, plannedRequests: null });
  });

  it('finds the stage from the windows if no stage is reported', () => {
    const view = new LiveView(plan);
    expect(view.fullState(headFor('a'), null).stage).toBeNull();
    view.add(syntheticWindow(0, { perSecond: 2 }), null);
    expect(view.fullState(headFor('a'), null).stage).toEqual({ index: 0, name: 'steady', counted: true });
    expect(view.fullState(headFor('a', { state: 'draining' }), null).stage).toBeNull();
  });

  it('counts nothing while users start one after the other', () => {
    const users = planFor('http://127.0.0.1:1/', {
      load: { model: 'users', stages: [{ name: 'cycle', users: 9, startUpSeconds: 1, seconds: 9 }] },
    });
    const view = new LiveView(users);
    const [starting, running] = [syntheticWindow(0, { perSecond: 2 }), syntheticWindow(1, { perSecond: 2 })];
    const cells = starting.cells.map((cell) => ({ ...cell, stage: startUpStage(users, 0) }));
    view.add({ ...starting, cells }, null);
    expect(view.fullState(headFor('a'), 0).stage).toEqual({ index: 0, name: 'cycle', counted: false });
    expect(view.fullState(headFor('a'), null).stage).toEqual({ index: 0, name: 'cycle', counted: false });
    view.add(running, null);
    expect(view.fullState(headFor('a'), 0).stage).toEqual({ index: 0, name: 'cycle', counted: true });
  });

  it('shows outstanding results, responding servers and monitors like the result', () => {
    const view = new LiveView(plan);
    const count = { responded: 3, failed: 1, withoutResponse: 0, serviceUs: 6_000 };
    const first = syntheticWindow(0, { perSecond: 2 });
    const cells = first.cells.map((cell) => ({ ...cell, waitsBegun: 5, servers: { 'shard-2': count, 'shard-1': count } }));
    view.add({ ...first, cells }, { ...syntheticReading(0), watched: { connections: 40 } });
    view.add(syntheticWindow(1, { perSecond: 2 }), syntheticReading(1));
    const live = view.fullState(headFor('a'), null);
    expect(live.points.map(({ waiting }) => waiting)).toEqual([5, 5]);
    expect(live.servers.map(({ name, responded, failed }) => [name, responded, failed])).toEqual([
      ['shard-1', 3, 1],
      ['shard-2', 3, 1],
    ]);
    expect(live.watched).toEqual([{ second: 0, values: { connections: 40 } }]);
  });
});
