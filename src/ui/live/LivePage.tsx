import { memo, useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo } from 'react';
import type { ShadedRange } from '#core/presentation/charts/types.ts';
import { generatorNames } from '#core/result/generatorNames.ts';
import { readingTable } from '#core/presentation/document/machines.ts';
import { describeLastVisit } from '#core/presentation/document/visits.ts';
import { liveGeneratorBlocks } from '#core/presentation/document/generators.ts';
import { cacheSentences, serverBlocks } from '#core/presentation/document/special.ts';
import { listPlannedStages } from '#core/presentation/charts/limits.ts';
import { chartsOfRun } from '#core/presentation/charts/runCharts.ts';
import { type StreamState, useAction, useCall, useConnectionState, useStreamState } from '#ui/shared/backend.ts';
import { RangeFigures } from '#ui/shared/OverlayCharts.tsx';
import { ChartView, type TimeRange } from '../charts/ChartView.tsx';
import { Banner } from '../components/Banner.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Page } from '../components/Page.tsx';
import { ProblemBanner, ProblemPage } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { StopButton } from '../components/Button.tsx';
import { revertButtonFor } from '#ui/shared/machines/RevertChange.tsx';
import { EventList } from '../run/EventList.tsx';
import { HealthSummary } from '../run/HealthSummary.tsx';
import { RequestOutcomes, NotStarted } from '../run/RequestOutcomes.tsx';
import { MonitorCharts, GeneratorCharts } from '../run/MonitorCharts.tsx';
import { generatorLines } from '../run/generatorLines.ts';
import { RunCharts } from '../run/RunCharts.tsx';
import { SeriesLink } from '../run/SeriesLink.tsx';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { LiveBells } from './LiveBells.tsx';
import { LiveTiles } from './LiveTiles.tsx';
import { isStopping, mergePoints, mergeLive, type LiveState, stateSentence } from './picture.ts';
import { StageStrip } from './StageStrip.tsx';
import styles from './LivePage.module.css';

const MAX_FETCHED_POINTS = 600;

/**
 * Follows a run. After a reconnect, the stream starts with the full state. Points that were dropped because the reader was slow are
 * fetched.
 */
function useLiveState(runId: string): StreamState<LiveState> {
  const state = useStreamState('runs.watch', { runId }, mergeLive);
  const resyncs = state.value?.resyncs ?? 0;
  const fetched = useCall('runs.points', { runId, maxPoints: MAX_FETCHED_POINTS }, { enabled: resyncs > 0 });
  const { refetch } = fetched;
  useEffect(() => {
    if (resyncs > 1) void refetch();
  }, [resyncs, refetch]);
  return useMemo(() => {
    if (resyncs === 0 || !fetched.data || !state.value) return state;
    const value = { ...state.value, points: mergePoints(fetched.data, state.value.points) };
    return state.status === 'open' ? { ...state, value } : { ...state, value };
  }, [state, resyncs, fetched.data]);
}

const STEPS = [60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400];

/**
 * Returns the end of the time axis for an active run: its planned end, or else the next step. With steps, charts are not rescaled each
 * second.
 */
export function axisEnd(elapsedSeconds: number, plannedSeconds: number | null): number {
  if (plannedSeconds !== null && plannedSeconds >= elapsedSeconds) return plannedSeconds;
  return STEPS.find((candidate) => candidate >= elapsedSeconds) ?? Math.ceil(elapsedSeconds / 86_400) * 86_400;
}

interface LivePageProps {
  readonly runId: string;
  /** Called once when the run has ended. */
  readonly onEnded?: () => void;
}

const NO_RANGES: readonly ShadedRange[] = [];
const RATE_POINTS = 5;
const texts = laterWords.live;

/** Page of an active run: current figures, warnings and a button to stop it. */
export function LivePage({ runId, onEnded }: LivePageProps) {
  const state = useLiveState(runId);
  // The value is deferred, so that the page stays responsive despite two updates per second.
  const deferred = useDeferredValue(state.value);
  const picture = deferred?.live.run.id === runId ? deferred : state.value;
  const ended = useEffectEvent(() => onEnded?.());
  const hasEnded = state.status === 'ended' && state.problem === null;
  useEffect(() => {
    if (hasEnded) ended();
  }, [hasEnded]);

  if (state.status === 'ended' && state.problem) return <ProblemPage title={words.app.run} problem={state.problem} />;
  return picture ? <LiveView picture={picture} runId={runId} /> : <LiveSkeleton />;
}

function LiveSkeleton() {
  return (
    <Page title={words.app.run}>
      <Skeleton waitingFor={texts.waitingForRun}>
        <div className={styles.tiles}>
          {['answers', 'within', 'failures', 'waiting'].map((name) => (
            <Block key={name} height={148} />
          ))}
        </div>
        <Block height={280} />
        <Block height={280} />
      </Skeleton>
    </Page>
  );
}

interface LiveViewProps {
  readonly picture: LiveState;
  readonly runId: string;
}

