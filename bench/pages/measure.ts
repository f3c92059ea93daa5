import { once } from 'node:events';
import { type IncomingMessage, request as ask } from 'node:http';
import { request as askSecurely } from 'node:https';
import { json } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { launchBrowser } from '#backend/visits/browser.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { cert, key } from '#workers/testing/certificate.ts';
import { startServer } from '../targets/startServer.ts';
import { loadByBrowser } from './browserLoad.ts';
import { type BrowserRound, compare, type Comparison, type ModelRound } from './compare.ts';
import { LOG_PATH, type ProxiedRequest, proxiedRequestSchema, type ProxySettings } from './proxySettings.ts';
import type { Subject } from './subjects.ts';
import { drive } from '#workers/testing/drive.ts';

/** Range of a delay of responses at which the network dominates, and not the browser's processor time. */
const DELAY_MS = { least: 100, most: 200 };

export interface Measured {
  readonly title: string;
  readonly isDelayed: boolean;
  readonly comparison: Comparison;
}

/** Measures every page of a subject with the model and with a browser. Throws if a page cannot be loaded. */
export async function measureSubject(subject: Subject, times: number, signal: AbortSignal): Promise<Measured[]> {
  const runningSubject = await subject.start();
  try {
    const measured: Measured[] = [];
    for (const page of runningSubject.pages)
      for (const way of WAYS) {
        if (way.isHttp2 && !subject.http2) continue;
        signal.throwIfAborted();
        const comparison = await measurePage(page.url, way, times);
        measured.push({ title: `${page.title}${way.words}`, isDelayed: way.isDelayed, comparison });
      }
    return measured;
  } finally {
    await runningSubject.close();
  }
}

interface Way {
  readonly words: string;
  readonly isDelayed: boolean;
  readonly isHttp2: boolean;
}
const WAYS: readonly Way[] = [
  { words: '', isDelayed: false, isHttp2: false },
  { words: ', delayed', isDelayed: true, isHttp2: false },
  { words: ', delayed, HTTP/2', isDelayed: true, isHttp2: true },
];

async function measurePage(url: string, { isDelayed, isHttp2 }: Way, times: number): Promise<Comparison> {
  const { origin, pathname, search } = new URL(url);
  const settings: ProxySettings = {
    upstream: `${origin}/`,
    ...(isDelayed ? { delayMs: DELAY_MS } : {}),
    ...(isHttp2 ? { tls: { key, certificate: cert } } : {}),
  };
  const proxy = await startServer({ script: new URL('recordingProxy.ts', import.meta.url), settings, core: null });
  const browser = await launchFor(proxy.url);
  try {
    const model: ModelRound[] = [];
    const seenBrowserRounds: BrowserRound[] = [];
    // The first load is not counted, because it warms up the caches of the site, the generator's code and the browser.
    for (let time = 0; time <= times; time += 1) {
      const pageMs = await loadByModel({ origin: proxy.url, path: `${pathname}${search}`, isHttp2 });
      const byModel = await requestsAt(proxy.url);
      const load = await loadByBrowser(browser, `${new URL(proxy.url).origin}${pathname}${search}`);
      const byBrowser = await requestsAt(proxy.url);
      if (pageMs === null || load === null) throw new Error(`${url} could not be loaded by the ${load === null ? 'browser' : 'model'}.`);
      if (time === 0) continue;
      model.push({ pageMs, requests: byModel });
      seenBrowserRounds.push({ load, requests: byBrowser });
    }
    return compare(model, seenBrowserRounds);
  } finally {
    await browser.close();
    await proxy.stop();
  }
}

function launchFor(url: string): Promise<Browser> {
  const load = { model: 'connections', stages: [{ connections: 1, seconds: 1 }] } as const;
  return launchBrowser(
    planSchema.parse({ holdfast: 1, name: 'pages', targets: [{ url }], journey: [{ name: 'page' }], load, watchPages: [{}] }),
  );
}

async function requestsAt(url: string): Promise<ProxiedRequest[]> {
  const address = new URL(LOG_PATH, url);
  const sentRequest = address.protocol === 'https:' ? askSecurely(address, { rejectUnauthorized: false }) : ask(address);
  const [response] = (await once(sentRequest.end(), 'response')) as [IncomingMessage];
  return z.array(proxiedRequestSchema).parse(await json(response));
}

interface ModelOptions {
  readonly origin: string;
  readonly path: string;
  readonly isHttp2: boolean;
}

/** Loads a page as one virtual user with an empty cache. Returns the page's time in ms, or null if the load was incomplete. */
async function loadByModel({ origin, path, isHttp2 }: ModelOptions): Promise<number | null> {
  const { steps } = await drive({
    targets: [origin],
    stage: { connections: 1, requests: 1 },
    plan: {
      journey: [{ name: 'page', path, redirects: { follow: true }, resources: {} }],
      tls: { verify: false },
      ...(isHttp2 ? { connections: { protocol: 'h2' } } : {}),
    },
  });
  const [cell] = steps;
  const { page, pageFailed } = cell?.times ?? {};
  return page === undefined || page.totalCount !== 1 || (pageFailed?.totalCount ?? 0) > 0 ? null : page.maxValue / 1_000;
}
