import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { momentsUs } from '#core/statistics/latency.ts';
import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { freePort } from '#lab/freePort.ts';
import { driveThreads, type ThreadsDriven, type ThreadsOptions } from './testing/driveThreads.ts';
import { serve } from './testing/serve.ts';

type UsersInput = Extract<PlanInput['load'], { model: 'users' }>;

function users(stage: UsersInput['stages'][number], thinkTime?: ThinkTime): UsersInput {
  return { model: 'users', stages: [stage], ...(thinkTime ? { thinkTime } : {}) };
}

async function driveUsers(load: UsersInput, more: Partial<ThreadsOptions> = {}, listener?: RequestListener) {
  const server = await serve(listener);
  const driven = await driveThreads({ targets: [server.url], load, ...more });
  return { server, driven };
}

const thinking = (seconds: number): ThinkTime => ({ kind: 'fixed', seconds });
const START_UP_STAGE = 1;

describe('users', () => {
  it.each([1, 2, 3])(
    'start one after the other, and requests due before all have started are counted separately, on %i threads',
    async (threads) => {
      const load = users({ users: 5, restSeconds: 0.1, startUpSeconds: 0.25, seconds: 0.3 }, thinking(1));
      const { server, driven } = await driveUsers(load, { threads });
      expect(driven.discrepancies(server.requests)).toEqual([]);
      // Each user sends one request, and is still in the pause after this request when the load ends.
      expect(driven.starts.map(({ intendedUs }) => Math.round(intendedUs / 1_000))).toEqual([100, 150, 200, 250, 300]);
      expect(driven.starts.map(({ stage }) => stage)).toEqual([1, 1, 1, 1, 1]);
      expect(driven.elapsedUs).toBeGreaterThanOrEqual(648_000);
    },
  );

  it('count requests in the stage of their due times, until the end of the load', async () => {
    const load = users({ users: 4, startUpSeconds: 0.2, seconds: 0.5 }, thinking(0.02));
    const { server, driven } = await driveUsers(load, { threads: 2 });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    for (const { intendedUs, stage } of driven.starts) {
      expect(stage).toBe(intendedUs < 200_000 ? START_UP_STAGE : 0);
      expect(intendedUs).toBeLessThan(700_000);
    }
    for (const stage of [START_UP_STAGE, 0]) expect(driven.cellOfStage(stage).started).toBeGreaterThan(0);
    expect(driven.cellOfStage(0).times.responseOk?.totalCount).toBe(driven.cellOfStage(0).outcomes.ok);
    expect(driven.inFlight).toBe(0);
  });

  it('have one connection each, and at most one request in flight', async () => {
    let inFlight = 0;
    let most = 0;
    const more: Partial<ThreadsOptions> = { threads: 2, until: ({ requestCompleted }) => requestCompleted > 30 };
    const { server, driven } = await driveUsers(users({ users: 6, seconds: 60 }), more, (_, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end();
      }, 30);
    });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(most).toBe(6);
    expect(server.connections).toBe(6);
  });

  it('use the targets in turn', async () => {
    const targets = await Promise.all([serve(), serve(), serve()]);
    const load = users({ users: 7, seconds: 0.2 }, thinking(1));
    const driven = await driveThreads({ targets: targets.map(({ url }) => url), load, threads: 2 });
    expect(driven.cell.outcomes).toEqual({ ok: 7 });
    expect(targets.map(({ connections }) => connections)).toEqual([3, 2, 2]);
  });

  it.each(['always', 'journey', 'never'] as const)('reuse connections as the plan says: %s', async (reuse) => {
    const journey = [{ name: 'a' }, { name: 'b' }];
    const load = users({ users: 3, seconds: 60 }, thinking(0.01));
    const until: ThreadsOptions['until'] = ({ requestCompleted }) => requestCompleted > 30;
    const { server, driven } = await driveUsers(load, { plan: { journey, connections: { reuse } }, until });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.cell.connectionsOpened).toBe(server.connections);
    const expected = { always: 3, journey: driven.journeys.started, never: driven.cell.started };
    expect(server.connections).toBe(expected[reuse]);
    // The end of the load interrupts journeys, but they do not count as abandoned.
    expect(driven.journeys.abandoned).toBe(0);
    expect(driven.journeys.started).toBeGreaterThanOrEqual(driven.journeys.finished);
    expect(driven.journeys.finished).toBeGreaterThan(5);
  });
});

