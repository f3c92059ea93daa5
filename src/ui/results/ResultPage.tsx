import { Pencil } from 'lucide-react';
import { memo, useMemo, useRef, useState } from 'react';
import { failedRequests } from '#core/measurement/ledger.ts';
import { type CacheResult, cacheShare } from '#core/measurement/cache/figures.ts';
import { capacityOfRun, hasCapacity } from '#core/judgement/capacity/capacity.ts';
import { objectivesOf } from '#core/plan/objectives.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { liveOfMonitor } from '#core/machines/monitors/live.ts';
import type { PageFigures } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import { ratePoints } from '#core/result/pointSeries.ts';
import { sickGeneratorNames } from '#core/result/generatorNames.ts';
import { overloadOf } from '#core/result/overload.ts';
import { mostWatched } from '#core/result/readings.ts';
import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Passage } from '#core/presentation/document/model.ts';
import { abBlocks } from '#core/presentation/document/ab.ts';
import { nothingJudged } from '#core/presentation/document/evidence.ts';
import { stageBlocks, timeBlocks, timeKindBlocks } from '#core/presentation/document/figures.ts';
import { codeBlocks } from '#core/presentation/document/ledger.ts';
import { generatorBlocks, processorBlocks } from '#core/presentation/document/machines.ts';
import { resultGeneratorBlocks } from '#core/presentation/document/generators.ts';
import { apdexWords, behaviourBlocks, cacheBlocks, pageBlocks, serverBlocks } from '#core/presentation/document/special.ts';
import { streamBlocks, streamsSummary } from '#core/presentation/document/streams.ts';
import { many, percentileText } from '#core/presentation/document/words.ts';
import { limitsOf } from '#core/presentation/charts/limits.ts';
import { endOf, hasCourse, shadedRanges, stageBands } from '#core/presentation/charts/chartFrame.ts';
import { useCall } from '../app/backend.ts';
import { besideEvent } from '../app/machines/RevertChange.tsx';
import { startWizard } from '../app/wizardSeed.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Page } from '../components/Page.tsx';
import { Later } from '../components/Later.tsx';
import { ProblemPage } from '../components/ProblemBanner.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { CapacityPart } from '../run/CapacityPart.tsx';
import { EventList } from '../run/EventList.tsx';
import { HealthSummary } from '../run/HealthSummary.tsx';
import { Ledger } from '../run/Ledger.tsx';
import { SeriesLink } from '../run/SeriesLink.tsx';
import { MonitorCharts, MoreCharts, PlaceCharts } from '../run/MoreCharts.tsx';
import { generatorLines } from '../run/generatorLines.ts';
import { RunCharts } from '../run/RunCharts.tsx';
import { formatWhen, words } from '../words/words.ts';
import { ActionBar } from './ActionBar.tsx';
import { BaselineCard } from './BaselineCard.tsx';
import { Findings } from './Findings.tsx';
import { KeptSamples } from './KeptSamples.tsx';
import { NoteCard } from './NoteCard.tsx';
import { ObjectivesTable } from './ObjectivesTable.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { RangeSelect, SpreadPart } from './SpreadPart.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { VerdictHead, VerdictReasons } from './VerdictHead.tsx';
import { Visits } from './Visits.tsx';
import './print.css';
import styles from './ResultPage.module.css';

interface ResultPageProps {
  readonly runId: string;
  /** Given a plan that would settle the question; left out, the wizard opens on it. */
  readonly onRunPlan?: (plan: Plan) => void;
}

/** About as many as charts draw: while more of a long run is checked, the page would stand still. Exports hold every second. */
const MAX_POINTS = 500;
/** Of the charts that every run has. */
const CHARTS_HEIGHT = 900;
const texts = words.results;

