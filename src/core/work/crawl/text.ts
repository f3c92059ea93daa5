import { formatBytes, formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { asksForLogin, type CrawledPage, type CrawlReport } from './report.ts';

const ENDS: Readonly<Record<CrawlReport['endedBy'], string>> = {
  all: 'That is all there is.',
  pages: 'It ended at the most pages that it may visit.',
  depth: 'Pages further away were not visited.',
  seconds: 'It ended when its time was over.',
  stopped: 'You stopped it.',
};

/** Slowest first; pages without an answer before them. */
export function bySlowness(pages: readonly CrawledPage[]): CrawledPage[] {
  return pages.toSorted((one, other) => (other.ms ?? Number.POSITIVE_INFINITY) - (one.ms ?? Number.POSITIVE_INFINITY));
}

/** Rows of a table: a heading, then the pages, slowest first. */
export function crawlTable({ pages }: CrawlReport): string[][] {
  return [
    ['time', 'with all', 'size', 'linked', 'status', 'page'],
    ...bySlowness(pages).map((page) => [
      formatMs(page.ms),
      formatMs(page.ms === null ? null : page.ms + page.resourceMs),
      formatBytes(page.bytes),
      formatCount(Object.values(page.resources).reduce((sum, count) => sum + count, 0)),
      page.problem ?? String(page.status ?? ''),
      page.title === '' ? page.path : `${page.path}  (${page.title.slice(0, 40)})`,
    ]),
  ];
}

/** What there is to say beside the table. */
export function crawlSentences(report: CrawlReport): string[] {
  const { pages, wrong, otherHosts, avoided, notVisited, endedBy, seconds } = report;
  const hosts = Object.entries(otherHosts).map(([host, count]) => `${host} (${formatCount(count)})`);
  const closed = pages.filter(asksForLogin).length;
  const timed = bySlowness(pages).filter(({ ms }) => ms !== null);
  const [slowest, fastest] = [timed[0], timed.at(-1)];
  return [
    `${formatCount(pages.length)} ${pages.length === 1 ? 'page' : 'pages'} in ${formatSeconds(seconds)}. ${ENDS[endedBy]}${notVisited > 0 ? ` ${formatCount(notVisited)} known addresses were not visited.` : ''}`,
    ...(slowest && fastest
      ? [`Slowest: ${slowest.path} (${formatMs(slowest.ms)}). Fastest: ${fastest.path} (${formatMs(fastest.ms)}).`]
      : []),
    ...(closed === 0 ? [] : [`${formatCount(closed)} of them send to a login page: give --username and --password to see them.`]),
    ...(wrong.length === 0
      ? ['Every link led somewhere.']
      : [
          `${formatCount(wrong.length)} ${wrong.length === 1 ? 'link goes' : 'links go'} wrong:`,
          ...wrong.map(({ url, why, foundOn }) => `  ${url}: ${why} (on ${foundOn})`),
        ]),
    ...(hosts.length === 0 ? [] : [`Links to other hosts were not followed: ${hosts.join(', ')}.`]),
    ...(avoided.length === 0 ? [] : [`Not followed, because they look as if they log out or change something: ${avoided.join(', ')}.`]),
  ];
}
