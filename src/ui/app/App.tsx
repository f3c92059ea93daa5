import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Compass } from 'lucide-react';
import { lazy, StrictMode, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { EmptyState } from '../components/EmptyState.tsx';
import { LinkButton } from '../components/LinkButton.tsx';
import { Page } from '../components/Page.tsx';
import { WizardPage } from '../wizard/WizardPage.tsx';
import { WizardProvider } from '../wizard/WizardProvider.tsx';
import { words } from '../words/words.ts';
import { ConnectionContext, useConnectionState } from './backend.ts';
import type { Connection } from './connection.ts';
import { CrashGuard } from './CrashGuard.tsx';
import { Frame } from './Frame.tsx';
import { RefusedPage } from './RefusedPage.tsx';
import { later } from './later.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { RunPage } from './RunPage.tsx';
import { StartPage } from './StartPage.tsx';

// The first screen of a new window waits for none of them.
const CalculatePage = lazy(later(async () => ({ default: (await import('../calculate/CalculatePage.tsx')).CalculatePage })));
const ComparePage = lazy(later(async () => ({ default: (await import('../compare/ComparePage.tsx')).ComparePage })));
const HistoryPage = lazy(later(async () => ({ default: (await import('../history/HistoryPage.tsx')).HistoryPage })));
const HostsPage = lazy(later(async () => ({ default: (await import('../hosts/HostsPage.tsx')).HostsPage })));
const PracticePage = lazy(later(async () => ({ default: (await import('../practice/PracticePage.tsx')).PracticePage })));
const RunningPage = lazy(later(async () => ({ default: (await import('./RunningPage.tsx')).RunningPage })));
const SeriesPage = lazy(later(async () => ({ default: (await import('../series/SeriesPage.tsx')).SeriesPage })));
const SettingsPage = lazy(later(async () => ({ default: (await import('../settings/SettingsPage.tsx')).SettingsPage })));
const StudiesPage = lazy(later(async () => ({ default: (await import('../studies/StudiesPage.tsx')).StudiesPage })));
const StudyPage = lazy(later(async () => ({ default: (await import('../studies/StudyPage.tsx')).StudyPage })));

interface AppProps {
  readonly connection: Connection;
  readonly queries: QueryClient;
}

export function App({ connection, queries }: AppProps) {
  return (
    <StrictMode>
      <ConnectionContext value={connection}>
        <QueryClientProvider client={queries}>
          <WizardProvider>
            {/* oxlint-disable-next-line react/hooks -- [wouter takes the way to read the address as a hook and calls it as one] */}
            <Router hook={useHashLocation}>
              <Routes />
            </Router>
          </WizardProvider>
        </QueryClientProvider>
      </ConnectionContext>
    </StrictMode>
  );
}

function Routes() {
  const [path] = useHashLocation();
  if (useConnectionState() === 'refused') return <RefusedPage />;
  return (
    <Frame path={path}>
      <CrashGuard page={path}>
        {/* Without the key, a page that was left would stay behind the next while that is loaded, and come back with what it had asked before. */}
        <Suspense key={path.split('/')[1]} fallback={<PageSkeleton />}>
          <Switch>
            <Route path="/" component={StartPage} />
            <Route path="/new/:page?">{({ page }) => <WizardPage asked={page ?? null} />}</Route>
            <Route path="/running" component={RunningPage} />
            <Route path="/runs/:runId">{({ runId }) => <RunPage key={runId} runId={runId} />}</Route>
            <Route path="/series/:seriesId">{({ seriesId }) => <SeriesPage key={seriesId} seriesId={seriesId} />}</Route>
            <Route path="/find-out" component={StudiesPage} />
            <Route path="/studies/:studyId">{({ studyId }) => <StudyPage key={studyId} studyId={studyId} />}</Route>
            <Route path="/compare/:sides?/:asked?">{({ sides, asked }) => <ComparePage sides={sides ?? ''} asked={asked ?? null} />}</Route>
            <Route path="/history" component={HistoryPage} />
            <Route path="/hosts" component={HostsPage} />
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
  const { title, text, action } = words.app.notFound;
  return (
    <Page title={title}>
      <EmptyState icon={<Compass size={32} />} title={title} action={<LinkButton to="/new">{action}</LinkButton>}>
        {text}
      </EmptyState>
    </Page>
  );
}