/** A run that has ended: the answer first, then why, then everything that was measured. */
export function ResultPage({ runId, onRunPlan }: ResultPageProps) {
  const answer = useCall('runs.result', { runId, maxPoints: MAX_POINTS }, { keepPrevious: true });
  if (answer.data) {
    const { generators: made, plan: ran } = answer.data;
    const generators = made.map(({ name }) => name);
    return (
      <ResultView result={answer.data} onRunPlan={onRunPlan ?? ((plan) => startWizard({ kind: 'plan', plan, generators, from: ran }))} />
    );
  }
  if (answer.error)
    return (
      <ProblemPage
        title={answer.error.code === 'NO_SUCH_RUN' ? texts.notThere : words.app.run}
        problem={answer.error}
        onRetry={() => void answer.refetch()}
      />
    );
  return (
    <Page title={words.app.run}>
      <Skeleton waitingFor={texts.waitingFor}>
        <Block height={120} />
        <Block height={90} />
        <Block height={280} />
        <Block height={280} />
      </Skeleton>
    </Page>
  );
}

interface ResultProps {
  readonly result: RunResult;
  readonly onRunPlan: (plan: Plan) => void;
}

function ResultView({ result, onRunPlan }: ResultProps) {
  const { run, plan } = result;
  const [isRenaming, setRenaming] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const [looked, setLooked] = useState<number | null>(null);
  const charts = useRef<HTMLDivElement>(null);
  const show = (index: number): void => {
    setChosen(index);
    setLooked(null);
    charts.current?.focus();
    charts.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <Page
      title={run.name}
      story={storyOf(result)}
      actions={
        <div className={styles.screenOnly}>
          <Button look="quiet" size="small" icon={<Pencil />} onPress={() => setRenaming(true)}>
            {texts.rename}
          </Button>
        </div>
      }
      footer={<ActionBar runId={run.id} plan={plan} onRunAgain={() => startWizard({ kind: 'run', runId: run.id })} />}
    >
      <div className={`${styles.report} result-report`}>
        <SeriesLink series={run.series} />
        <VerdictHead result={result} />
        <div ref={charts} tabIndex={-1} className={styles.charts}>
          <Card title={texts.charts.title} actions={<RangeSelect findings={result.findings} chosen={chosen} onChoose={setChosen} />}>
            {hasCourse(ratePoints(result.windows)) ? (
              <Later height={CHARTS_HEIGHT}>
                <Charts result={result} shown={looked ?? chosen} />
              </Later>
            ) : (
              <p className={styles.quiet}>{result.windows.length === 0 ? texts.charts.empty : texts.charts.short}</p>
            )}
          </Card>
        </div>
        <Card title={texts.findings.title}>
          <Findings findings={result.findings} onShow={show} onLook={setLooked} />
        </Card>
        {objectivesOf(plan).length === 0 ? null : (
          <Card title={texts.objectives.title}>
            <ObjectivesTable objectives={result.objectives} none={nothingJudged(result)} />
          </Card>
        )}
        <Later>
          <Rest result={result} onRunPlan={onRunPlan} />
        </Later>
      </div>
      {isRenaming ? <RenameDialog runId={run.id} name={run.name} onClose={() => setRenaming(false)} /> : null}
      <p className={styles.printed}>{`${words.common.product} ${run.holdfastVersion} · ${run.id} · ${plan.targets[0]?.url ?? ''}`}</p>
    </Page>
  );
}

/** What follows the answer, its charts, findings and criteria. */
function Rest({ result, onRunPlan }: ResultProps) {
  const { run } = result;
  const places = useMemo(() => resultGeneratorBlocks(result), [result]);
  return (
    <>
      {result.visits === null ? null : <Visits result={result} />}
      <VerdictReasons result={result} onRunPlan={onRunPlan} />
      <div className={styles.screenOnly}>
        <BaselineCard runId={run.id} isWhole={run.state === 'finished'} where="answer" />
      </div>
      {places.length === 0 ? null : (
        <Card title={words.run.places.title}>
          <Blocks blocks={places} />
        </Card>
      )}
      <Figures result={result} />
      <div className={styles.columns}>
        <div className={styles.screenOnly}>
          <BaselineCard runId={run.id} isWhole={run.state === 'finished'} where="foot" />
        </div>
        <div className={run.note === '' ? styles.screenOnly : undefined}>
          <NoteCard key={run.id} runId={run.id} note={run.note} />
        </div>
      </div>
    </>
  );
}

