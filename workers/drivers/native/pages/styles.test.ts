import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import type { Cell } from '#core/measurement/window.ts';
import { drive, type DriveResult, type DriveOptions } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const FILES: Readonly<Record<string, string>> = {
  '/': `<html><head><link rel=stylesheet href=/css/main.css><style>@import "/inline.css"; .c { background: url(inline.png) }</style></head>
    <body><p class=a>Text<p class=b>Text<p class=c style="cursor: url(attribute.cur), auto">Text</body></html>`,
  '/two': '<link rel=stylesheet href=/css/main.css><p class=a>Text<p class=late>Text',
  '/css/main.css': `@import "deep/first.css"; @import url(paper.css) print; @font-face { font-family: f; src: url(f.woff2) }
    body { font-family: f } .a { background: url(../a.png) } .b { background: url(overruled.png) } .unused { background: url(unused.png) }
    .late { background: url(late.png) }`,
  '/css/deep/first.css': '@import "second.css"; .a { background: url(weaker.png) }',
  '/css/deep/second.css': '.b { background: url(second.png) !important }',
  '/inline.css': '@import "/inline.css"; i { color: red }',
};
const TYPES: Readonly<Record<string, string>> = { css: 'text/css', png: 'image/png', cur: 'image/png', woff2: 'font/woff2' };
/** Requests of a browser, in about this order. */
const HOME_REQUESTS = [
  '/',
  '/css/main.css',
  '/inline.css',
  '/css/deep/first.css',
  '/css/paper.css',
  '/css/deep/second.css',
  '/a.png',
  '/css/deep/second.png',
  '/inline.png',
  '/attribute.cur',
  '/css/f.woff2',
];

interface Site {
  readonly server: TestServer;
  readonly seen: string[];
  readonly referers: Map<string, string>;
}

async function newSite(files: Readonly<Record<string, string>> = FILES, broken: readonly string[] = []): Promise<Site> {
  const seen: string[] = [];
  const referers = new Map<string, string>();
  const failing = new Set(broken);
  const server = await httpServer((request, response) => {
    const path = request.url ?? '/';
    seen.push(path);
    referers.set(path, (request.headers.referer ?? '').replace(/^http:\/\/[^/]*/, ''));
    response.setHeader('Content-Type', TYPES[path.split('.')[1] ?? ''] ?? 'text/html; charset=utf-8');
    if (failing.delete(path)) response.statusCode = 500;
    const isPacked = path.endsWith('.css');
    if (isPacked) response.setHeader('Content-Encoding', 'gzip');
    setTimeout(() => response.end(isPacked ? gzipSync(files[path] ?? '') : (files[path] ?? 'x')), 5);
  });
  opened.push(server);
  return { server, seen, referers };
}

type StepInput = PlanInput['journey'][number];
const home: StepInput = { name: 'home', path: '/', resources: {} };
const two: StepInput = { name: 'two', path: '/two', resources: {} };

function visit({ server }: Site, journey: PlanInput['journey'], options: Partial<DriveOptions> = {}): Promise<DriveResult> {
  const stage = { connections: 1, requests: 1 };
  return drive({ targets: [server.url], stage, ...options, plan: { cookies: 'journey', ...options.plan, journey } });
}

function findCell(driven: DriveResult, journey: PlanInput['journey'], name: string): Cell | undefined {
  const load = { model: 'connections', stages: [{ connections: 1, requests: 1 }] } as const;
  const plan = planSchema.parse({ holdfast: 1, name: 'test', targets: [{ url: 'http://a/' }], journey, load });
  return driven.steps[listRecordedRequests(plan).findIndex((request) => request.name === name)];
}

