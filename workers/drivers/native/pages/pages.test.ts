import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { Cell } from '#core/measurement/window.ts';
import { drive, type DriveResult, type DriveOptions } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import type { LegRun } from '#workers/legRun.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const HOME = `<html><head><link rel="stylesheet" href="/a.css"><script src="/b.js"></script><link rel="icon" href="/i.ico"></head>
  <body>${Array.from({ length: 9 }, (_, index) => `<img src="/p${index}.png">`).join('')}<img src="/p0.png#again">
  <img src="http://elsewhere.example/pixel.png"></body></html>`;
const PAGES: Readonly<Record<string, string>> = {
  '/': HOME,
  '/two': '<img src="/p1.png"><img src="/two.png"><link rel=stylesheet href=/a.css>',
};

interface Site {
  readonly server: TestServer;
  readonly seen: string[];
  /** Maximum number of concurrent requests for resources so far. */
  most: number;
}

/** Starts a site whose resources are delayed, so that requests overlap. */
async function newSite(
  change: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
  resourceMs = 5,
): Promise<Site> {
  const seen: string[] = [];
  let now = 0;
  const server = await httpServer((request, response) => {
    const path = request.url ?? '/';
    seen.push(path);
    if (change(request, response)) return;
    const page = PAGES[path];
    if (page !== undefined) response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
    else {
      now += 1;
      found.most = Math.max(found.most, now);
      setTimeout(() => {
        now -= 1;
        response.end('x'.repeat(10 + path.length));
      }, resourceMs);
    }
  });
  const found: Site = { server, seen, most: 0 };
  opened.push(server);
  return found;
}

type StepInput = PlanInput['journey'][number];
const home: StepInput = { name: 'home', path: '/', resources: {} };
const two: StepInput = { name: 'two', path: '/two', resources: {} };

function visit({ server }: Site, journey: PlanInput['journey'], options: Partial<DriveOptions> = {}): Promise<DriveResult> {
  return drive({
    targets: [server.url],
    stage: { connections: 2, requests: 6 },
    ...options,
    plan: { cookies: 'journey', ...options.plan, journey },
  });
}

function findCell(driven: DriveResult, journey: PlanInput['journey'], name: string): Cell {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://a/' }],
    journey,
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
  });
  const cell = driven.steps[listRecordedRequests(plan).findIndex((request) => request.name === name)];
  if (cell === undefined) throw new Error(`Nothing is called ${name}.`);
  return cell;
}

const counts = (cell: Cell): (number | undefined)[] => [cell.times.page?.totalCount, cell.times.pageFailed?.totalCount];

describe('resources of a page', () => {
  it('are fetched over six connections, once each, and counted by kind as on the server', async () => {
    const found = await newSite();
    const driven = await visit(found, [home], { stage: { connections: 1, requests: 3 } });
    expect(discrepancies(driven, found.server.requests)).toEqual([]);
    expect(found.seen).toHaveLength(3 * 13);
    const of = (name: string): number | undefined => findCell(driven, [home], name).outcomes.ok;
    expect(['home', 'home › style sheets', 'home › scripts', 'home › icons', 'home › images'].map(of)).toEqual([3, 3, 3, 3, 27]);
    expect(found.most).toBe(6);
    expect(found.server.peakConnections).toBe(6);
    expect(counts(driven.steps[0] ?? driven.cell)).toEqual([3, undefined]);
    expect(findCell(driven, [home], 'home › images').times.perPage?.maxValue).toBe(9);
    // Different resources have different lengths, so this is not a deviation.
    expect(driven.cell.bodyLengthDiffers).toBe(0);
  });

  it('are fetched one after the other in serial mode, limited to the kinds in the plan', async () => {
    const found = await newSite();
    const serial: StepInput = { ...home, resources: { how: 'serial', kinds: ['image', 'css'] } };
    const driven = await visit(found, [serial], { stage: { connections: 1, requests: 2 } });
    expect([found.most, found.server.connections, found.seen.length]).toEqual([1, 1, 2 * 11]);
    expect(driven.cell.outcomes).toEqual({ ok: 22 });
    // The page takes at least as long as ten resources one after the other.
    expect(driven.steps[0]?.times.page?.minNonZeroValue).toBeGreaterThan(9 * 4_500);
  });

  it('come from tags only with `reads: tags`: style sheets are not read, and redirects not followed', async () => {
    const found = await newSite((request, response) => {
      if (request.url === '/') {
        const page =
          '<html><link rel="alternate" href="/feed"><link rel=stylesheet href="/s.css"><noscript><img src="/old.png"></noscript>';
        response.setHeader('Content-Type', 'text/html').end(`${page}<img srcset="/big.png 2x" src="/small.png" loading="lazy">`);
      } else if (request.url === '/s.css')
        response.setHeader('Content-Type', 'text/css').end('@import "/t.css"; html { background: url(/bg.png) }');
      else if (request.url === '/old.png') response.writeHead(302, { Location: '/new.png' }).end();
      else return false;
      return true;
    });
    const tags: StepInput = { ...home, resources: { how: 'serial', reads: 'tags', kinds: ['css', 'image', 'icon'] } };
    const driven = await visit(found, [tags], { stage: { connections: 1, requests: 1 } });
    expect(found.seen).toEqual(['/', '/feed', '/s.css', '/old.png', '/small.png']);
    expect(driven.cell.outcomes).toEqual({ ok: 5 });
  });

  it('are fetched once per journey, or once per user if the user keeps cookies', async () => {
    const found = await newSite();
    await visit(found, [home, two], { stage: { connections: 1, requests: 4 } });
    // The second page fetches only what the first page did not.
    expect(found.seen).toHaveLength(2 * (13 + 2));
    const kept = await newSite();
    const driven = await visit(kept, [home, two], { stage: { connections: 1, requests: 4 }, plan: { cookies: 'user' } });
    expect(kept.seen).toHaveLength(13 + 2 + 2);
    expect(counts(driven.steps[0] ?? driven.cell)).toEqual([2, undefined]);
  });

  it('are found in compressed pages and after redirects, even if a resource is itself redirected', async () => {
    const found = await newSite((request, response) => {
      if (request.url === '/go') response.writeHead(302, { Location: '/' }).end();
      else if (request.url === '/p3.png') response.writeHead(301, { Location: '/moved/p3.png' }).end();
      else if (request.url === '/' && request.headers['accept-encoding'] === 'gzip') {
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(gzipSync(HOME));
      } else return false;
      return true;
    });
    const step: StepInput = { ...home, path: '/go', redirects: { follow: true }, headers: { 'Accept-Encoding': 'gzip' } };
    const driven = await visit(found, [step], { stage: { connections: 1, requests: 1 } });
    expect(found.seen.toSorted()).toEqual(
      ['/', '/a.css', '/b.js', '/go', '/i.ico', '/moved/p3.png', ...Array.from({ length: 9 }, (_, index) => `/p${index}.png`)].toSorted(),
    );
    expect(driven.cell.statuses).toEqual(
      new Map([
        [200, 13],
        [301, 1],
        [302, 1],
      ]),
    );
    expect([driven.cell.outcomes, counts(driven.cell)]).toEqual([{ ok: 15 }, [1, undefined]]);
  });

  it('are requested in the order of a browser; icons and lazy images come after the page has ended', async () => {
    const page = `<head><link rel=icon href=/i.ico><script src=/late.js async></script><link rel=stylesheet href=/a.css><script src=/b.js></script></head>
      <img src=/p.png width=9 height=9><img src=/q.png width=9 height=9><img src=/lazy.png loading=lazy>`;
    const responded: string[] = [];
    const held: ServerResponse[] = [];
    const whenAsked = new Map<string, readonly string[]>();
    const found = await newSite((request, response) => {
      const path = request.url ?? '';
      whenAsked.set(path, [...responded]);
      response.on('finish', () => responded.push(path));
      // The server responds to resources that block the body only after the browser has requested an image.
      if (path === '/p.png') for (const holding of held.splice(0)) holding.end('x');
      if (path === '/a.css' || path === '/b.js') held.push(response);
      else if (path === '/lazy.png') response.writeHead(404).end();
      else if (path === '/') response.setHeader('Content-Type', 'text/html').end(page);
      else return false;
      return true;
    }, 20);
    const driven = await visit(found, [home], { stage: { connections: 1, requests: 1 } });
    // Two resources that do not block the body are requested before it starts.
    expect(found.seen).toEqual(['/', '/a.css', '/b.js', '/late.js', '/p.png', '/q.png', '/i.ico', '/lazy.png']);
    expect(whenAsked.get('/p.png')).toEqual(['/']);
    expect(whenAsked.get('/q.png')?.length).toBeGreaterThan(1);
    expect(whenAsked.get('/i.ico')).toHaveLength(6);
    expect(counts(driven.steps[0] ?? driven.cell)).toEqual([1, undefined]);
    expect(findCell(driven, [home], 'home › images').outcomes).toEqual({ ok: 2, httpError: 1 });
  });

  it('are requested with the cookies of the user, and may set cookies', async () => {
    const cookies: string[] = [];
    const found = await newSite((request, response) => {
      if (request.url === '/') response.setHeader('Set-Cookie', 'sid=1; Path=/');
      if (request.url === '/a.css') response.setHeader('Set-Cookie', 'seen=2; Path=/');
      if (request.url === '/two' || request.url === '/b.js') cookies.push(request.headers.cookie ?? '-');
      return false;
    });
    await visit(found, [home, two], { stage: { connections: 1, requests: 2 } });
    expect(cookies).toEqual(['sid=1', 'sid=1; seen=2']);
  });
});

describe('a page is incomplete', () => {
  it('if a resource fails or does not arrive: each counts as a failed request', async () => {
    const found = await newSite((request, response) => {
      if (request.url === '/p2.png') response.writeHead(404).end();
      else if (request.url === '/p4.png') request.socket.destroy();
      else return false;
      return true;
    });
    const driven = await visit(found, [home], { stage: { connections: 1, requests: 2 } });
    expect(counts(driven.cell)).toEqual([undefined, 2]);
    const images = findCell(driven, [home], 'home › images');
    expect(images.outcomes).toEqual({ ok: 14, httpError: 2, reset: 2 });
    expect(driven.settled).toBe(driven.cell.started);
    // The journey continues, because people view a page even if an image is missing.
    expect(driven.journeys).toMatchObject({ started: 2, finished: 2 });
  });

  it('if the document is an error, and no resource is fetched then', async () => {
    const found = await newSite((request, response) => {
      if (request.url !== '/') return false;
      response.writeHead(500, { 'Content-Type': 'text/html' }).end(HOME);
      return true;
    });
    const driven = await visit(found, [home], { stage: { connections: 1, requests: 2 } });
    expect([found.seen, counts(driven.cell)]).toEqual([
      ['/', '/'],
      [undefined, 2],
    ]);
  });
});

describe('other hosts', () => {
  it("are skipped and reported, or fetched without the target's headers if the plan lists them", async () => {
    const headers: (string | undefined)[] = [];
    const cdn = await httpServer((request, response) => {
      headers.push(request.headers.authorization, request.headers.cookie, request.headers.referer);
      response.end('x');
    }, '127.0.0.2');
    opened.push(cdn);
    const page = `<img src="${cdn.url}one.png"><img src=/own.png><img src="//127.0.0.3:1/x.png">`;
    const found = await newSite((request, response) => {
      if (request.url !== '/') return false;
      response.setHeader('Set-Cookie', 'sid=1; Path=/');
      response.setHeader('Content-Type', 'text/html').end(page);
      return true;
    });
    const options = { stage: { connections: 1, requests: 1 }, headers: { Authorization: 'Bearer x', Cookie: 'a=b' } };
    let run: LegRun | null = null;
    const none = await visit(found, [home], options);
    expect([none.cell.started, cdn.requests]).toEqual([2, 0]);
    const listed: StepInput = { ...home, resources: { otherHosts: [`127.0.0.2:${cdn.port}`] } };
    const driven = await visit(found, [listed], {
      ...options,
      onRun: (running) => {
        run = running;
      },
    });
    expect([driven.cell.outcomes, cdn.requests]).toEqual([{ ok: 3 }, 1]);
    expect(headers).toEqual([undefined, undefined, undefined]);
    expect(run).toHaveProperty('leftOut', { '127.0.0.3:1': 1 });
  });
});

describe('the end of a load of pages', () => {
  it('lets started pages load completely, and counts them', async () => {
    const found = await newSite(undefined, 60);
    const load: PlanInput['load'] = { model: 'users', stages: [{ users: 2, seconds: 0.2, startUpSeconds: 0 }] };
    const driven = await visit(found, [home], { load });
    expect(discrepancies(driven, found.server.requests)).toEqual([]);
    const [whole = 0, failed] = counts(driven.cell);
    expect([whole, failed]).toEqual([driven.steps[0]?.started, undefined]);
  });

  it('requests nothing more after the run is stopped', async () => {
    const found = await newSite(undefined, 100);
    const driven = await visit(found, [home], {
      stage: { connections: 1, seconds: 30 },
      onRun: (run) => {
        const timer = setInterval(() => {
          if (found.most === 0) return;
          clearInterval(timer);
          run.drain();
        }, 1);
      },
    });
    // Four resources were in flight: two that block the body, and two images.
    expect([found.seen.length, driven.settled, driven.inFlight]).toEqual([5, 5, 0]);
    expect(counts(driven.cell)).toEqual([undefined, undefined]);
  });

  it('sends exactly as many requests as the budget allows', async () => {
    const found = await newSite();
    const driven = await visit(found, [home], { stage: { connections: 1, requests: 100 }, budget: 20 });
    expect([driven.cell.started, found.server.requests, driven.inFlight]).toEqual([20, 20, 0]);
  });
});
