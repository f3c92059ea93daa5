import { ChevronRight, Flag, Layers, RotateCw, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import type { CallOutput } from '#contract/api.ts';
import type { RunRow } from '#contract/replies.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Cell, type DataColumn, DataCell, HeadCell, Row, Table, TableHead } from '../components/Table.tsx';
import { Term } from '../components/Term.tsx';
import { toMark, StateMark, VerdictMark } from '#ui/components/Marks.tsx';
import { loadSizeText } from '../run/loadSize.ts';
import { groupLink } from '../run/SeriesLink.tsx';
import { laterWords } from '../words/laterWords.ts';
import { formatWhen, words } from '../words/words.ts';
import { notify } from '#ui/shared/notices.tsx';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { Button } from '../components/Button.tsx';
import { NoteCell, RunName, Trend } from './RunCells.tsx';
import styles from './RunTable.module.css';
import { isByOlderRules } from '#core/result/verdict.ts';

/** Shows the actions of a run. Deleting needs no confirmation, because it can be undone. */
function RunActions({ run }: { readonly run: RunRow }) {
  const remove = useAction('runs.remove', ['runs.list']);
  const restore = useAction('runs.restore', ['runs.list']);
  const historyWords = laterWords.history;
  const isRunning = toMark(run.state, run.outcome) === 'running';
  const undoRemoval = (): void =>
    restore.mutate(
      { runId: run.id },
      { onSuccess: () => notify(historyWords.restored(run.name)), onError: (error) => notify(error.message) },
    );
  const removeRun = (): void =>
    remove.mutate(
      { runId: run.id },
      {
        onSuccess: () => notify(historyWords.removed(run.name), { label: words.app.undo, act: undoRemoval }),
        onError: (error) => notify(`${error.message} ${error.hint}`),
      },
    );
  return (
    <span className={styles.actions}>
      <Button
        look="quiet"
        size="small"
        icon={<RotateCw />}
        aria-label={historyWords.again(run.name)}
        onPress={() => startWizard({ kind: 'run', runId: run.id, starts: true })}
      />
      <Button
        look="quiet"
        size="small"
        icon={<Trash2 />}
        aria-label={historyWords.remove(run.name)}
        isDisabled={isRunning}
        onPress={removeRun}
      />
    </span>
  );
}

const WIDTH = 72;
const HEIGHT = 20;

/** Sparkline of the rate during the run, next to the average rate. The sparkline is hidden from screen readers. */
function Sparkline({ values, average }: { readonly values: readonly number[]; readonly average: number | null }) {
  if (average === null) return <span className={styles.muted}>{words.common.notKnown}</span>;
  const highest = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = values.length === 1 ? WIDTH : (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 1 - (highest === 0 ? 0 : (value / highest) * (HEIGHT - 2));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <span className={styles.figure}>
      {values.length > 1 ? (
        <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
          <polyline points={points.join(' ')} className={styles.line} />
        </svg>
      ) : null}
      <span className={styles.number}>{formatNumber(average)}</span>
    </span>
  );
}

interface RunGroup {
  /** The series or search of the runs; null for a single run. */
  readonly series: { readonly id: string; readonly name: string } | null;
  readonly members: readonly RunRow[];
}

/** Groups consecutive runs of the same series, in the order of the list. */
export function groupedBySeries(runs: readonly RunRow[]): RunGroup[] {
  const groups: { series: RunGroup['series']; members: RunRow[] }[] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (run.series !== undefined && last?.series?.id === run.series.id) last.members.push(run);
    else groups.push({ series: run.series ?? null, members: [run] });
  }
  return groups;
}

