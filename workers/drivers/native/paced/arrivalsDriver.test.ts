import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ArrivalSchedule, planSchedule } from '#core/work/load/arrivals.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { freePort } from '#lab/freePort.ts';
import { createSharedClock } from '#workers/clock.ts';
import { responseText, rawServer } from '#workers/testing/servers.ts';
import { driveThreads, type ThreadsOptions } from './testing/driveThreads.ts';
import { hold } from './testing/hold.ts';
import { serve } from './testing/serve.ts';

type ArrivalsInput = Extract<PlanInput['load'], { model: 'arrivals' }>;

function arrivals(stages: ArrivalsInput['stages'], more: Partial<Omit<ArrivalsInput, 'model' | 'stages'>> = {}): ArrivalsInput {
  return { model: 'arrivals', stages, ...more };
}

/** Returns the scheduled times in microseconds and the stages, computed without a driver. */
function plannedArrivals(load: ArrivalsInput): { readonly intendedUs: number; readonly stage: number }[] {
  const plan = planSchema.parse({ holdfast: 1, name: 'test', targets: [{ url: 'http://127.0.0.1/' }], journey: [{ name: 'page' }], load });
  const schedule = planSchedule(plan);
  if (schedule === null) throw new Error('There are no arrivals.');
  const walk = new ArrivalSchedule(schedule.curve, schedule.spacing);
  const all = [];
  for (; Number.isFinite(walk.nextSecond); walk.advance()) all.push({ intendedUs: walk.nextSecond * 1_000_000, stage: walk.nextStage });
  return all;
}

async function driveArrivals(load: ArrivalsInput, more: Partial<ThreadsOptions> = {}, listener?: RequestListener) {
  const server = await serve(listener);
  const driven = await driveThreads({ targets: [server.url], load, ...more });
  return { server, driven };
}

const everyKind: ArrivalsInput['stages'] = [
  { kind: 'constant', perSecond: 60, seconds: 0.25 },
  { kind: 'ramp', fromPerSecond: 0.5, toPerSecond: 99.7, seconds: 0.3 },
  { kind: 'pause', seconds: 0.1 },
  { kind: 'count', arrivals: 17, seconds: 0.2 },
  { kind: 'steps', fromPerSecond: 20.5, toPerSecond: 80, steps: 3, secondsEach: 0.1 },
  { kind: 'spike', basePerSecond: 10, peakPerSecond: 300, secondsBefore: 0.1, rampSeconds: 0.05, peakSeconds: 0.1, secondsAfter: 0.1 },
];

describe('arrivals', () => {
  it.each(['uniform', 'poisson'] as const)('start exactly as the %s schedule says, on 1 to 3 threads', async (spacing) => {
    const load = arrivals(everyKind, { spacing });
    const expected = plannedArrivals(load);
    // The loads run concurrently, because each mostly waits for its schedule.
    const all = await Promise.all([1, 2, 3].map(async (threads) => ({ threads, ...(await driveArrivals(load, { threads })) })));
    for (const { threads, server, driven } of all) {
      expect(driven.discrepancies(server.requests)).toEqual([]);
      expect(driven.starts.map(({ stage }) => stage)).toEqual(expected.map(({ stage }) => stage));
      for (const [index, { intendedUs }] of driven.starts.entries())
        expect(intendedUs).toBeCloseTo(expected[index]?.intendedUs ?? Number.NaN, 1);
      expect(driven.cell.outcomes).toEqual({ ok: expected.length });
      expect(driven.journeys).toMatchObject({
        started: expected.length,
        finished: expected.length,
        notStartedTarget: 0,
        notStartedGenerator: 0,
      });
      expect(new Set(driven.starts.map(({ thread }) => thread)).size).toBe(threads);
      // The last stage lasts its full time, even if no arrival is due at its end.
      expect(driven.elapsedUs).toBeGreaterThanOrEqual(1_500_000 - 2_000);
    }
  });

  it('send nothing at rate 0, and last for their whole stage', async () => {
    const { server, driven } = await driveArrivals(arrivals([{ kind: 'constant', perSecond: 0, seconds: 0.2 }]), { threads: 2 });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.connections).toBe(0);
    expect(driven.elapsedUs).toBeGreaterThanOrEqual(198_000);
  });

  it('never start before their scheduled times', async () => {
    const seenUs: number[] = [];
    const now = createSharedClock();
    let beganUs = 0;
    const load = arrivals([{ kind: 'constant', perSecond: 200, seconds: 0.5 }]);
    const onRuns: ThreadsOptions['onRuns'] = (_, startUs) => {
      beganUs = startUs;
    };
    await driveArrivals(load, { onRuns }, (_, response) => {
      seenUs.push(now() - beganUs);
      response.end();
    });
    const expected = plannedArrivals(load);
    expect(seenUs).toHaveLength(100);
    for (const [index, atUs] of seenUs.toSorted((one, other) => one - other).entries()) {
      expect(atUs).toBeGreaterThan(expected[index]?.intendedUs ?? Number.NaN);
    }
  });

  it('use the targets in turn', async () => {
    const targets = await Promise.all([serve(), serve(), serve()]);
    const load = arrivals([{ kind: 'count', arrivals: 100, seconds: 0.3 }]);
    const driven = await driveThreads({ targets: targets.map(({ url }) => url), load, threads: 2 });
    expect(driven.cell.outcomes).toEqual({ ok: 100 });
    expect(targets.map(({ requests }) => requests)).toEqual([34, 33, 33]);
  });

  it('are counted as refused at a closed port, without delaying the schedule', async () => {
    const load = arrivals([{ kind: 'count', arrivals: 50, seconds: 0.3 }]);
    const driven = await driveThreads({ targets: [`http://127.0.0.1:${await freePort()}/`], load });
    expect(driven.discrepancies(0)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ refused: 50 });
    expect(driven.journeys).toMatchObject({ started: 50, abandoned: 50 });
  });
});

