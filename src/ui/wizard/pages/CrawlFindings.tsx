import { asksForLogin, bySlowness, type CrawlReport } from '#core/work/crawl/report.ts';
import { formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CrawlDialog.module.css';

const texts = words.wizard.crawl;
/** More wrong links than this would push the pages out of sight. */
const MOST_SHOWN = 20;

/** What stands out: how far it went, what is slow, and links that go wrong. */
export function CrawlFindings({ report }: { readonly report: CrawlReport }) {
  const { pages, wrong, otherHosts, avoided, notVisited, endedBy, seconds } = report;
  const timed = bySlowness(pages).filter(({ ms }) => ms !== null);
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
            {wrong.slice(0, MOST_SHOWN).map(({ url, foundOn, why }) => (
              <li key={`${url} ${foundOn}`}>{texts.wrongLink(url, why, foundOn)}</li>
            ))}
          </ul>
          {wrong.length > MOST_SHOWN ? <p>{texts.wrongMore(formatCount(wrong.length - MOST_SHOWN))}</p> : null}
        </Banner>
      )}
      {hosts.length === 0 ? null : <p className={styles.quiet}>{texts.otherHosts(hosts.join(', '))}</p>}
      {avoided.length === 0 ? null : <p className={styles.quiet}>{texts.avoided(avoided.join(', '))}</p>}
    </>
  );
}
