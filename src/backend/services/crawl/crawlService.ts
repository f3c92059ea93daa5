import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { problemOf } from '#core/base/errors.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { resolveTarget } from '../runs/resolveJob.ts';
import type { Secrets } from '../secrets.ts';
import { referencesOf, routeOf } from '../targets/targetCalls.ts';
import { crawlSite } from './crawlSite.ts';

export interface CrawlParts {
  readonly secrets: Secrets;
  readonly version: string;
}

const TIMEOUT_MS = 60_000;

export interface CrawlService {
  readonly calls: Pick<CallHandlers, 'sites.stopCrawl'>;
  readonly streams: Pick<StreamHandlers, 'sites.crawl'>;
}

/** Walks over sites. A walk belongs to its reader and stops when that leaves; one that is told to stop still says what it found. */
export function createCrawlService({ secrets, version }: CrawlParts): CrawlService {
  const going = new Map<string, AbortController>();
  const streams: CrawlService['streams'] = {
    'sites.crawl': ({ crawlId, target, bounds, tls, connections }, sink) => {
      const start = new URL(target.url);
      const abort = new AbortController();
      if (crawlId !== undefined) going.set(crawlId, abort);
      const forget = (): void => {
        if (crawlId !== undefined && going.get(crawlId) === abort) going.delete(crawlId);
      };
      const walk = async (): Promise<void> => {
        const values = await secrets.resolve([...referencesOf(target), ...clientCertificateReferences(tls)]);
        const { headers } = resolveTarget(target, values);
        start.hash = '';
        let last = { visited: 0, known: 1, now: start.href };
        const report = await crawlSite({
          start,
          bounds,
          headers: { 'User-Agent': `Holdfast/${version} (crawl)`, Accept: 'text/html,*/*', ...headers },
          route: routeOf({ tls, connections }, values),
          timeoutMs: TIMEOUT_MS,
          signal: abort.signal,
          onPage(visited, known, now) {
            last = { visited, known, now };
            sink.item({ ...last, report: null });
          },
        });
        sink.item({ ...last, report });
      };
      walk()
        .then(
          () => sink.end(),
          (thrown: unknown) => sink.end(problemOf(thrown)),
        )
        .finally(forget);
      return () => abort.abort();
    },
  };
  return {
    calls: {
      // One that is over already has nothing to stop.
      'sites.stopCrawl': ({ crawlId }) => {
        going.get(crawlId)?.abort();
        return {};
      },
    },
    streams,
  };
}
