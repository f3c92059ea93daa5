import { asksForLogin, sortBySlowness, type CrawledPage, type CrawlReport, isVisitable } from '#core/work/crawl/report.ts';
import { formatBytes, formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';
import { words } from '#ui/words/words.ts';
import { Banner } from '#ui/components/Banner.tsx';
import styles from './CrawlDialog.module.css';

const texts = words.wizard.crawl;
const { columns } = texts;

interface CrawlTableProps {
  readonly pages: readonly CrawledPage[];
  readonly isTicked: (page: CrawledPage) => boolean;
  readonly onTick: (path: string, ticked: boolean) => void;
}

const FIGURES: readonly DataColumn<CrawledPage>[] = [
  { name: columns.time, numeric: true, cell: ({ ms }) => formatMs(ms) },
  { name: columns.whole, numeric: true, cell: ({ ms, resourceMs }) => formatMs(ms === null ? null : ms + resourceMs) },
  { name: columns.size, numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    name: columns.linked,
    numeric: true,
    cell: ({ resources }) => formatCount(Object.values(resources).reduce((sum, count) => sum + count, 0)),
  },
  { name: columns.status, numeric: true, cell: ({ problem, status }) => problem ?? status },
];

/** Table of all crawled pages. Pages that can be tested have a checkbox. */
export function CrawlTable({ pages, isTicked, onTick }: CrawlTableProps) {
  const renderName = (page: CrawledPage) =>
    isVisitable(page) ? (
      <Checkbox isSelected={isTicked(page)} onChange={(ticked) => onTick(page.path, ticked)}>
        <PageName page={page} />
      </Checkbox>
    ) : (
      <PageName page={page} />
    );
  return (
    <div className={styles.table}>
      <DataTable
        caption={texts.caption}
        stacks
        columns={[{ name: columns.page, isHead: true, cell: renderName }, ...FIGURES]}
        rows={pages}
        keyOf={({ url }) => url}
      />
    </div>
  );
}

function PageName({ page: { path, title, landedOn } }: { readonly page: CrawledPage }) {
  // The query is left out, because the query of a login page usually repeats the requested path.
  const more = landedOn === null ? title : texts.landed(landedOn.replace(/[?#].*$/, ''));
  return (
    <span className={styles.page}>
      <span>{path}</span>
      {more === '' ? null : <span className="muted">{more}</span>}
    </span>
  );
}

/** Maximum number of broken links that are listed, so that the pages stay visible. */
const MAX_SHOWN_LINKS = 20;

/** Findings of the crawl: its extent, slow pages and broken links. */
export function CrawlFindings({ report }: { readonly report: CrawlReport }) {
  const { pages, wrong, otherHosts, avoided, notVisited, endedBy, seconds } = report;
  const timed = sortBySlowness(pages).filter(({ ms }) => ms !== null);
  const [slowest, fastest] = [timed[0], timed.at(-1)];
  const closed = pages.filter(asksForLogin).length;
  const hosts = Object.keys(otherHosts);
  return (
    <>
      <p>
        {texts.found(formatCount(pages.length), formatSeconds(seconds))} {texts.ends[endedBy]}
        {notVisited > 0 ? ` ${texts.notVisited(formatCount(notVisited))}` : ''}
        {slowest && fastest ? ` ${texts.extremes(slowest.path, formatMs(slowest.ms), fastest.path, formatMs(fastest.ms))}` : ''}
      </p>
      {closed === 0 ? null : <Banner tone="info">{texts.closed(closed)}</Banner>}
      {wrong.length === 0 ? null : (
        <Banner tone="inconclusive" title={texts.wrong(wrong.length)}>
          <ul className={styles.wrong}>
            {wrong.slice(0, MAX_SHOWN_LINKS).map(({ url, foundOn, why }) => (
              <li key={`${url} ${foundOn}`}>{texts.wrongLink(url, why, foundOn)}</li>
            ))}
          </ul>
          {wrong.length > MAX_SHOWN_LINKS ? <p>{texts.wrongMore(formatCount(wrong.length - MAX_SHOWN_LINKS))}</p> : null}
        </Banner>
      )}
      {hosts.length === 0 ? null : <p className="muted">{texts.otherHosts(hosts.join(', '))}</p>}
      {avoided.length === 0 ? null : <p className="muted">{texts.avoided(avoided.join(', '))}</p>}
    </>
  );
}