const LiveView = memo(function LiveView({ picture, runId }: LiveViewProps) {
  const { plan, live } = picture;
  const { run } = live;
  const stop = useAction('runs.stop');
  const connected = useConnectionState() === 'open';
  const { generators } = live;
  const names = generatorNames(generators);
  const generatorBlocks = useMemo(() => liveGeneratorBlocks(generators), [generators]);
  const sentence = stateSentence(live);
  const stopping = isStopping(live) || stop.isPending;
  return (
    <Page
      title={run.name}
      story={plan?.targets.map(({ url }) => url).join(', ') ?? '\u00a0'}
      actions={
        <StopButton
          texts={laterWords.live}
          isStopping={stopping}
          isDisabled={!connected || run.endedAt !== null}
          onStop={() => stop.mutate({ runId })}
        />
      }
      rail={<StageStrip live={live} plan={plan} perSecond={recentRate(picture)} />}
    >
      <div className={styles.live}>
        <SeriesLink series={run.series} />
        {stop.error ? <ProblemBanner problem={stop.error} onRetry={() => stop.mutate({ runId })} /> : null}
        <div aria-live="polite">{sentence === '' ? null : <Banner tone="accent" title={sentence} />}</div>
        <NotStarted journeys={live.outcomes.journeys} plan={plan} generators={names} />
        {plan?.bells === undefined ? null : (
          <LiveBells
            live={live}
            plan={plan}
            isDisabled={!connected || stopping || run.endedAt !== null}
            onCallOff={() => stop.mutate({ runId })}
          />
        )}
        <LiveTiles picture={picture} plan={plan} />
        {generatorBlocks.length > 0 ? (
          <Card title={laterWords.run.places.title}>
            <Blocks blocks={generatorBlocks} />
          </Card>
        ) : null}
        <div className={styles.columns}>
          <LiveCharts picture={picture} runId={runId} />
          <LiveSide picture={picture} names={names} />
        </div>
      </div>
    </Page>
  );
});

function LiveCharts({ picture, runId }: LiveViewProps) {
  const { plan, live, points, watched } = picture;
  const stages = useMemo(() => (plan ? listPlannedStages(plan) : []), [plan]);
  const charts = useMemo(() => {
    const hasWaits = points.some(({ waiting }) => waiting > 0);
    return chartsOfRun({ plan, points, stages, watched, hasWaits, hasPages: false });
  }, [plan, points, stages, watched]);
  const overloaded = useMemo(() => points.filter((point) => point.overloadedBy.length > 0), [points]);
  const computeFigures = useCallback((range: TimeRange) => <RangeFigures runs={[{ runId, name: '' }]} range={range} />, [runId]);
  // The names are compared by value, because updates are more frequent than points.
  const generatorNamesText = live.generators.map(({ name }) => name).join('\n');
  const lines = useMemo(() => generatorLines(generatorNamesText.split('\n'), picture.generators), [generatorNamesText, picture.generators]);
  return (
    <div className={styles.charts}>
      <h2 className="only-read-out">{texts.charts}</h2>
      <ChartView
        from={0}
        to={axisEnd(live.elapsedSeconds, live.plannedSeconds)}
        startedAt={live.run.startedAt}
        stages={stages}
        ranges={NO_RANGES}
        overloaded={overloaded}
        computeFigures={computeFigures}
      >
        <RunCharts charts={charts} empty={texts.waitingFirst}>
          <GeneratorCharts lines={lines} />
        </RunCharts>
        <MonitorCharts monitors={picture.monitors} />
      </ChartView>
    </div>
  );
}

/** Figures and events beside the charts. */
function LiveSide({ picture, names }: Pick<LiveViewProps, 'picture'> & { readonly names: string }) {
  const { plan, live, points, events } = picture;
  const { generators, run } = live;
  return (
    <div className={styles.side}>
      {live.visit === undefined || plan === undefined ? null : (
        <Card title={texts.lastVisit}>
          <Blocks blocks={describeLastVisit(plan, live.visit)} />
        </Card>
      )}
      <Card title={laterWords.run.outcomes.title}>
        <RequestOutcomes outcomes={live.outcomes} balances={live.balances} isGoing />
      </Card>
      {live.servers.length > 0 ? (
        <Card title={words.results.servers.title}>
          <Blocks blocks={serverBlocks(live)} />
        </Card>
      ) : null}
      {live.cache === undefined ? null : (
        <Card title={words.results.cache.title}>
          <Blocks blocks={cacheSentences(live.cache)} />
        </Card>
      )}
      <Card title={laterWords.run.health.title(generators.length > 1)}>
        <HealthSummary
          overload={live.overload}
          points={points}
          generators={generators.map(({ name, figures }) => ({ name, overloadedSeconds: figures?.overloadedSeconds ?? 0 }))}
        />
        {live.generator ? (
          <Disclosure title={texts.lastSecond}>
            <Blocks blocks={readingTable(live.generator, names, generators.length)} />
          </Disclosure>
        ) : null}
      </Card>
      <Card title={texts.events}>
        <EventList events={events} startedAt={run.startedAt} asideOf={revertButtonFor} />
      </Card>
    </div>
  );
}

/** Returns the mean throughput over the last points, or null if there are none. */
function recentRate({ points }: LiveState): number | null {
  const latePoints = points.slice(-RATE_POINTS);
  const seconds = latePoints.reduce((sum, { width }) => sum + width, 0);
  return seconds > 0 ? latePoints.reduce((sum, { completed }) => sum + completed, 0) / seconds : null;
}
