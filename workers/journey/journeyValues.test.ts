import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { type TestServer } from '#workers/testing/servers.ts';
import { closeServers, serve } from './testing/loginSite.ts';

afterEach(closeServers);

describe('generated values', () => {
  it('are the same for any number of threads', async () => {
    const listValues = async (threads: number): Promise<string[]> => {
      const seen: string[] = [];
      const server = await serve((request, response) => {
        seen.push(request.url ?? '');
        response.end();
      });
      const journey = [{ name: 'page', path: '/{{id}}/{{number}}' }];
      const plan: Partial<PlanInput> = {
        journey,
        seed: 7,
        variables: { id: { kind: 'uuid' }, number: { kind: 'integer', from: 1, to: 99, per: 'user' } },
      };
      await Promise.all(
        Array.from({ length: threads }, (_, thread) => drive({ targets: [server.url], load: users, plan, thread, threads })),
      );
      return seen.sort();
    };
    const thinkTime = { kind: 'fixed' as const, seconds: 0.1 };
    const users: PlanInput['load'] = { model: 'users', thinkTime, stages: [{ users: 6, seconds: 0.55 }] };
    const [one, three] = await Promise.all([listValues(1), listValues(3)]);
    const common = one.filter((value) => three.includes(value));
    // A late timer may prevent the last journey of a user.
    expect(common.length).toBeGreaterThanOrEqual(12);
    expect(new Set(one).size).toBe(one.length);
  });
});

describe('a feed', () => {
  const rows = Array.from({ length: 12 }, (_, index) => [`user${index}`, `pass ${index}`]);
  const feeds = (order: 'sequential' | 'random' | 'unique') => ({ accounts: { columns: ['name', 'password'], rows, order } });
  const journey = [{ name: 'page', path: '/{{accounts.name}}', query: { p: '{{accounts.password}}' } }];

  async function recording(): Promise<{ seen: string[]; server: TestServer }> {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    return { seen, server };
  }

  it('gives each journey the next row', async () => {
    const { seen, server } = await recording();
    await drive({ targets: [server.url], stage: { connections: 1, requests: 24 }, plan: { journey }, feeds: feeds('sequential') });
    expect(seen.slice(0, 2)).toEqual(['/user0?p=pass%200', '/user1?p=pass%201']);
    expect(new Set(seen).size).toBe(12);
  });

  it.each(['sequential', 'random'] as const)('with order %s keeps the row of a user who logs in once', async (order) => {
    const { seen, server } = await recording();
    const [page = { name: 'page' }] = journey;
    const plan = { journey: [{ ...page, name: 'log in', once: true }, page] };
    await drive({ targets: [server.url], load: { model: 'users', stages: [{ users: 3, seconds: 0.3 }] }, plan, feeds: feeds(order) });
    expect(seen.length).toBeGreaterThan(12);
    expect(new Set(seen).size).toBeLessThanOrEqual(3);
  });

  it('gives each user a separate row', async () => {
    const { seen, server } = await recording();
    await drive({
      targets: [server.url],
      stage: { connections: 12, requests: 120 },
      plan: { journey },
      feeds: feeds('unique'),
      threads: 1,
    });
    expect(new Set(seen).size).toBe(12);
  });

  it('starts no more arrivals when it is used up, and attributes them to the load generator', async () => {
    const { seen, server } = await recording();
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 20, seconds: 0.2 }] };
    const driven = await drive({ targets: [server.url], load, plan: { journey }, feeds: feeds('unique') });
    expect(driven.journeys).toMatchObject({ started: 12, finished: 12, notStartedGenerator: 8 });
    expect(new Set(seen).size).toBe(12);
  });
});

describe('a paged list', () => {
  const again = { while: 'skip', first: '0' };
  const rows: PlanInput['journey'] = [
    {
      name: 'rows',
      path: '/rows',
      query: { skip: '{{skip}}' },
      checks: [{ kind: 'json', path: '$.rows[0]' }],
      captures: [{ from: 'json', as: 'skip', path: '$.next', otherwise: '' }],
      again,
    },
    { name: 'end', path: '/end' },
  ];
  /** Serves pages of ten rows; `suggestNext` returns the start of the next page. */
  const listing = (asked: string[], suggestNext: (skip: number) => number | undefined): Promise<TestServer> =>
    serve((request, response) => {
      asked.push(request.url ?? '');
      const skip = Number(/skip=(\d*)/.exec(request.url ?? '')?.[1]);
      response.end(JSON.stringify({ rows: [skip], next: suggestNext(skip) }));
    });

  it('is read to its last page in each journey, with one request of its step per page', async () => {
    const asked: string[] = [];
    const server = await listing(asked, (skip) => (skip < 20 ? skip + 10 : undefined));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 4 }, plan: { journey: rows } });
    expect(driven.cell.errors).toEqual({});
    const journey = ['/rows?skip=0', '/rows?skip=10', '/rows?skip=20', '/end'];
    expect(asked).toEqual([...journey, ...journey]);
    expect(driven.steps.map(({ outcomes }) => outcomes)).toEqual([{ ok: 6 }, { ok: 2 }]);
    expect(driven.journeys).toMatchObject({ started: 2, finished: 2 });
  });

  it('fails if it does not end or repeats a page', async () => {
    for (const [suggestNext, sent] of [
      [(skip: number) => skip + 10, 5],
      [(skip: number) => Math.min(10, skip + 10), 2],
    ] as const) {
      const server = await listing([], suggestNext);
      const journey = rows.map((step) => (step.again === undefined ? step : { ...step, again: { ...again, most: 5 } }));
      const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey } });
      expect(Object.keys(driven.cell.errors)).toEqual([expect.stringMatching(/^NO_LAST_PAGE .*@check$/)]);
      expect(driven.steps.map(({ started }) => started)).toEqual([sent, 0]);
      expect(driven.journeys).toMatchObject({ finished: 0, abandoned: 1 });
    }
  });

  it('ends at a page that fails its check', async () => {
    const server = await serve((_, response) => void response.end('{"rows":[],"next":10}'));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey: rows } });
    expect(driven.steps.map(({ started, outcomes }) => [started, outcomes])).toEqual([
      [1, { wrongBody: 1 }],
      [0, {}],
    ]);
  });
});