/** Counts the marks of runs, most frequent first. */
export function countMarks(runs: readonly Pick<RunRow, 'state' | 'outcome'>[]) {
  const counts = new Map<ReturnType<typeof toMark>, number>();
  for (const { state, outcome } of runs) {
    const mark = toMark(state, outcome);
    counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return [...counts].map(([mark, count]) => ({ mark, count })).toSorted((one, other) => other.count - one.count);
}

type BaselineStanding = CallOutput<'baselines.standings'>['standings'][number];

/** Short comparison of a run with its baseline. Hovering shows the full sentence. Renders nothing without a baseline. */
function BaselineMark({ standing }: { readonly standing: BaselineStanding | undefined }) {
  if (standing === undefined) return null;
  return (
    <span className={styles.baseline} data-standing={standing.standing} title={standing.sentence === '' ? undefined : standing.sentence}>
      <Flag size={12} aria-hidden="true" />
      {laterWords.baseline.inHistory[standing.standing]}
    </span>
  );
}

const NO_TREND: never[] = [];

interface RunTableProps {
  readonly runs: readonly RunRow[];
  readonly chosen: ReadonlyMap<string, RunRow>;
  readonly onChoose: (run: RunRow, isChosen: boolean) => void;
  /** Whether the list is a search result. In a search result, series are expanded at first. */
  readonly isSearched: boolean;
}

export function RunTable({ runs, chosen, onChoose, isSearched }: RunTableProps) {
  /** Ids of the series that the user has expanded or collapsed. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const toggleGroup = (id: string): void =>
    setTurned(new Set(turned.has(id) ? [...turned].filter((other) => other !== id) : [...turned, id]));
  const presets = useCall('presets.list', {}, { freshForMs: Infinity });
  const trends = useCall('runs.trends', { runIds: runs.map(({ id }) => id) }, { keepPrevious: true });
  const standings = useCall('baselines.standings', { runIds: runs.map(({ id }) => id) }, { keepPrevious: true });
  const columns = columnsFor({
    choice: (run) => (
      <Checkbox
        isSelected={chosen.has(run.id)}
        isDisabled={run.endedAt === null}
        label={laterWords.compare.fromHistory.choose(run.name, formatWhen(run.startedAt))}
        onChange={(isChosen) => onChoose(run, isChosen)}
      />
    ),
    getQuestion: ({ preset }) => presets.data?.find(({ id }) => id === preset)?.title ?? preset,
    findTrend: ({ id }) => trends.data?.find(({ runId }) => runId === id)?.p95Ms ?? NO_TREND,
    judgeStanding: ({ id }) => standings.data?.standings.find(({ runId }) => runId === id),
  });
  return (
    <div className={styles.frame}>
      <Table caption={laterWords.history.title} stacks>
        <TableHead columns={columns} />
        <tbody>
          {groupedBySeries(runs).map(({ series, members }) => {
            const isOpen = series === null || isSearched !== turned.has(series.id);
            return (
              <Fragment key={members[0]?.id}>
                {series === null ? null : (
                  <SeriesLine series={series} members={members} isOpen={isOpen} onTurn={() => toggleGroup(series.id)} />
                )}
                {isOpen
                  ? members.map((run) => (
                      <Row key={run.id}>
                        {columns.map((column) => (
                          <DataCell key={column.name} column={column} item={run} />
                        ))}
                      </Row>
                    ))
                  : null}
              </Fragment>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

interface RowFacts {
  readonly choice: (run: RunRow) => ReactNode;
  /** Returns the title of the preset on which the run is based. */
  readonly getQuestion: (run: RunRow) => string | null;
  /** Returns the p95 of similar runs up to this one, which is the last. */
  readonly findTrend: (run: RunRow) => readonly RunRow['p95Ms'][];
  /** Returns the comparison with the baseline of the run's question; undefined without one. */
  readonly judgeStanding: (run: RunRow) => BaselineStanding | undefined;
}

function columnsFor({ choice, getQuestion, findTrend, judgeStanding }: RowFacts): readonly DataColumn<RunRow>[] {
  const { columns } = laterWords.history;
  return [
    { name: columns.choose, hidesName: true, cell: choice },
    {
      name: columns.name,
      isHead: true,
      cell: (run) => (
        <div className={styles.name}>
          <RunName run={run} />
          <span className={styles.about} title={`${columns.target}: ${run.target}`}>
            {describeRun(run, getQuestion(run))}
          </span>
          <BaselineMark standing={judgeStanding(run)} />
        </div>
      ),
    },
    {
      name: columns.verdict,
      cell: (run) => (
        <span title={run.sentence ?? undefined}>
          <VerdictMark mark={toMark(run.state, run.outcome)} />
          {isByOlderRules(run) ? (
            <span className={styles.about} title={words.results.olderRules}>
              {laterWords.history.olderRules}
            </span>
          ) : null}
        </span>
      ),
    },
    { name: columns.when, cell: ({ startedAt }) => <RunTime at={startedAt} /> },
    {
      name: columns.rate,
      heading: <Term name="throughput">{columns.rate}</Term>,
      numeric: true,
      cell: ({ sparkline, completedPerSecond }) => <Sparkline values={sparkline} average={completedPerSecond} />,
    },
    {
      name: columns.p95,
      heading: <Term name="p95">{columns.p95}</Term>,
      numeric: true,
      cell: (run) => (
        <span className={styles.figure}>
          <Trend p95Ms={findTrend(run)} />
          <span className={styles.number}>{formatMs(run.p95Ms)}</span>
        </span>
      ),
    },
    { name: columns.note, cell: (run) => <NoteCell run={run} /> },
    { name: columns.actions, hidesName: true, numeric: true, cell: (run) => <RunActions run={run} /> },
  ];
}

function RunTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} className={styles.when}>
      {formatWhen(at)}
    </time>
  );
}

interface SeriesLineProps {
  readonly series: { readonly id: string; readonly name: string };
  readonly members: readonly RunRow[];
  readonly isOpen: boolean;
  readonly onTurn: () => void;
}

/** Shows consecutive runs of a series or search as one expandable line. */
function SeriesLine({ series: { id, name }, members, isOpen, onTurn }: SeriesLineProps) {
  const { to, inHistory } = groupLink({ id });
  const { columns, showRuns } = laterWords.history;
  const [newest] = members;
  return (
    <Row>
      <Cell>
        <Button
          look="quiet"
          size="small"
          icon={<ChevronRight className={isOpen ? styles.opened : undefined} />}
          aria-label={showRuns(name)}
          aria-expanded={isOpen}
          onPress={onTurn}
        />
      </Cell>
      <HeadCell scope="row">
        <span className={styles.series}>
          <Layers size={16} aria-hidden="true" />
          <a href={to}>{inHistory(name)}</a>
          <span className={styles.about}>{words.series.shownRuns(formatCount(members.length))}</span>
        </span>
      </HeadCell>
      <Cell label={columns.verdict}>
        <span className={styles.marks}>
          {countMarks(members).map(({ mark, count }) => (
            <StateMark key={mark} mark={mark}>
              {`${formatCount(count)} ${words.marks[mark].toLowerCase()}`}
            </StateMark>
          ))}
        </span>
      </Cell>
      <Cell label={columns.when}>{newest === undefined ? null : <RunTime at={newest.startedAt} />}</Cell>
      <Cell colSpan={4} />
    </Row>
  );
}

/** Returns the line under a run's name, with the run's load, question and target. */
function describeRun({ name, load, target }: RunRow, question: string | null): string {
  return [loadSizeText(load), question === name ? '' : (question ?? ''), target.replace(/^http:\/\//, '')].filter(Boolean).join(' · ');
}
