import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { createHistogram, valueAtRank } from '#core/statistics/histogram.ts';
import { drive } from '#workers/testing/drive.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
  const server = await httpServer(handle);
  opened.push(server);
  return server;
}

describe('a poll', () => {
  const until = [{ kind: 'json' as const, path: '$.status', equals: 'done' }];
  const poll = { until, firstSeconds: 0.02, factor: 2, mostSeconds: 5 };

  async function evaluating(polls: number, times: number[] = []): Promise<TestServer> {
    let asked = 0;
    return serve((_, response) => {
      asked += 1;
      times.push(performance.now());
      response.end(JSON.stringify({ status: asked % polls === 0 ? 'done' : 'running', id: asked }));
    });
  }

  it('repeats the request after growing pauses until the response is final; each request counts', async () => {
    const times: number[] = [];
    const server = await evaluating(4, times);
    const journey: PlanInput['journey'] = [
      { name: 'status', path: '/status', poll, captures: [{ from: 'json', as: 'id', path: '$.id' }] },
      { name: 'done', path: '/done/{{id}}', checks: [{ kind: 'contains', text: '"id"' }] },
    ];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey } });
    expect(driven.cell.errors).toEqual({});
    expect(driven.steps.map(({ started, outcomes }) => [started, outcomes.ok])).toEqual([
      [4, 4],
      [1, 1],
    ]);
    expect(driven.journeys).toMatchObject({ started: 1, finished: 1 });
    const [status] = driven.steps;
    expect([status?.waitsBegun, status?.times.waited?.totalCount]).toEqual([1, 1]);
    // The pauses are 20 + 40 + 80 ms, in microseconds.
    expect(valueAtRank(status?.times.waited ?? createHistogram(), 1)).toBeGreaterThan(130_000);
    const pauses = times.slice(1, 4).map((time, index) => time - (times[index] ?? 0));
    for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThan(20 * 2 ** index - 2);
  });

  it('works in a load of users', async () => {
    const server = await evaluating(3);
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 1, seconds: 0.5 }] };
    const driven = await drive({ targets: [server.url], load, plan: { journey: [{ name: 'status', poll }] } });
    expect(driven.cell.errors).toEqual({});
    expect(driven.journeys.finished).toBeGreaterThan(1);
    // A poll that is in progress at the end of the load is awaited.
    expect(driven.cell.started).toBe(3 * driven.journeys.finished);
    expect(driven.journeys.abandoned).toBe(0);
  });

  const slow: PlanInput['journey'] = [{ name: 'status', poll: { ...poll, firstSeconds: 0.3, factor: 1 } }, { name: 'next' }];
  it.each<[string, PlanInput['load']]>([
    ['users', { model: 'users', stages: [{ users: 2, seconds: 0.2 }] }],
    ['connections', { model: 'connections', stages: [{ connections: 2, seconds: 0.2 }] }],
  ])('in a load of %s continues after the end of the load until the result, and sends no further request', async (_, load) => {
    let asked = 0;
    const server = await serve((_request, response) => {
      asked += 1;
      response.end(JSON.stringify({ status: asked > 2 ? 'done' : 'running' }));
    });
    const driven = await drive({ targets: [server.url], load, plan: { journey: slow } });
    expect([driven.steps[0]?.waitsBegun, driven.steps[0]?.times.waited?.totalCount]).toEqual([2, 2]);
    expect(driven.steps[1]?.started).toBe(0);
  });

  it.each<[string, PlanInput['load']]>([
    [
      'arrivals',
      {
        model: 'arrivals',
        stages: [
          { kind: 'count', arrivals: 3, seconds: 0.2, counted: false },
          { kind: 'count', arrivals: 2, seconds: 0.2 },
        ],
      },
    ],
    [
      'users',
      {
        model: 'users',
        stages: [
          { users: 2, seconds: 0.2, counted: false },
          { users: 2, seconds: 0.2 },
        ],
      },
    ],
  ])('in a load of %s counts in the stage in which the poll began', async (_, load) => {
    const users = new Map<string, number>();
    const server = await serve((request, response) => {
      const polls = (users.get(request.url ?? '') ?? 0) + 1;
      users.set(request.url ?? '', polls);
      response.end(JSON.stringify({ status: polls > 3 ? 'done' : 'running' }));
    });
    const journey: PlanInput['journey'] = [{ name: 'status', path: '/{{id}}', poll: { ...poll, firstSeconds: 0.1, factor: 1 } }];
    const driven = await drive({ targets: [server.url], load, plan: { journey, variables: { id: { kind: 'uuid', per: 'journey' } } } });
    const cells = driven.windows.flatMap((window) => window.cells);
    const sumOf = (of: (cell: (typeof cells)[number]) => number, stage: number): number =>
      cells.reduce((sum, cell) => sum + (cell.stage === stage ? of(cell) : 0), 0);
    for (const stage of [0, 1]) {
      const begun = sumOf(({ waitsBegun }) => waitsBegun, stage);
      expect([begun, sumOf(({ times }) => times.waited?.totalCount ?? 0, stage), sumOf(({ started }) => started, stage)]).toEqual([
        begun,
        begun,
        4 * begun,
      ]);
    }
    expect(sumOf(({ waitsBegun }) => waitsBegun, 0)).toBeGreaterThan(0);
  });

  it('is pending if the drain ends before its result', async () => {
    const server = await evaluating(1_000_000);
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 2, seconds: 0.2 }] };
    const driven = await drive({ targets: [server.url], load, plan: { journey: slow, drainSeconds: 0.5 } });
    expect([driven.steps[0]?.waitsBegun, driven.steps[0]?.times.waited]).toEqual([2, undefined]);
    expect(driven.cell.errors).toEqual({});
    expect(driven.journeys).toMatchObject({ started: 2, finished: 0 });
  });

  it('of a confirming step is sent even after the end of the load', async () => {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.end('done');
    });
    const pause = { kind: 'fixed', seconds: 0.3 } as const;
    const journey: PlanInput['journey'] = [
      { name: 'send', path: '/send', thinkTime: pause },
      { name: 'list', path: '/list', confirms: 'send', thinkTime: pause },
      { name: 'next', path: '/next' },
    ];
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 2, seconds: 0.2 }] };
    await drive({ targets: [server.url], load, plan: { journey } });
    expect(seen.toSorted()).toEqual(['/list', '/list', '/send', '/send']);
  });

  it('counts as begun with its first request, even if that request fails', async () => {
    const server = await serve((_request, response) => response.writeHead(500).end());
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey: slow } });
    expect(driven.steps[0]).toMatchObject({ waitsBegun: 1, outcomes: { httpError: 1 } });
  });

  it('fails if it takes too long', async () => {
    const server = await evaluating(1_000_000);
    const journey = [{ name: 'status', poll: { ...poll, mostSeconds: 0.1 } }, { name: 'next' }];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey } });
    expect(Object.keys(driven.cell.errors)).toEqual([expect.stringMatching(/^WAITED_IN_VAIN .*@check$/)]);
    expect(driven.steps[1]?.started).toBe(0);
    expect([driven.steps[0]?.waitsBegun, driven.steps[0]?.times.waited]).toEqual([1, undefined]);
    expect(driven.journeys).toMatchObject({ finished: 0, abandoned: 1 });
  });
});
