import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { createSharedClock } from '#workers/clock.ts';
import { responseText, rawServer } from '#workers/testing/servers.ts';
import { driveThreads, type ThreadsOptions } from './testing/driveThreads.ts';
import { hold } from './testing/hold.ts';
import { serve } from './testing/serve.ts';

describe('response times of arrivals', () => {
  it('of a server that freezes for 1 s start at the scheduled times', async () => {
    // There are 200 arrivals in 2 s. The server does not respond from 0.5 s to 1.5 s, so 100 arrivals wait between 0 s and 1 s, evenly
    // distributed.
    const now = createSharedClock();
    let thawUs = 0;
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 100, seconds: 2 }] };
    const onRuns: ThreadsOptions['onRuns'] = (_, startUs) => {
      thawUs = startUs + 1_500_000;
    };
    const eventLoop = monitorEventLoopDelay({ resolution: 5 });
    eventLoop.enable();
    const server = await serve((_, response) => {
      const leftMs = (thawUs - now()) / 1_000;
      if (leftMs > 1_000 || leftMs <= 0) response.end();
      else setTimeout(() => response.end(), leftMs);
    });
    const driven = await driveThreads({ targets: [server.url], load, threads: 2, onRuns });
    // On a busy machine the server resumes late, and the client reads late.
    const heldUpUs = (3 * eventLoop.max) / 1_000;
    expect(driven.discrepancies(server.requests)).toEqual([]);
    const { responseOk } = driven.cell.times;
    if (responseOk === undefined) throw new Error('There are no response times.');
    for (const percentile of [75, 90, 95, 99]) {
      const rank = percentileRank(percentile, 200);
      // Response r of the 200 sorted ones waits (r − 100 − ½) / 100 s, because an arrival is due in the middle of its interval.
      const exactUs = (rank - 100.5) * 10_000;
      const measuredUs = valueAtRank(responseOk, rank);
      expect(measuredUs).toBeGreaterThan(exactUs * 0.99);
      expect(measuredUs).toBeLessThan(exactUs * 1.03 + 20_000 + heldUpUs);
    }
  });

  it('include delays of the generator, service times exclude them, and every due request starts', async () => {
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 1_000, seconds: 0.8 }] };
    const onRuns: ThreadsOptions['onRuns'] = () => setTimeout(() => hold(500), 100);
    const server = await rawServer(({ socket }) => void socket.write(responseText()));
    onTestFinished(() => server.close());
    const driven = await driveThreads({ targets: [server.url], load, onRuns });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 800 });
    const { responseOk, serviceOk, scheduleLag } = driven.cell.times;
    if (responseOk === undefined || serviceOk === undefined || scheduleLag === undefined) throw new Error('There are no times.');
    expect(scheduleLag.totalCount).toBe(800);
    expect(valueAtRank(scheduleLag, 800)).toBeGreaterThan(450_000);
    expect(valueAtRank(responseOk, 800)).toBeGreaterThanOrEqual(valueAtRank(scheduleLag, 800) * 0.99);
    expect(valueAtRank(serviceOk, percentileRank(50, 800))).toBeLessThan(valueAtRank(responseOk, percentileRank(50, 800)));
  });
});
