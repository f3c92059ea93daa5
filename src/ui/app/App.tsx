import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Compass, KeyRound } from 'lucide-react';
import { Component, lazy, type ReactNode, StrictMode, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { EmptyState, Skeleton } from '#ui/components/Placeholders.tsx';
import { Button, CopyButton, LinkButton } from '../components/Button.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { WizardPage } from '../wizard/WizardPage.tsx';
import { WizardProvider } from '../wizard/WizardProvider.tsx';
import { words } from '../words/words.ts';
import { Banner } from '../components/Banner.tsx';
import { refreshCalls, ConnectionContext, useConnectionState, useStream } from '#ui/shared/backend.ts';
import type { Connection } from '#ui/shared/connection.ts';
import { type Offer, OffersContext } from '#ui/shared/offers.ts';
import { Frame } from './Frame.tsx';
import { registerLazy } from '#ui/shared/later.ts';

interface CrashGuardProps {
  readonly children: ReactNode;
  /** Current page. Changing it resets a crash. */
  readonly page: string;
}

interface CrashGuardState {
  readonly page: string;
  /** Error details for a bug report; null without a crash. */
  readonly details: string | null;
}

/** Error boundary that limits a crash to one page. */
class CrashGuard extends Component<CrashGuardProps, CrashGuardState> {
  override state: CrashGuardState = { page: this.props.page, details: null };

  static getDerivedStateFromProps({ page }: CrashGuardProps, state: CrashGuardState): CrashGuardState | null {
    return page === state.page ? null : { page, details: null };
  }

  static getDerivedStateFromError(thrown: unknown): Pick<CrashGuardState, 'details'> {
    return { details: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }

  override render(): ReactNode {
    const { details } = this.state;
    if (details === null) return this.props.children;
    const { title, text, reload } = words.app.crashed;
    return (
      <Banner
        tone="failed"
        title={title}
        announce="alert"
        actions={
          <>
            <Button onPress={() => location.reload()}>{reload}</Button>
            <CopyButton text={details} label={words.common.copyDetails} />
          </>
        }
      >
        {text}
      </Banner>
    );
  }
}

/** Maximum time to wait for a token from another open page. */
const RESPONSE_TIMEOUT_MS = 400;

/** Shown instead of the whole app, including navigation, if the backend of web mode rejects this page. */
function RefusedPage() {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), RESPONSE_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSettled) return null;
  const { title, heading, text, address, again, file } = words.app.refused;
  return (
    <main>
      <Page title={title}>
        <Stack gap={24}>
          <EmptyState icon={<KeyRound size={32} />} title={heading} action={<code>{address(location.origin)}</code>}>
            {text}
          </EmptyState>
          <Stack gap={8}>
            <p>{again}</p>
            <p>{file(location.port)}</p>
          </Stack>
        </Stack>
      </Page>
    </main>
  );
}

interface PageSkeletonProps {
  readonly title?: string;
  readonly waitingFor?: string;
}

/** Placeholder while the code or the data of a page is loading. */
function PageSkeleton({ title = words.common.product, waitingFor = words.app.page }: PageSkeletonProps) {
  return (
    <Page title={title}>
      <Skeleton waitingFor={waitingFor} heights={[96, 280]} />
    </Page>
  );
}

const LivePage = lazy(registerLazy(async () => ({ default: (await import('../live/LivePage.tsx')).LivePage })));
const ResultPage = lazy(registerLazy(async () => ({ default: (await import('../results/ResultPage.tsx')).ResultPage })));

/** Page of a run. It is live while the run is active, and then shows the result at the same address. */
function RunPage({ runId }: { readonly runId: string }) {
  const active = useStream('runs.active', {});
  const queries = useQueryClient();
  // If the stream of active runs ends, the result page is shown. It shows the run, or why the run cannot be shown.
  const isActive = active.value?.runs.some((run) => run.id === runId) ?? (active.status === 'ended' ? false : undefined);
  const [wasActive, setWasActive] = useState(false);
  if (isActive && !wasActive) setWasActive(true);

  useEffect(() => {
    if (isActive !== false || !wasActive) return;
    void refreshCalls(queries, ['runs.result', 'runs.points', 'runs.list']);
  }, [isActive, wasActive, queries]);

  const skeleton = <PageSkeleton title={words.app.run} waitingFor={words.app.runState} />;
  if (isActive === undefined) return skeleton;
  return <Suspense fallback={skeleton}>{isActive ? <LivePage runId={runId} /> : <ResultPage runId={runId} />}</Suspense>;
}

/** Path of a new test. One pattern matches both addresses, so that the page is kept when `/` becomes `/new`. */
const NEW_TEST = /^\/(?:new(?:\/(?<page>[^/]+))?\/?)?$/;

/** Page of a new test. A new window starts here, unless exactly one run is active; then it starts at that run. */
function NewTestPage({ asked, isStart }: { readonly asked: string | null; readonly isStart: boolean }) {
  return (
    <>
      {isStart ? <StartPage /> : null}
      <WizardPage asked={asked} />
    </>
  );
}

function StartPage() {
  const { status, value } = useStream('runs.active', {});
  const connection = useConnectionState();
  if (value) {
    const [only, ...others] = value.runs;
    return <Redirect to={only && others.length === 0 ? `/runs/${only.id}` : '/new'} replace />;
  }
  return status === 'ended' || connection === 'lost' ? <Redirect to="/new" replace /> : null;
}

