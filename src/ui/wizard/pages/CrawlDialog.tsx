import type { NumberEntry } from '#ui/components/numbers.ts';
import { useEffect, useRef, useState } from 'react';
import { askKey, asksOfSingle } from '#core/review/asks/ask.ts';
import { sortBySlowness, type CrawlReport, isVisitable, asksForLogin, type CrawledPage } from '#core/work/crawl/report.ts';
import { isPublicHost } from '#core/plan/hosts/generatorNames.ts';
import { pathOf } from '#core/plan/url.ts';
import { MAX_PAGES } from '#core/presets/pageList.ts';
import { formatCount, formatBytes, formatMs, formatSeconds } from '#core/base/units.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Dialog } from '#ui/components/Dialog.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { useConnection } from '#ui/shared/backend.ts';
import { type TargetEntry, wizardConnection } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { toTarget } from '../state/entries.ts';
import { agreedByProbe } from '../state/answers.ts';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';
import styles from './CrawlDialog.module.css';

type CrawlState =
  | { readonly status: 'idle' }
  | { readonly status: 'crawling'; readonly visited: number; readonly known: number; readonly now: string; readonly isStopping: boolean }
  | { readonly status: 'done'; readonly report: CrawlReport }
  | { readonly status: 'failed'; readonly problem: Problem };

interface Crawl {
  readonly state: CrawlState;
  start(maxPages: number): void;
  /** Stops the crawl. The pages that were found so far are kept. */
  stop(): void;
}

/** Crawls the site of a target. The crawl stops when the component is removed. */
function useCrawl(target: TargetEntry): Crawl {
  const connection = useConnection();
  const wizard = useWizard().state;
  const [state, setState] = useState<CrawlState>({ status: 'idle' });
  const leave = useRef<(() => void) | null>(null);
  const walk = useRef('');
  useEffect(() => () => leave.current?.(), []);
  return {
    state,
    start(maxPages) {
      leave.current?.();
      setState({ status: 'crawling', visited: 0, known: 1, now: target.url, isStopping: false });
      walk.current = crypto.randomUUID();
      const single = { target: toTarget(target), ...wizardConnection(wizard) };
      leave.current = connection.open(
        'sites.crawl',
        { crawlId: walk.current, bounds: { maxPages }, ...single, agreed: agreedByProbe(wizard, asksOfSingle(single)) },
        {
          onItem: ({ visited, known, now, report }) =>
            setState((before) =>
              report === null
                ? { status: 'crawling', visited, known, now, isStopping: before.status === 'crawling' && before.isStopping }
                : { status: 'done', report },
            ),
          onEnd(problem) {
            leave.current = null;
            if (problem) setState({ status: 'failed', problem });
          },
        },
      );
    },
    stop() {
      setState((now) => (now.status === 'crawling' ? { ...now, isStopping: true } : now));
      connection.call('sites.stopCrawl', { crawlId: walk.current }).catch((thrown: unknown) => {
        leave.current?.();
        leave.current = null;
        setState({ status: 'failed', problem: toProblem(thrown) });
      });
    },
  };
}

interface CrawlDialogProps {
  readonly target: TargetEntry;
  readonly onUse: (paths: readonly string[]) => void;
  readonly onClose: () => void;
}

const USUAL_PAGES = 100;
const texts = words.wizard.crawl;

/** Crawls the site and lets the user select pages. */
export function CrawlDialog({ target, onUse, onClose }: CrawlDialogProps) {
  const { agreed } = useWizard().state;
  const crawl = useCrawl(target);
  const [most, setMost] = useState<NumberEntry>(USUAL_PAGES);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const { state } = crawl;
  const host = URL.canParse(target.url) ? new URL(target.url).hostname : '';
  const mustConsent = host !== '' && isPublicHost(host);
  const isAllowed = host !== '' && (!mustConsent || agreed.includes(hostKey(host)));
  const usable = typeof most === 'number' && Number.isInteger(most) && most >= 1 && most <= 1_000;
  const chosenNames = state.status === 'done' ? chosenPaths(state.report, unticked) : [];
  const start = (): void => {
    setUnticked(new Set());
    if (typeof most === 'number') crawl.start(most);
  };
  return (
    <Dialog
      title={texts.title}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          {state.status === 'crawling' ? (
            <Button isPending={state.isStopping} onPress={crawl.stop}>
              {texts.stop}
            </Button>
          ) : null}
          {state.status === 'done' ? (
            <Button
              look="primary"
              isDisabled={chosenNames.length === 0 || chosenNames.length > MAX_PAGES}
              onPress={() => onUse(chosenNames)}
            >
              {texts.use(chosenNames.length)}
            </Button>
          ) : (
            <Button look="primary" isPending={state.status === 'crawling'} isDisabled={!isAllowed || !usable} onPress={start}>
              {texts.start}
            </Button>
          )}
        </>
      }
    >
      {state.status === 'done' ? null : <p>{texts.story}</p>}
      {state.status === 'idle' || state.status === 'failed' ? (
        <>
          <NumberField
            label={texts.most}
            value={most}
            onChange={setMost}
            min={1}
            max={1_000}
            unit={texts.pages}
            error={usable ? null : texts.mostWrong}
          />
          {mustConsent ? <HostConsent host={host} /> : null}
          {host === '' ? <p>{texts.noAddress}</p> : null}
        </>
      ) : null}
      {state.status === 'failed' ? <ProblemBanner problem={state.problem} /> : null}
      {state.status === 'crawling' ? (
        <output>{texts.going(formatCount(state.visited), formatCount(state.known), pathOf(state.now))}</output>
      ) : null}
      {state.status === 'done' ? (
        <>
          <CrawlFindings report={state.report} />
          <CrawlTable
            pages={sortBySlowness(state.report.pages)}
            isTicked={(page) => isVisitable(page) && !unticked.has(page.path)}
            onTick={(path, ticked) => setUnticked(withPath(unticked, path, !ticked))}
          />
          {chosenNames.length > MAX_PAGES ? <p>{texts.tooMany(formatCount(MAX_PAGES))}</p> : null}
        </>
      ) : null}
    </Dialog>
  );
}

const hostKey = (host: string): string => askKey({ kind: 'host', name: host });

function HostConsent({ host }: { readonly host: string }) {
  const { state, dispatch } = useWizard();
  const key = hostKey(host);
  return (
    <Checkbox
      isSelected={state.agreed.includes(key)}
      onChange={(isGiven) => dispatch({ type: 'agreementChanged', keys: [key], given: isGiven })}
    >
      {words.agreement.host(host)}
    </Checkbox>
  );
}

/** Returns the selected paths in the order in which they were found. */
function chosenPaths({ pages }: CrawlReport, unticked: ReadonlySet<string>): string[] {
  return pages.filter((page) => isVisitable(page) && !unticked.has(page.path)).map(({ path }) => path);
}

function withPath(set: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(path);
  else next.delete(path);
  return next;
}

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
function CrawlTable({ pages, isTicked, onTick }: CrawlTableProps) {
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
function CrawlFindings({ report }: { readonly report: CrawlReport }) {
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