/** When, how long, against what. */
function storyOf({ run, plan, durationSeconds }: RunResult): string {
  const took = durationSeconds === null ? [] : [texts.took(formatSeconds(durationSeconds))];
  return texts.facts([formatWhen(run.startedAt), ...took, plan.targets.map(({ url }) => url).join(', ')]);
}

function Charts({ result, shown }: { readonly result: RunResult; readonly shown: number | null }) {
  const frame = useMemo(
    () => ({
      windows: ratePoints(result.windows),
      stages: stageBands(result),
      limits: limitsOf(result.plan, ratePoints(result.windows), stageBands(result)),
      watched: mostWatched(result.generators),
      monitors: result.monitors.map(liveOfMonitor),
      places: generatorLines(
        result.generators.map(({ name }) => name),
        result.generators.map(({ figures }) => figures?.points ?? []),
      ),
    }),
    [result],
  );
  const ranges = useMemo(() => shadedRanges(result, shown), [result, shown]);
  return (
    <RunCharts
      plan={result.plan}
      points={frame.windows}
      toSecond={endOf(result)}
      startedAt={result.run.startedAt}
      stages={frame.stages}
      ranges={ranges}
      limits={frame.limits}
      empty={texts.charts.empty}
      isShort
    >
      <MoreCharts plan={result.plan} points={frame.windows} hasWaits={result.waits.length > 0} watched={frame.watched} />
      <PlaceCharts lines={frame.places} />
      <MonitorCharts monitors={frame.monitors} />
      <ProcessorAccounts result={result} />
    </RunCharts>
  );
}

/** What an operator asks for, each one disclosure below. */
const Figures = memo(function Figures({ result }: { readonly result: RunResult }) {
  const { requests } = result.ledger;
  const failed = failedRequests(requests);
  const mean = result.latency.service.mean;
  return (
    <Card>
      <div className={styles.depth}>
        {result.pages === null ? null : (
          <Depth title={texts.pages.title} summary={pagesSummary(result.pages.all)} blocks={pageBlocks(result)} />
        )}
        {result.streams === null ? null : (
          <Depth title={texts.streams} summary={streamsSummary(result.streams)} blocks={streamBlocks(result)} />
        )}
        <Depth title={texts.times.title} summary={timesSummary(result)} blocks={[...timeKindBlocks(result), ...timeBlocks(result)]} />
        <SpreadPart runId={result.run.id} />
        <Depth title={texts.behaviour.title} summary={texts.behaviour.summary} blocks={behaviourBlocks(result)} />
        <CapacityDepth result={result} />
        <Depth
          title={texts.ab.title}
          summary={texts.ab.summary(formatRate(result.rates.completedPerSecond), formatMs(mean))}
          blocks={abBlocks(result)}
        />
        <Depth
          title={texts.stages.title}
          summary={`${many(result.stages.length, 'stage')}, ${many(result.plan.journey.length, 'step')}`}
          blocks={stageBlocks(result)}
        />
        <Disclosure
          level={2}
          title={words.run.ledger.title}
          summary={texts.accounts.summary(formatCount(requests.sent), formatCount(failed))}
        >
          <div className={styles.columns}>
            <Ledger ledger={result.ledger} balances={result.balances} isGoing={false} />
            <Blocks blocks={codeBlocks(result)} showTitles />
          </div>
        </Disclosure>
        <Depth title={texts.servers.title} summary={serversSummary(result)} blocks={serverBlocks(result)} />
        {result.cache === undefined ? null : (
          <Depth title={texts.cache.title} summary={cacheSummary(result.cache)} blocks={cacheBlocks(result)} />
        )}
        <KeptSamples runId={result.run.id} />
        <Disclosure level={2} title={texts.generator.title(result.generators.length > 1)} summary={healthSummary(result)}>
          <Generators result={result} />
        </Disclosure>
        <Disclosure level={2} title={texts.plan.title} summary={texts.plan.summary(result.plan.name)}>
          <PlanSummary plan={result.plan} />
        </Disclosure>
        <Disclosure level={2} title={texts.events} summary={texts.eventsSummary(result.events.length, formatCount(result.events.length))}>
          <EventList events={result.events} startedAt={result.run.startedAt} asideOf={besideEvent} />
        </Disclosure>
      </div>
    </Card>
  );
});