// These pages are loaded on demand, because the first screen of a new window needs none of them.
const CalculatePage = lazy(registerLazy(async () => ({ default: (await import('../calculate/CalculatePage.tsx')).CalculatePage })));
const ComparePage = lazy(registerLazy(async () => ({ default: (await import('../compare/ComparePage.tsx')).ComparePage })));
const HistoryPage = lazy(registerLazy(async () => ({ default: (await import('../history/HistoryPage.tsx')).HistoryPage })));
const HostsPage = lazy(registerLazy(async () => ({ default: (await import('../hosts/HostsPage.tsx')).HostsPage })));
const PracticePage = lazy(registerLazy(async () => ({ default: (await import('../practice/PracticePage.tsx')).PracticePage })));
const RecordPage = lazy(registerLazy(async () => ({ default: (await import('../wizard/record/RecordPage.tsx')).RecordPage })));
const SeriesPage = lazy(registerLazy(async () => ({ default: (await import('../series/SeriesPage.tsx')).SeriesPage })));
const SettingsPage = lazy(registerLazy(async () => ({ default: (await import('../settings/SettingsPage.tsx')).SettingsPage })));
const SearchesPage = lazy(registerLazy(async () => ({ default: (await import('../searches/SearchesPage.tsx')).SearchesPage })));
const BreakingPointPage = lazy(
  registerLazy(async () => ({ default: (await import('../searches/BreakingPointPage.tsx')).BreakingPointPage })),
);
const ServerPage = lazy(registerLazy(async () => ({ default: (await import('../searches/ServerPage.tsx')).ServerPage })));
const VersionsPage = lazy(registerLazy(async () => ({ default: (await import('../series/VersionsPage.tsx')).VersionsPage })));
const SealedPage = lazy(registerLazy(async () => ({ default: (await import('../sealed/SealedPage.tsx')).SealedPage })));
const SearchPage = lazy(registerLazy(async () => ({ default: (await import('../searches/SearchPage.tsx')).SearchPage })));

interface AppProps {
  readonly connection: Connection;
  readonly queries: QueryClient;
  /** Draft of a new test that was saved before a reload. */
  readonly draft: string | null;
  /** Presets that are embedded in the page; null if there are none. */
  readonly offers: readonly Offer[] | null;
}

export function App({ connection, queries, draft, offers }: AppProps) {
  return (
    <StrictMode>
      <ConnectionContext value={connection}>
        <QueryClientProvider client={queries}>
          <OffersContext value={offers}>
            <WizardProvider draft={draft}>
              {/* oxlint-disable-next-line react/hooks -- [wouter takes the way to read the address as a hook and calls it as one] */}
              <Router hook={useHashLocation}>
                <AppRoutes />
              </Router>
            </WizardProvider>
          </OffersContext>
        </QueryClientProvider>
      </ConnectionContext>
    </StrictMode>
  );
}

function AppRoutes() {
  const [path] = useHashLocation();
  if (useConnectionState() === 'refused') return <RefusedPage />;
  return (
    <Frame path={path}>
      <CrashGuard page={path}>
        {/* Without the key, the previous page would stay visible while the next one is loaded, and keep its old requests. */}
        <Suspense key={path.split('/')[1] || 'new'} fallback={<PageSkeleton />}>
          <Switch>
            <Route path={NEW_TEST}>{({ page }) => <NewTestPage asked={page ?? null} isStart={path === '/'} />}</Route>
            <Route path="/running">
              <Redirect to="/history" replace />
            </Route>
            <Route path="/runs/:runId">{({ runId }) => <RunPage key={runId} runId={runId} />}</Route>
            <Route path="/series/:seriesId">{({ seriesId }) => <SeriesPage key={seriesId} seriesId={seriesId} />}</Route>
            <Route path="/versions/:runs?">{({ runs = '' }) => <VersionsPage key={runs} runs={runs} />}</Route>
            <Route path="/record" component={RecordPage} />
            <Route path="/breaking-point" component={BreakingPointPage} />
            <Route path="/server" component={ServerPage} />
            <Route path="/searches" component={SearchesPage} />
            <Route path="/searches/:searchId">{({ searchId }) => <SearchPage key={searchId} searchId={searchId} />}</Route>
            <Route path="/compare/:sides?/:asked?">{({ sides, asked }) => <ComparePage sides={sides ?? ''} asked={asked ?? null} />}</Route>
            <Route path="/sealed" component={SealedPage} />
            <Route path="/history" component={HistoryPage} />
            <Route path="/hosts/:part?">{({ part }) => <HostsPage part={part} />}</Route>
            <Route path="/practice" component={PracticePage} />
            <Route path="/calculate/:id?">{({ id }) => <CalculatePage asked={id ?? null} />}</Route>
            <Route path="/settings" component={SettingsPage} />
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </CrashGuard>
    </Frame>
  );
}

function NotFound() {
  const { title, heading, text, action } = words.app.notFound;
  return (
    <Page title={title}>
      <EmptyState icon={<Compass size={32} />} title={heading} action={<LinkButton to="/new">{action}</LinkButton>}>
        {text}
      </EmptyState>
    </Page>
  );
}
