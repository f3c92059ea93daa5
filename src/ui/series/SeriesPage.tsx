import styles from './SeriesPage.module.css';
import { useMemo, useState } from 'react';
import { hasCapacity } from '#core/judgement/capacity/capacity.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import { type StatedDifference, listStatedDifferences } from '#core/series/differences.ts';
import { behaviourOfRow, type SeriesResult } from '#core/series/result.ts';
import { formatCount } from '#core/base/units.ts';
import { useAction, useConnectionState, useStream } from '#ui/shared/backend.ts';
import { uncapitalize, formatAfterOutcome } from '#core/judgement/verdict/labels.ts';
import { seriesDuetTables } from '#core/presentation/document/duet.ts';
import { seriesVerdict } from '#core/presentation/document/groupVerdict.ts';
import { VerdictBanner } from '#ui/components/Marks.tsx';
import { GroupProgress, seriesProgress } from '../run/GroupProgress.tsx';
import { Banner } from '../components/Banner.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner, ProblemPage } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { StopButton } from '../components/Button.tsx';
import { CapacityPart } from '../run/CapacityPart.tsx';
import { laterWords } from '../words/laterWords.ts';
import { formatWhen, words } from '../words/words.ts';
import { Sentences, Blocks } from '../components/Blocks.tsx';
import { SeriesCharts } from './SeriesCharts.tsx';
import { SeriesFooter } from './SeriesFooter.tsx';
import { SeriesTable, Commands, MatrixCard } from './SeriesTable.tsx';
import { isJudged, formatSmallest } from '#core/series/smallest.ts';
import { lineTable, machineTable } from '#core/presentation/document/seriesTables.ts';

/** Maximum number of differences that are all visible. If there are more, those that may be chance are collapsed. */
export const MAX_OPEN = 6;

interface FoldedDifferences {
  readonly open: readonly StatedDifference[];
  /** Differences that may be chance. */
  readonly folded: readonly StatedDifference[];
}

/** Splits differences into visible and collapsed ones. If there are few, all are visible; otherwise only the significant ones are. */
export function foldedDifferences(differences: readonly StatedDifference[]): FoldedDifferences {
  if (differences.length <= MAX_OPEN) return { open: differences, folded: [] };
  const isDifferent = ({ judgement }: StatedDifference): boolean => judgement === 'differs';
  return { open: differences.filter(isDifferent), folded: differences.filter((one) => !isDifferent(one)) };
}

const texts = words.series;

/** Page of a series, both while it runs and afterwards. */
export function SeriesPage({ seriesId }: { readonly seriesId: string }) {
  // The stream ends when the series ends, so a resumed series needs a new one.
  const [times, setTimes] = useState(0);
  return <WatchedSeries key={times} seriesId={seriesId} onResumed={() => setTimes(times + 1)} />;
}

function WatchedSeries({ seriesId, onResumed }: { readonly seriesId: string; readonly onResumed: () => void }) {
  const state = useStream('series.watch', { seriesId });
  if (state.value !== undefined) return <SeriesView result={state.value} onResumed={onResumed} />;
  if (state.status === 'ended' && state.problem !== null)
    return <ProblemPage title={state.problem.code === 'NO_SUCH_SERIES' ? texts.notThere : texts.page} problem={state.problem} />;
  return (
    <Page title={texts.page}>
      <Skeleton waitingFor={texts.loading}>
        <Block height={90} />
        <Block height={280} />
        <Block height={280} />
      </Skeleton>
    </Page>
  );
}

function SeriesView({ result, onResumed }: { readonly result: SeriesResult; readonly onResumed: () => void }) {
  const { series, document, rows, done, planned, engine } = result;
  const isGoing = series.endedAt === null;
  const facts = [texts.states[series.state], texts.done(formatCount(done), formatCount(planned)), formatWhen(series.startedAt)];
  return (
    <Page
      title={series.name}
      story={texts.facts(facts)}
      actions={isGoing ? <StopSeries seriesId={series.id} /> : null}
      footer={isGoing ? undefined : <SeriesFooter result={result} onResumed={onResumed} />}
    >
      <Stack gap={24}>
        <Verdict result={result} />
        {document.plan.story === '' ? null : <p className={styles.story}>{document.plan.story}</p>}
        <Ending result={result} />
        {isGoing ? null : <SeriesConclusions result={result} />}
        <Card title={texts.table.title} flush>
          <SeriesTable rows={rows} />
        </Card>
        {isGoing ? null : <CapacityCard result={result} />}
        <BehaviourCard rows={rows} />
        {document.plan.lookAt.length === 0 ? null : (
          <Card title={texts.lookAt}>
            <Sentences list={document.plan.lookAt} />
          </Card>
        )}
        <MatrixCard rows={rows} />
        <SeriesCharts rows={rows} />
        <Commands rows={rows} />
        <p className={styles.quiet}>{engine.reason}</p>
      </Stack>
    </Page>
  );
}

/** Scaling of each variant whose levels allow an estimate. */
function CapacityCard({ result }: { readonly result: SeriesResult }) {
  const capacity = useMemo(() => capacityOfSeries(result), [result]);
  return hasCapacity(capacity) ? (
    <Card title={laterWords.run.capacity.title}>
      <CapacityPart capacity={capacity} />
    </Card>
  ) : null;
}

/** Maximum number of cells that are all visible. */
const MAX_OPEN_CELLS = 6;

