import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { watchPageSchema } from '#core/plan/schema/watchPages.ts';
import { readCpuTimes } from '#engine/procFiles.ts';
import { freshContext, type Visitor } from '#backend/visits/tab.ts';
import { visitPage } from '#backend/visits/visitPage.ts';

/** What caused a request from the browser: the HTML, a script, a style sheet, or the browser itself, which requests an icon. */
export type Cause = 'page' | 'script' | 'style' | 'icon';

export interface BrowserLoad {
  /** Time in ms from the start of the navigation until the end of the load event. */
  readonly loadedMs: number;
  /** Time in ms until the first request was sent. */
  readonly beforeMs: number;
  /** Time in ms for which the main thread ran tasks before the end of the load event. `scriptsMs` is the part that scripts took. */
  readonly tasksMs: number;
  readonly scriptsMs: number;
  /** Images with `loading="lazy"`, by path with query. */
  readonly lazy: readonly string[];
  /** The cause of each request, by path with query. */
  readonly causes: ReadonlyMap<string, Cause>;
}

/** Types of requests that scripts cause, even if DevTools reports another cause. */
const SCRIPT_REQUEST_TYPES: ReadonlySet<string> = new Set(['XHR', 'Fetch', 'EventSource', 'WebSocket', 'Ping']);

const timingSchema = z.object({ loadedMs: z.number(), beforeMs: z.number(), lazy: z.array(z.string()) });
const TIMING = `(() => {
  const [entry] = performance.getEntriesByType('navigation');
  const lazy = [...document.images].filter(({ loading }) => loading === 'lazy').map(({ currentSrc, src }) => new URL(currentSrc || src));
  return { loadedMs: entry.loadEventEnd, beforeMs: entry.requestStart, lazy: lazy.map(({ pathname, search }) => pathname + search) };
})()`;

interface Watched {
  readonly loaded: Promise<Omit<BrowserLoad, 'causes'>>;
  readonly causes: Map<string, Cause>;
}

/** Visits a page with an empty cache. Returns null if the page did not load. */
export async function loadByBrowser(browser: Browser, address: string): Promise<BrowserLoad | null> {
  const visitor: Visitor = {
    browser,
    readProcessors: async () => readCpuTimes(),
    page: watchPageSchema.parse({}),
    address,
    allowed: new Set([new URL(address).hostname]),
    identity: '',
    ignoresCertificates: true,
  };
  const context = await freshContext(visitor);
  try {
    let watched: Promise<Watched> | null = null;
    context.once('page', (page) => (watched = watch(context, page)));
    const { seen } = await visitPage(visitor, context);
    if (watched === null || seen.problem !== null) return null;
    const { loaded, causes } = await (watched as Promise<Watched>);
    return { ...(await loaded), causes };
  } finally {
    await context.close();
  }
}

/**
 * Watches a page's requests. Listening starts before the page navigates, because the session that is opened with the page precedes the
 * sessions of the visit.
 */
async function watch(context: BrowserContext, page: Page): Promise<Watched> {
  const loaded = new Promise<void>((resolve) => page.once('load', () => resolve()));
  const tools = await context.newCDPSession(page);
  const causes = new Map<string, Cause>();
  const perRequest = new Map<string, Cause>();
  tools.on('Network.requestWillBeSent', ({ requestId, request, initiator, type }) => {
    const path = pathOf(request.url);
    // A redirect keeps the cause of the first request.
    const cause = perRequest.get(requestId) ?? getCause(initiator, type);
    perRequest.set(requestId, cause);
    if (path !== null && !causes.has(path)) causes.set(path, cause);
  });
  await Promise.all([tools.send('Network.enable'), tools.send('Performance.enable', { timeDomain: 'timeTicks' })]);
  return {
    causes,
    loaded: loaded.then(async () => {
      const [{ metrics }, timing] = await Promise.all([tools.send('Performance.getMetrics'), page.evaluate(TIMING)]);
      const getMs = (name: string): number => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1_000;
      return { ...timingSchema.parse(timing), tasksMs: getMs('TaskDuration'), scriptsMs: getMs('ScriptDuration') };
    }),
  };
}

/** Matches style sheets. On some sites, a PHP script serves a style sheet, which only the script's name shows. */
const STYLE = /\.css(\?|$)|load\.php|css\.php/;

function getCause(initiator: { readonly type: string; readonly url?: string }, type: string | undefined): Cause {
  if (initiator.type === 'script' || SCRIPT_REQUEST_TYPES.has(type ?? '')) return 'script';
  if (initiator.type === 'parser' && STYLE.test(initiator.url ?? '')) return 'style';
  return initiator.type === 'other' && type !== 'Document' ? 'icon' : 'page';
}

function pathOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? null : parsed.pathname + parsed.search;
}
