import { useQueryClient } from '@tanstack/react-query';
import { Calculator, CirclePlus, FlaskConical, History, Server, Settings } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatCount } from '#core/base/units.ts';
import { Banner } from '../components/Banner.tsx';
import { Button } from '../components/Button.tsx';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { refreshCalls, useConnection, useConnectionState, useStream } from '#ui/shared/backend.ts';
import { Notices } from '#ui/shared/notices.tsx';
import { PaletteHost } from './palette/PaletteHost.tsx';
import styles from './Frame.module.css';

interface RailItem {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** Returns whether this item is the current one at a path. */
  readonly current: (path: string) => boolean;
}

/** Duration after which a lost connection is no longer a short interruption. Holdfast was then probably restarted at a new address. */
const LONG_DISCONNECT_MS = 6_000;

const RAIL_ITEMS = {
  newTest: {
    to: '/new',
    label: words.app.newTest,
    icon: <CirclePlus />,
    current: (path) =>
      path === '/' || ['/new', '/record', '/versions', '/breaking-point', '/server'].some((start) => path.startsWith(start)),
  },
  history: {
    to: '/history',
    label: words.app.history,
    icon: <History />,
    current: (path) => ['/history', '/runs', '/series', '/searches', '/compare'].some((start) => path.startsWith(start)),
  },
  hosts: { to: '/hosts', label: words.app.hosts, icon: <Server />, current: (path) => path.startsWith('/hosts') },
  practice: { to: '/practice', label: words.app.practice, icon: <FlaskConical />, current: (path) => path.startsWith('/practice') },
  calculate: { to: '/calculate', label: words.app.calculate, icon: <Calculator />, current: (path) => path.startsWith('/calculate') },
  settings: { to: '/settings', label: words.app.settings, icon: <Settings />, current: (path) => path.startsWith('/settings') },
} satisfies Record<string, RailItem>;

const PALETTE_STYLES = { item: classes(styles.item, styles.button), icon: styles.icon, label: styles.label };

/** Frame of every page: navigation, the banner about a lost connection, and notices. */
export function Frame({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const state = useConnectionState();
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content" onClick={skipToContent}>
        {words.app.skipToContent}
      </a>
      <nav className={styles.rail} aria-label={words.app.navigation}>
        <RailLink item={RAIL_ITEMS.newTest} path={path} />
        <HistoryLink path={path} />
        <RailLink item={RAIL_ITEMS.hosts} path={path} />
        <RailLink item={RAIL_ITEMS.practice} path={path} />
        <RailLink item={RAIL_ITEMS.calculate} path={path} />
        <span className={styles.gap} />
        <PaletteHost path={path} styles={PALETTE_STYLES} />
        <RailLink item={RAIL_ITEMS.settings} path={path} />
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        {state === 'lost' ? <LostBanner /> : null}
        {children}
      </main>
      <Notices />
    </div>
  );
}

/** Reports a lost connection. If the connection is not restored soon, also explains what to do if Holdfast was restarted. */
function LostBanner() {
  const connection = useConnection();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_DISCONNECT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { title, text, startedAgain, retry } = words.app.lost;
  return (
    <div className={styles.lost}>
      <Banner tone="inconclusive" announce="alert" title={title} actions={<Button onPress={() => connection.retryNow()}>{retry}</Button>}>
        {text}
        {isLong ? <p>{startedAgain}</p> : null}
      </Banner>
    </div>
  );
}

/** Focuses the content without following the link, because the hash is the route. */
function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

interface RailLinkProps {
  readonly item: RailItem;
  readonly path: string;
  /** Text of the dot on the icon; null if there is no dot. */
  readonly news?: string | null;
}

function RailLink({ item, path, news = null }: RailLinkProps) {
  const isCurrent = item.current(path);
  return (
    <a className={classes(styles.item, isCurrent && styles.current)} href={`#${item.to}`} aria-current={isCurrent ? 'page' : undefined}>
      <span className={styles.icon} aria-hidden="true">
        {item.icon}
        {news === null ? null : <span className={styles.dot} title={news} />}
      </span>
      <span className={styles.label}>{item.label}</span>
      {news === null ? null : <span className="only-read-out">{news}</span>}
    </a>
  );
}

/** Link to the history, which has a dot while runs are active. */
function HistoryLink({ path }: { readonly path: string }) {
  const active = useStream('runs.active', {}).value?.runs ?? [];
  useFreshLists(active.map(({ id }) => id).join(' '));
  const news = active.length === 0 ? null : words.app.runningNow(formatCount(active.length));
  return <RailLink item={RAIL_ITEMS.history} path={path} news={news} />;
}

/** Calls whose data is shown in lists of runs. */
const LIST_CALLS = ['runs.list', 'runs.trends', 'baselines.standings'] as const;

/** Fetches lists of runs again when a run starts or ends, whether in this window, in another window or on the command line. */
function useFreshLists(activeRuns: string): void {
  const queries = useQueryClient();
  const seenRef = useRef('');
  useEffect(() => {
    if (seenRef.current === activeRuns) return;
    seenRef.current = activeRuns;
    void refreshCalls(queries, LIST_CALLS);
  }, [activeRuns, queries]);
}