/** First responses, queues and recovery of each variant. */
function BehaviourCard({ rows }: { readonly rows: SeriesResult['rows'] }) {
  const reported = rows.flatMap((row) => {
    const sentences = behaviourOfRow(row);
    return sentences.length === 0 ? [] : [{ cell: row.cell, sentences }];
  });
  if (reported.length === 0) return null;
  const [open, folded] =
    reported.length > MAX_OPEN_CELLS ? [reported.slice(0, MAX_OPEN_CELLS), reported.slice(MAX_OPEN_CELLS)] : [reported, []];
  return (
    <Card title={texts.behaviour}>
      <Stack gap={12}>
        {open.map((one) => (
          <CellBehaviour key={one.cell} {...one} />
        ))}
        {folded.length === 0 ? null : (
          <Disclosure title={texts.otherBehaviours(formatCount(folded.length))}>
            <Stack gap={12}>
              {folded.map((one) => (
                <CellBehaviour key={one.cell} {...one} />
              ))}
            </Stack>
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
}

function CellBehaviour({ cell, sentences }: { readonly cell: string; readonly sentences: readonly string[] }) {
  return (
    <section>
      <Stack gap={4}>
        <h3 className={styles.subtitle}>{cell}</h3>
        <Sentences list={sentences} />
      </Stack>
    </section>
  );
}

/** Number of passed cells in large type. While the series runs, its progress is shown instead. */
function Verdict({ result }: { readonly result: SeriesResult }) {
  const { series, done } = result;
  const verdict = seriesVerdict(result);
  const rest = formatAfterOutcome(verdict);
  if (series.endedAt === null)
    return (
      <VerdictBanner outcome="running" title={texts.states.running} rest={done === 0 ? '' : `: ${uncapitalize(`${verdict.title}${rest}`)}`}>
        <GroupProgress startedAt={series.startedAt} progressAt={(elapsed) => seriesProgress(result, elapsed)} />
      </VerdictBanner>
    );
  return <VerdictBanner outcome={verdict.outcome} title={verdict.title} rest={rest} />;
}

function Ending({ result: { series } }: { readonly result: SeriesResult }) {
  const title = texts.ended[series.state];
  return title === '' ? null : (
    <Banner tone="inconclusive" title={title}>
      {series.endedBecause ?? ''}
    </Banner>
  );
}

/** Conclusions of the series, above all figures. */
function SeriesConclusions({ result }: { readonly result: SeriesResult }) {
  const { best, effects, smallest, fits, notes, rows } = result;
  return (
    <Card title={texts.conclusion}>
      <Stack gap={12}>
        {rows.some(({ values }) => values > 0) ? null : <p>{texts.charts.empty}</p>}
        {best === null ? null : (
          <p>
            <strong>{texts.best(best.cell)}.</strong> {best.reason}
          </p>
        )}
        <Differences differences={listStatedDifferences(result)} />
        <Blocks blocks={seriesDuetTables(rows)} showTitles />
        {effects.length > 0 ? <h3 className={styles.subtitle}>{texts.effects}</h3> : null}
        {effects.length > 0 ? <Sentences list={effects.map(({ text }) => text)} /> : null}
        <FactorConclusions smallest={smallest} fits={fits} />
        {notes.length > 0 ? <Sentences list={notes} /> : null}
      </Stack>
    </Card>
  );
}

function Differences({ differences }: { readonly differences: readonly StatedDifference[] }) {
  if (differences.length === 0) return null;
  const { open, folded } = foldedDifferences(differences);
  return (
    <>
      <h3 className={styles.subtitle}>{texts.differences}</h3>
      {open.length === 0 ? null : <Sentences list={open.map(({ text }) => text)} />}
      {folded.length === 0 ? null : (
        <Disclosure level={4} title={texts.moreDifferences(formatCount(folded.length))}>
          <Sentences list={folded.map(({ text }) => text)} />
        </Disclosure>
      )}
    </>
  );
}

function StopSeries({ seriesId }: { readonly seriesId: string }) {
  const stop = useAction('series.stop');
  const connected = useConnectionState() === 'open';
  const isStopping = stop.isPending || stop.isSuccess;
  return (
    <>
      {stop.error ? <ProblemBanner problem={stop.error} /> : null}
      <StopButton texts={texts} isStopping={isStopping} isDisabled={!connected} onStop={() => stop.mutate({ seriesId })} />
    </>
  );
}

/** Conclusions from the factors of a series: the smallest machine that suffices, and how time depends on amounts. */
function FactorConclusions({ smallest, fits }: Pick<SeriesResult, 'smallest' | 'fits'>) {
  const judged = smallest.filter(isJudged);
  return (
    <>
      {smallest.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{words.series.smallest.title}</h3>
          <Sentences list={formatSmallest(smallest)} />
          {/* A single condition has a visible table. If there are several, sentences state the results, and the tables are collapsed. */}
          {judged.map((conclusion) =>
            judged.length === 1 ? (
              <Blocks key={conclusion.condition} blocks={machineTable(conclusion)} />
            ) : (
              <Disclosure key={conclusion.condition} level={4} title={words.series.smallest.all} summary={conclusion.condition}>
                <Blocks blocks={machineTable(conclusion)} />
              </Disclosure>
            ),
          )}
        </>
      )}
      {fits.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{words.series.fit.title}</h3>
          <Sentences list={fits.map(({ text }) => text)} />
          {fits.map((fit) =>
            fit.refused === null ? (
              <Disclosure key={fit.condition} title={words.series.fit.show} summary={fit.condition === '' ? undefined : fit.condition}>
                <Blocks blocks={lineTable(fit)} />
              </Disclosure>
            ) : null,
          )}
        </>
      )}
    </>
  );
}