describe('pauses of users', () => {
  const thinkTime: ThinkTime = { kind: 'exponential', meanSeconds: 0.04 };

  it('are the same for each user with any number of threads', async () => {
    for (const threads of [1, 3]) {
      // After 60 responses, each user has made far more than five requests.
      const until: ThreadsOptions['until'] = ({ requestCompleted }) => requestCompleted > 60;
      const { driven } = await driveUsers(users({ users: 3, seconds: 60 }, thinkTime), { threads, plan: { seed: 11 }, until });
      for (const user of [0, 1, 2]) expect(pausesFound(driven, user)).toBeGreaterThanOrEqual(5);
    }
  });

  /** Counts the consecutive pauses of a user that are equal to the time between a response and a scheduled start. */
  function pausesFound(driven: ThreadsDriven, user: number): number {
    for (let pause = 0; ; pause += 1) {
      const lengthUs = pauseSeconds(thinkTime, 11, pause * 3 + user) * 1_000_000;
      const isFound = driven.starts.some(({ intendedUs }) =>
        driven.responsesUs.some((responseUs) => Math.abs(intendedUs - responseUs - lengthUs) < 0.1),
      );
      if (!isFound) return pause;
    }
  }

  it('are not part of response times', async () => {
    const { driven } = await driveUsers(users({ users: 2, seconds: 0.7 }, thinking(0.3)));
    const { responseOk, serviceOk } = driven.cell.times;
    expect(responseOk?.totalCount).toBe(driven.cell.started);
    if (responseOk === undefined || serviceOk === undefined) throw new Error('no times');
    expect(momentsUs(responseOk).mean - momentsUs(serviceOk).mean).toBeLessThan(270_000);
  });
});

describe('a user whose request fails', () => {
  it('waits before the next request, which then starts on time', async () => {
    const load = users({ users: 1, seconds: 0.9 });
    const driven = await driveThreads({ targets: [`http://127.0.0.1:${await freePort()}/`], load });
    expect(driven.discrepancies(0)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ refused: driven.starts.length });
    // The back-off is 100, 200, 400 ms and so on. It does not count as schedule lag.
    const gapsUs = driven.starts.slice(1).map(({ intendedUs }, index) => intendedUs - (driven.starts[index]?.intendedUs ?? 0));
    expect(gapsUs.length).toBeGreaterThanOrEqual(1);
    for (const [index, gapUs] of gapsUs.entries()) expect(gapUs).toBeGreaterThanOrEqual(100_000 * 2 ** index);
  });

  it('waits for the longer of its pause and the back-off', async () => {
    const load = users({ users: 1, seconds: 60 }, thinking(0.25));
    const until: ThreadsOptions['until'] = ({ startedLate }) => startedLate === 2;
    const driven = await driveThreads({ targets: [`http://127.0.0.1:${await freePort()}/`], load, until });
    expect(driven.starts).toHaveLength(2);
    const [first, second] = driven.starts;
    expect((second?.intendedUs ?? 0) - (first?.intendedUs ?? 0)).toBeGreaterThanOrEqual(250_000);
  });
});

describe('the end of a load of users', () => {
  const load = users({ users: 6, startUpSeconds: 30, seconds: 60 }, thinking(0.02));

  it('is immediate after a stop, for pausing users and for users who have not started', async () => {
    const onRuns: ThreadsOptions['onRuns'] = (runs) => void setTimeout(() => runs.forEach((run) => run.drain()), 300);
    const { server, driven } = await driveUsers(load, { threads: 2, onRuns });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.inFlight).toBe(0);
    expect(driven.elapsedUs).toBeLessThan(20_000_000);
    // The end of the load interrupts journeys, but they do not count as abandoned.
    expect(driven.journeys.abandoned).toBe(0);
    expect(driven.journeys.started).toBeGreaterThanOrEqual(driven.journeys.finished);
  });

  it('comes exactly at the request budget: no further request is sent', async () => {
    const { server, driven } = await driveUsers(users({ users: 6, seconds: 60 }, thinking(0.001)), { threads: 3, budget: 50 });
    expect(driven.discrepancies(50)).toEqual([]);
    expect(server.requests).toBe(50);
  });

  it('leaves requests in flight outstanding if the load is aborted', async () => {
    let all: Parameters<NonNullable<ThreadsOptions['onRuns']>>[0] = [];
    let asked = 0;
    const onRuns: ThreadsOptions['onRuns'] = (runs) => {
      all = runs;
    };
    const { server, driven } = await driveUsers(users({ users: 4, seconds: 60 }), { threads: 2, onRuns }, () => {
      asked += 1;
      if (asked === 4) for (const run of all) run.abort();
    });
    expect(server.requests).toBe(4);
    expect(driven.cell.outcomes).toEqual({});
    expect(driven.inFlight).toBe(4);
    expect(driven.journeys).toMatchObject({ started: 4, finished: 0, abandoned: 0 });
  });

  it('waits for outstanding responses', async () => {
    const plan: Partial<PlanInput> = { drainSeconds: 5 };
    const { server, driven } = await driveUsers(users({ users: 4, seconds: 0.1 }), { plan }, (_, response) =>
      setTimeout(() => response.end(), 250),
    );
    expect(driven.discrepancies(4)).toEqual([]);
    expect(server.requests).toBe(4);
    expect(driven.cell.outcomes).toEqual({ ok: 4 });
  });
});
