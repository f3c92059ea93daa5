import './print.css';
import styles from './ResultPage.module.css';
import { Pencil, SlidersHorizontal } from 'lucide-react';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { liveOfMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { BellResult } from '#core/result/bells.ts';
import type { RunResult } from '#core/result/schema.ts';
import { ratePoints } from '#core/result/pointSeries.ts';
import { formatSeconds } from '#core/base/units.ts';
import { DUET_TABLE_TITLE, duetTable } from '#core/presentation/document/duet.ts';
import { nothingJudged } from '#core/presentation/document/evidence.ts';
import { processorBlocks } from '#core/presentation/document/machines.ts';
import { resultGeneratorBlocks } from '#core/presentation/document/generators.ts';
import { openingFilmBlocks } from '#core/presentation/document/visits.ts';
import { endOf, hasCourse, listShadedRanges, stageBands } from '#core/presentation/charts/chartFrame.ts';
import { chartsOfResult } from '#core/presentation/charts/runCharts.ts';
import { useCall } from '#ui/shared/backend.ts';
import { RangeFigures } from '#ui/shared/OverlayCharts.tsx';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { ChartView, type TimeRange } from '../charts/ChartView.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Page } from '../components/Page.tsx';
import { AfterFirstPaint, Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { ProblemPage, ProblemBanner } from '#ui/components/Banner.tsx';
import { SeriesLink } from '../run/SeriesLink.tsx';
import { MonitorCharts, GeneratorCharts } from '../run/MonitorCharts.tsx';
import { generatorLines } from '../run/generatorLines.ts';
import { Openings } from '../run/Openings.tsx';
import { RunCharts } from '../run/RunCharts.tsx';
import { laterWords } from '../words/laterWords.ts';
import { formatWhen, words } from '../words/words.ts';
import { ActionBar } from './ActionBar.tsx';
import { BaselineCard } from './BaselineCard.tsx';
import { HistoryCard } from './HistoryCard.tsx';
import { Findings } from './Findings.tsx';
import { NoteCard } from './NoteCard.tsx';
import { CriteriaTable } from './CriteriaTable.tsx';
import { People } from './People.tsx';
import { ResultFigures } from './ResultFigures.tsx';
import { RangeSelect } from './SpreadPart.tsx';
import { VerdictHead, VerdictReasons } from './VerdictHead.tsx';
import { Visits } from './Visits.tsx';
import { useRename } from '#ui/shared/runActions.ts';
import { Dialog } from '../components/Dialog.tsx';
import { TextField } from '../components/Field.tsx';

const MAX_NAME_LENGTH = 120;
function RenameDialog({ runId, name, onClose }: { readonly runId: string; readonly name: string; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(name);
  const rename = useRename();
  const trimmed = draft.trim();
  const save = (): void => {
    if (trimmed !== '') rename.mutate({ runId, name: trimmed }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={words.results.renameTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button look="primary" isDisabled={trimmed === ''} isPending={rename.isPending} onPress={save}>
            {words.common.save}
          </Button>
        </>
      }
    >
      <TextField label={words.results.nameLabel} value={draft} onChange={setDraft} onEnter={save} maxLength={MAX_NAME_LENGTH} />
      {rename.error ? <ProblemBanner problem={rename.error} /> : null}
    </Dialog>
  );
}

interface ResultPageProps {
  readonly runId: string;
  /** Called with a plan that would lead to a conclusive result. By default, the wizard opens with this plan. */
  readonly onRunPlan?: (plan: Plan) => void;
}

/** Maximum number of points: about as many as charts draw. Validating more would block the page. Exports contain every second. */
const MAX_POINTS = 500;
/** Estimated height in CSS pixels of the charts that every run has. */
const CHARTS_HEIGHT = 900;
const texts = words.results;

/** Page of a run that has ended: the verdict, its reasons, then all measurements. */
export function ResultPage({ runId, onRunPlan }: ResultPageProps) {
  const response = useCall('runs.result', { runId, maxPoints: MAX_POINTS }, { keepPrevious: true });
  if (response.data) {
    const { generators: made, plan: ran } = response.data;
    const generators = made.map(({ name }) => name);
    return (
      <ResultView result={response.data} onRunPlan={onRunPlan ?? ((plan) => startWizard({ kind: 'plan', plan, generators, from: ran }))} />
    );
  }
  if (response.error)
    return (
      <ProblemPage
        title={response.error.code === 'NO_SUCH_RUN' ? texts.notThere : words.app.run}
        problem={response.error}
        onRetry={() => void response.refetch()}
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
  const filmsAt = useCallback((bell: BellResult) => openingFilmBlocks(result, bell), [result]);
  const showFinding = (index: number): void => {
    setChosen(index);
    setLooked(null);
    charts.current?.focus();
    charts.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <Page
      title={run.name}
      story={runSummaryText(result)}
      actions={
        <div className={styles.screenOnly}>
          <Button look="quiet" size="small" icon={<SlidersHorizontal />} onPress={() => startWizard({ kind: 'run', runId: run.id })}>
            {texts.editPlan}
          </Button>
          <Button look="quiet" size="small" icon={<Pencil />} onPress={() => setRenaming(true)}>
            {texts.rename}
          </Button>
        </div>
      }
      footer={<ActionBar runId={run.id} plan={plan} onRunAgain={() => startWizard({ kind: 'run', runId: run.id, starts: true })} />}
    >
      <div className={`${styles.report} result-report`}>
        <SeriesLink series={run.series} />
        <VerdictHead result={result} />
        {result.duet === undefined ? null : (
          <Card title={DUET_TABLE_TITLE}>
            <Blocks blocks={duetTable(result.duet)} />
          </Card>
        )}
        {result.people === undefined ? null : <People runId={run.id} people={result.people} />}
        {result.bells === undefined ? null : <Openings bells={result.bells} filmsAt={filmsAt} startedAt={run.startedAt} />}
        <div ref={charts} tabIndex={-1} className={styles.charts}>
          <Card title={texts.charts.title} actions={<RangeSelect findings={result.findings} chosen={chosen} onChoose={setChosen} />}>
            {hasCourse(ratePoints(result.windows)) ? (
              <AfterFirstPaint height={CHARTS_HEIGHT}>
                <Charts result={result} shown={looked ?? chosen} />
              </AfterFirstPaint>
            ) : (
              <p className={styles.quiet}>{result.windows.length === 0 ? texts.charts.empty : texts.charts.short}</p>
            )}
          </Card>
        </div>
        <Card title={texts.findings.title}>
          <Findings findings={result.findings} onShow={showFinding} onLook={setLooked} />
        </Card>
        {listCriteria(plan).length === 0 ? null : (
          <Card title={texts.criteria.title}>
            <CriteriaTable criteria={result.criteria} none={nothingJudged(result)} />
          </Card>
        )}
        <AfterFirstPaint>
          <ResultDetails result={result} onRunPlan={onRunPlan} />
        </AfterFirstPaint>
      </div>
      {isRenaming ? <RenameDialog runId={run.id} name={run.name} onClose={() => setRenaming(false)} /> : null}
      <p className={styles.printed}>{`${words.common.product} ${run.holdfastVersion} · ${run.id} · ${plan.targets[0]?.url ?? ''}`}</p>
    </Page>
  );
}

/** Everything below the verdict, the charts, the findings and the criteria. */
function ResultDetails({ result, onRunPlan }: ResultProps) {
  const { run } = result;
  const places = useMemo(() => resultGeneratorBlocks(result), [result]);
  return (
    <>
      {result.visits === null ? null : <Visits result={result} />}
      <VerdictReasons result={result} onRunPlan={onRunPlan} />
      <div className={styles.screenOnly}>
        <BaselineCard runId={run.id} isWhole={run.state === 'finished'} where="response" />
      </div>
      {places.length === 0 ? null : (
        <Card title={laterWords.run.places.title}>
          <Blocks blocks={places} />
        </Card>
      )}
      <ResultFigures result={result} />
      <div className={styles.screenOnly}>
        <HistoryCard runId={run.id} />
      </div>
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

/** Returns start time, duration and targets as a line. */
function runSummaryText({ run, plan, durationSeconds }: RunResult): string {
  const took = durationSeconds === null ? [] : [texts.took(formatSeconds(durationSeconds))];
  return texts.facts([formatWhen(run.startedAt), ...took, plan.targets.map(({ url }) => url).join(', ')]);
}

function Charts({ result, shown }: { readonly result: RunResult; readonly shown: number | null }) {
  const { run, windows, monitors, generators } = result;
  const drawn = useMemo(
    () => ({
      charts: chartsOfResult(result),
      stages: stageBands(result),
      overloaded: windows.filter(({ overloadedBy }) => overloadedBy.length > 0),
      monitors: monitors.map(liveOfMonitor),
      places: generatorLines(
        generators.map(({ name }) => name),
        generators.map(({ figures }) => figures?.points ?? []),
      ),
    }),
    [result, windows, monitors, generators],
  );
  const ranges = useMemo(() => listShadedRanges(result, shown), [result, shown]);
  const computeFigures = useCallback((range: TimeRange) => <RangeFigures runs={[{ runId: run.id, name: '' }]} range={range} />, [run.id]);
  return (
    <ChartView
      from={0}
      to={endOf(result)}
      startedAt={run.startedAt}
      stages={drawn.stages}
      ranges={ranges}
      overloaded={drawn.overloaded}
      computeFigures={computeFigures}
    >
      <RunCharts charts={drawn.charts} empty={texts.charts.empty} isShort>
        <GeneratorCharts lines={drawn.places} />
        <MonitorCharts monitors={drawn.monitors} />
        <ProcessorAccounts result={result} />
      </RunCharts>
    </ChartView>
  );
}

/** Findings about processors from attached graphs, next to the charts of the machines. */
const ProcessorAccounts = memo(function ProcessorAccounts({ result }: { readonly result: RunResult }) {
  const blocks = processorBlocks(result);
  return blocks.length === 0 ? null : <Blocks blocks={blocks} showTitles />;
});