describe('maxInFlight of arrivals', () => {
  it('limits the simultaneous journeys of all threads, and attributes the arrivals that did not start to the target', async () => {
    const load = arrivals(
      [
        { kind: 'count', arrivals: 40, seconds: 0.2 },
        { kind: 'count', arrivals: 40, seconds: 0.2, maxInFlight: 8 },
      ],
      { maxInFlight: 5 },
    );
    const { server, driven } = await driveArrivals(load, { threads: 2, plan: { drainSeconds: 0.2 } }, () => {});
    expect(server.requests).toBe(8);
    expect(driven.discrepancies(8)).toEqual([]);
    expect(driven.inFlight).toBe(8);
    expect(driven.journeys).toMatchObject({ started: 8, finished: 0, abandoned: 0, notStartedTarget: 72, notStartedGenerator: 0 });
    expect([0, 1].map((stage) => driven.cellOfStage(stage)).map(({ started, notStartedTarget }) => [started, notStartedTarget])).toEqual([
      [5, 35],
      [3, 37],
    ]);
  });

  it('admits new arrivals as soon as earlier journeys end', async () => {
    const load = arrivals([{ kind: 'constant', perSecond: 200, seconds: 0.5 }], { maxInFlight: 4 });
    const { server, driven } = await driveArrivals(load, {}, (_, response) => setTimeout(() => response.end(), 50));
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.cell.started + driven.journeys.notStartedTarget).toBe(100);
    expect(driven.cell.started).toBeGreaterThan(4);
    expect(server.peakConnections).toBe(4);
    expect(server.connections).toBe(4);
  });
});

