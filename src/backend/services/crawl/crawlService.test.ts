import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StreamInput, StreamItem } from '#contract/api.ts';
import type { CrawlReport } from '#core/work/crawl/report.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';

let backend: TestBackend;
const servers: TestServer[] = [];
beforeEach(async () => {
  backend = await startTestBackend();
});
afterEach(async () => {
  await backend.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Start</title><a href="/one">1</a><a href="/gone">gone</a><a href="/moved">m</a><a href="http://elsewhere.example/">e</a><a href="/logout">out</a><img src="/a.png">',
  '/one':
    '<title>One</title><a href="/slow#part">s</a><a href="/"></a><img src="/a.png"><img src="/missing.png"><link rel=stylesheet href=/a.css>',
  '/slow': '<title>Slow</title><a href="/deep">d</a>',
  '/deep': '<title>Deep</title>',
};

interface Site {
  readonly server: TestServer;
  readonly seen: string[];
}

async function startSite(): Promise<Site> {
  const seenNames: string[] = [];
  let now = 0;
  const server = await httpServer((request, response) => {
    const path = request.url ?? '/';
    now += 1;
    seenNames.push(now === 1 ? path : `${path} beside another`);
    response.on('close', () => {
      now -= 1;
    });
    const page = PAGES[path];
    const html = { 'Content-Type': 'text/html' };
    if (path === '/moved') response.writeHead(302, { Location: '/one' }).end();
    else if (path === '/gone' || path === '/missing.png') response.writeHead(404, html).end('<a href="/from-an-error">no</a>');
    else if (path === '/slow') setTimeout(() => response.writeHead(200, html).end(page), 80);
    else if (page !== undefined) response.writeHead(200, { ...html, 'Set-Cookie': 'seen=1' }).end(page);
    else response.end('x'.repeat(100));
  });
  servers.push(server);
  return { server, seen: seenNames };
}

function crawlSite(input: StreamInput<'sites.crawl'>): Promise<{ items: StreamItem<'sites.crawl'>[]; report: CrawlReport | null }> {
  const items: StreamItem<'sites.crawl'>[] = [];
  return new Promise((resolve, reject) => {
    backend.client.open('sites.crawl', input, {
      onItem: (item) => items.push(item),
      onEnd: (problem) => (problem ? reject(problem) : resolve({ items, report: items.at(-1)?.report ?? null })),
    });
  });
}

describe('crawling a site', () => {
  it('visits each page once with its resources, one request at a time, and finds slow pages and errors', async () => {
    const { server, seen } = await startSite();
    const { items, report } = await crawlSite({ target: { url: server.url } });
    expect(seen).toEqual(['/', '/a.png', '/one', '/missing.png', '/a.css', '/gone', '/moved', '/one', '/slow', '/deep']);
    expect(report?.pages.map(({ path, status, title, depth, landedOn }) => [path, status, title, depth, landedOn])).toEqual([
      ['/', 200, 'Start', 0, null],
      ['/one', 200, 'One', 1, null],
      ['/gone', 404, '', 1, null],
      ['/moved', 200, '', 1, `${server.url}one`],
      ['/slow', 200, 'Slow', 2, null],
      ['/deep', 200, 'Deep', 3, null],
    ]);
    expect(report?.wrong.map(({ url, kind, why }) => [url, kind, why])).toEqual([
      [`${server.url}missing.png`, 'image', 'status 404'],
      [`${server.url}gone`, 'page', 'status 404'],
    ]);
    expect(report).toMatchObject({
      endedBy: 'all',
      notVisited: 0,
      otherHosts: { 'elsewhere.example': 1 },
      avoided: [`${server.url}logout`],
    });
    const slowPage = report?.pages.find(({ path }) => path === '/slow');
    expect(slowPage?.ms).toBeGreaterThan(75);
    expect(report?.pages.find(({ path }) => path === '/one')).toMatchObject({ resources: { css: 1, image: 2 } });
    expect(items.length).toBeGreaterThan(1);
  });

  it('respects its limits', async () => {
    const { server, seen } = await startSite();
    const { report } = await crawlSite({ target: { url: server.url }, bounds: { maxPages: 2, resources: false } });
    expect([seen, report?.endedBy]).toEqual([['/', '/one'], 'pages']);
    const quick = await crawlSite({ target: { url: `${server.url}slow` }, bounds: { maxSeconds: 0.03 } });
    expect(quick.report?.endedBy).toBe('seconds');
    expect(quick.report?.pages.length).toBeLessThanOrEqual(1);
  });

  it('asks before it crawls a host that may belong to someone else', async () => {
    const refused = crawlSite({ target: { url: 'http://public.example.org/' } });
    await expect(refused).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    await expect(refused).rejects.toBeInstanceOf(HoldfastError);
  });

  it('reports what it found when it is stopped', async () => {
    const { server, seen } = await startSite();
    const items: StreamItem<'sites.crawl'>[] = [];
    await new Promise<void>((resolve, reject) => {
      backend.client.open(
        'sites.crawl',
        { crawlId: 'mine', target: { url: server.url } },
        {
          onItem(item) {
            items.push(item);
            if (item.now.endsWith('/slow')) backend.client.call('sites.stopCrawl', { crawlId: 'mine' }).catch(reject);
          },
          onEnd: (problem) => (problem ? reject(problem) : resolve()),
        },
      );
    });
    const report = items.at(-1)?.report;
    expect(report?.endedBy).toBe('stopped');
    expect(report?.pages.map(({ path }) => path)).toContain('/one');
    expect(seen).not.toContain('/deep');
    // Stopping a crawl that has finished is not an error.
    expect(await backend.client.call('sites.stopCrawl', { crawlId: 'mine' })).toEqual({});
  });

  it('stops when its reader leaves', async () => {
    const { server, seen } = await startSite();
    await new Promise<void>((resolve) => {
      const leave = backend.client.open(
        'sites.crawl',
        { target: { url: server.url } },
        {
          onItem() {
            leave();
            resolve();
          },
          onEnd() {},
        },
      );
    });
    await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const { length } = seen;
    await crawlSite({ target: { url: `${server.url}deep` } });
    expect(seen.filter((path) => path !== '/deep').length - length).toBeLessThanOrEqual(1);
  });
});