interface DepthProps {
  readonly title: string;
  readonly summary: string;
  /** Nothing is shown of none. */
  readonly blocks: readonly Passage[];
}

function Depth({ title, summary, blocks }: DepthProps) {
  return blocks.length === 0 ? null : (
    <Disclosure level={2} title={title} summary={summary}>
      <Blocks blocks={blocks} />
    </Disclosure>
  );
}

/** The computers that sent the load, and whether their figures can be believed. */
function Generators({ result }: { readonly result: RunResult }) {
  const { generators } = result;
  return (
    <div className={styles.figures}>
      {generators.length === 0 ? null : <HealthSummary overload={overloadOf(result)} points={result.windows} generators={generators} />}
      <Blocks blocks={generatorBlocks(result)} />
      {/* A self-test is made on this computer only. */}
      {generators.some(({ name, selfTest }) => name === THIS_COMPUTER && selfTest === null) ? (
        <p className={styles.quiet}>
          <a href="#/settings">{texts.generator.selfTestRun}</a>
        </p>
      ) : null}
    </div>
  );
}

/** What attached graphs say of the processor stands beside the charts of the machines. */
const ProcessorAccounts = memo(function ProcessorAccounts({ result }: { readonly result: RunResult }) {
  const blocks = processorBlocks(result);
  return blocks.length === 0 ? null : <Blocks blocks={blocks} showTitles />;
});

/** Its head-room stands among the findings. */
function CapacityDepth({ result }: { readonly result: RunResult }) {
  const capacity = useMemo(() => ({ ...capacityOfRun(result), headroom: null }), [result]);
  return hasCapacity(capacity) ? (
    <Disclosure level={2} title={words.run.capacity.title} summary={words.run.capacity.summary}>
      <CapacityPart capacity={capacity} />
    </Disclosure>
  ) : null;
}

function serversSummary({ servers, plan }: RunResult): string {
  const all = Math.max(servers.length, plan.servers?.expected ?? 0);
  return texts.servers.summary(formatCount(servers.filter(({ answered }) => answered > 0).length), formatCount(all));
}

function cacheSummary({ counted }: CacheResult): string {
  return counted.unsaid === counted.answered ? texts.cache.unsaid : texts.cache.summary(cacheShare(counted), formatCount(counted.answered));
}

function pagesSummary({ complete, incomplete, errorAdjusted, pageApdex }: PageFigures): string {
  return texts.pages.summary(percentileText(errorAdjusted.p95, 95), formatCount(complete + incomplete), apdexWords(pageApdex.value));
}

/** A p95 that mixes pages with their images says that it is of requests. */
function timesSummary({ latency, pages }: RunResult): string {
  const { p95 } = latency.response;
  if (p95 === null) return words.common.notKnown;
  return texts.times.summary(p95 === 'never' ? words.common.never : texts.times.within(formatMs(p95)), pages !== null);
}

function healthSummary(result: RunResult): string {
  const { generators, windows } = result;
  if (generators.length === 0 || windows.length === 0) return words.common.notKnown;
  const { seconds } = overloadOf(result);
  const names = sickGeneratorNames(generators);
  return seconds > 0 ? texts.generator.sickSummary(names, formatSeconds(seconds)) : texts.generator.wellSummary(names);
}