describe('the end of arrivals', () => {
  it('counts arrivals that never start as not started because of the generator', async () => {
    const load = arrivals([{ kind: 'constant', perSecond: 2_000, seconds: 0.3 }]);
    const onRuns: ThreadsOptions['onRuns'] = ([run]) => {
      // The thread continues after the stage has ended. One turn starts some of the due arrivals before the abort.
      setTimeout(() => run?.abort(), 350);
      hold(500);
    };
    const { server, driven } = await driveArrivals(load, { onRuns });
    expect(driven.journeys.started + driven.journeys.notStartedGenerator).toBe(600);
    expect(driven.journeys.notStartedGenerator).toBeGreaterThan(100);
    expect(driven.journeys.notStartedTarget).toBe(0);
    expect(driven.cell.notStartedGenerator).toBe(driven.journeys.notStartedGenerator);
    expect(server.requests).toBeLessThanOrEqual(driven.cell.started);
  });

  it('starts nothing after a stop, and waits for responses in flight', async () => {
    const load = arrivals([{ kind: 'constant', perSecond: 500, seconds: 60 }]);
    const onRuns: ThreadsOptions['onRuns'] = (runs) => void setTimeout(() => runs.forEach((run) => run.drain()), 300);
    const { server, driven } = await driveArrivals(load, { threads: 2, onRuns }, (_, response) => setTimeout(() => response.end(), 100));
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.inFlight).toBe(0);
    expect(driven.cell.outcomes).toEqual({ ok: driven.cell.started });
    expect(driven.journeys).toMatchObject({ notStartedTarget: 0, notStartedGenerator: 0 });
    expect(driven.elapsedUs).toBeLessThan(20_000_000);
  });

  it('comes exactly at the request budget: no further request is sent', async () => {
    const load = arrivals([{ kind: 'constant', perSecond: 500, seconds: 60 }]);
    const { server, driven } = await driveArrivals(load, { threads: 3, budget: 77 });
    expect(driven.discrepancies(77)).toEqual([]);
    expect(server.requests).toBe(77);
  });

  it('stops during the think times of journeys', async () => {
    const journey = [{ name: 'one' }, { name: 'two' }];
    const load = arrivals([{ kind: 'count', arrivals: 5, seconds: 0.1 }], { thinkTime: { kind: 'fixed', seconds: 60 } });
    const until: ThreadsOptions['until'] = ({ requestCompleted }) => requestCompleted === 5;
    const { server, driven } = await driveArrivals(load, { plan: { journey }, until });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.journeys).toMatchObject({ started: 5, finished: 0, abandoned: 0 });
    expect(server.requests).toBe(5);
  });
});

describe('journeys of several steps', () => {
  const journey = [
    { name: 'a', path: '/a' },
    { name: 'b', path: '/b' },
    { name: 'c', path: '/c' },
  ];

  it.each([
    ['always', 60],
    ['journey', 60],
    ['never', 180],
  ] as const)('pause between steps and reuse connections as the plan says: %s', async (reuse, peakConnections) => {
    const load = arrivals([{ kind: 'count', arrivals: 60, seconds: 0.6 }], { thinkTime: { kind: 'fixed', seconds: 0.03 } });
    const { server, driven } = await driveArrivals(load, { threads: 2, plan: { journey, connections: { reuse } } });
    expect(driven.discrepancies(180)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 180 });
    expect(driven.journeys).toMatchObject({ started: 60, finished: 60, abandoned: 0 });
    for (const step of [0, 1, 2]) expect(driven.starts.filter((start) => start.step === step)).toHaveLength(60);
    expect(server.connections).toBe(driven.cell.connectionsOpened);
    if (reuse === 'always') expect(server.connections).toBeLessThan(peakConnections);
    else expect(server.connections).toBe(peakConnections);
    // A later step is due one pause after the previous response, so the third step comes at least two pauses after the start of its
    // journey.
    const third = driven.starts.filter(({ step }) => step === 2);
    for (const [index, { intendedUs }] of driven.starts.filter(({ step }) => step === 0).entries()) {
      expect(third[index]?.intendedUs).toBeGreaterThan(intendedUs + 60_000);
    }
    const { responseOk } = driven.cell.times;
    expect(responseOk?.totalCount).toBe(180);
  });

  it('count each step in the stage of its due time, and late steps in the last stage', async () => {
    const stages: ArrivalsInput['stages'] = [
      { kind: 'count', arrivals: 10, seconds: 0.1 },
      { kind: 'pause', seconds: 0.1 },
    ];
    const { driven } = await driveArrivals(arrivals(stages, { thinkTime: { kind: 'fixed', seconds: 0.12 } }), { plan: { journey } });
    const stepsOf = (stage: number): number[] =>
      [0, 1, 2].map((step) => driven.starts.filter((start) => start.stage === stage && start.step === step).length);
    expect(stepsOf(0)).toEqual([10, 0, 0]);
    expect(stepsOf(1)).toEqual([0, 10, 10]);
  });
});

describe('idle connections', () => {
  it('are forgotten when the server closes them', async () => {
    const server = await rawServer(({ socket }) => {
      socket.write(responseText());
      setTimeout(() => socket.end(), 10);
    });
    onTestFinished(() => server.close());
    const driven = await driveThreads({ targets: [server.url], load: arrivals([{ kind: 'constant', perSecond: 5, seconds: 1 }]) });
    expect(driven.discrepancies(5)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 5 });
    expect(server.connections).toBe(5);
  });
});