describe('resources of style sheets', () => {
  it('are fetched with the page in the order of a browser, and counted by kind as on the server', async () => {
    const found = await newSite();
    const driven = await visit(found, [home], { stage: { connections: 1, requests: 3 } });
    expect(discrepancies(driven, found.server.requests)).toEqual([]);
    // Concurrent requests may arrive in any order.
    const [sheets, rest] = [HOME_REQUESTS.slice(0, 6), HOME_REQUESTS.slice(6)];
    for (const time of [0, 1, 2]) {
      const seen = found.seen.slice(time * HOME_REQUESTS.length, (time + 1) * HOME_REQUESTS.length);
      expect([seen.slice(0, 6).toSorted(), seen.slice(6).toSorted()]).toEqual([sheets.toSorted(), rest.toSorted()]);
    }
    const of = (kind: string): [number | undefined, number | undefined] => {
      const cell = findCell(driven, [home], `home › ${kind}`);
      return [cell?.outcomes.ok, cell?.times.perPage?.maxValue];
    };
    expect(['style sheets', 'images', 'fonts'].map(of)).toEqual([
      [15, 5],
      [12, 4],
      [3, 1],
    ]);
    expect(driven.steps[0]?.times.page?.totalCount).toBe(3);
    // The style sheets come one after the other, and the images follow: this takes at least four times 5 ms.
    expect(driven.steps[0]?.times.page?.minNonZeroValue).toBeGreaterThan(4 * 4_500);
  });

  it('are requested with the style sheet as Referer', async () => {
    const found = await newSite();
    await visit(found, [home]);
    expect(HOME_REQUESTS.slice(1).map((path) => found.referers.get(path))).toEqual([
      '/',
      '/',
      '/css/main.css',
      '/css/main.css',
      '/css/deep/first.css',
      '/css/main.css',
      '/css/deep/second.css',
      '/',
      '/',
      '/css/main.css',
    ]);
  });

  it('are found in style sheets that the user already has', async () => {
    const found = await newSite();
    await visit(found, [home, two], { stage: { connections: 1, requests: 2 } });
    expect(found.seen.slice(HOME_REQUESTS.length)).toEqual(['/two', '/css/late.png']);
  });

  it('are limited to the kinds in the plan, one after the other in serial mode', async () => {
    const found = await newSite();
    await visit(found, [{ ...home, resources: { kinds: ['font', 'css'], how: 'serial' } }]);
    expect([found.seen.toSorted(), found.server.peakConnections]).toEqual([
      HOME_REQUESTS.filter((path) => !/png|cur/.test(path)).toSorted(),
      1,
    ]);
    const without = await newSite();
    await visit(without, [{ ...home, resources: { kinds: ['image', 'font'] } }]);
    expect(without.seen.toSorted()).toEqual(['/', '/attribute.cur', '/inline.png']);
  });

  it('are skipped and reported if they are on another host', async () => {
    const found = await newSite({
      '/': '<link rel=stylesheet href=/a.css><p>x',
      '/a.css': '@import "http://127.0.0.3:1/x.css"; p { background: url(//127.0.0.3:1/x.png) }',
    });
    const driven = await visit(found, [home], { onRun: (run) => void (left = run) });
    expect([found.seen, driven.cell.started, left]).toMatchObject([['/', '/a.css'], 2, { leftOut: { '127.0.0.3:1': 2 } }]);
  });
});

let left: unknown = null;

describe('a page with style sheets', () => {
  it('is incomplete if an import or an image failed, and the next page requests the failed resources again', async () => {
    const found = await newSite(FILES, ['/css/deep/second.css', '/a.png']);
    const driven = await visit(found, [home, two], { stage: { connections: 1, requests: 2 } });
    expect(driven.steps[0]?.times.pageFailed?.totalCount).toBe(1);
    expect(found.seen.slice(found.seen.indexOf('/two'), -2)).toEqual(['/two', '/css/deep/second.css']);
    expect(found.seen.slice(-2).toSorted()).toEqual(['/a.png', '/css/late.png']);
  });

  it('follows circular, deep or numerous imports only up to the limits', async () => {
    const circle = await newSite({
      '/': '<link rel=stylesheet href=/a.css><p>x',
      '/a.css': '@import "b.css";',
      '/b.css': '@import "a.css"; @import "b.css";',
    });
    await visit(circle, [home]);
    expect(circle.seen).toEqual(['/', '/a.css', '/b.css']);
    const chain = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/${at}.css`, `@import "${at + 1}.css";`]));
    const endless = await newSite({ '/': '<link rel=stylesheet href=/0.css>', ...chain });
    await visit(endless, [home]);
    expect(endless.seen).toEqual(['/', ...[0, 1, 2, 3, 4, 5].map((at) => `/${at}.css`)]);
    const many = await newSite({
      '/': '<link rel=stylesheet href=/a.css>',
      '/a.css': Array.from({ length: 200 }, (_, at) => `@import "/${at}.css";`).join(''),
    });
    await visit(many, [home]);
    expect(many.seen).toHaveLength(2 + 50);
  });

  it('ignores style sheets with another content type', async () => {
    const found = await newSite({ '/': '<link rel=stylesheet href=/a.html><p>x', '/a.html': 'p { background: url(a.png) }' });
    await visit(found, [home]);
    expect(found.seen).toEqual(['/', '/a.html']);
  });
});
