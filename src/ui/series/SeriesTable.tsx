import { Activity, Ban, CircleMinus, Clock, FileQuestionMark, Gauge, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { type LimitsJudgement, limitsOfRow } from '#core/series/limits.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { columnsOf, factorNames } from '#core/series/format.ts';
import type { CellRun, CellState, SeriesResult, SeriesRow, Spread } from '#core/series/result.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import { VerdictMark } from '../components/VerdictMark.tsx';
import { words } from '../words/words.ts';
import { useStream } from '../app/backend.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Term } from '../components/Term.tsx';
import { classes } from '../components/classes.ts';
import styles from './SeriesPage.module.css';

/** What the limits of the plan say of runs of one thing; where they disagree, that is chance. */
export function LimitsMark({ judgement }: { readonly judgement: LimitsJudgement }) {
  return judgement === 'withinNoise' ? (
    <VerdictMark mark="inconclusive" word={words.series.withinNoise} />
  ) : (
    <VerdictMark mark={judgement} />
  );
}

const icons: Readonly<Record<CellState, ReactNode>> = {
  waiting: <Clock size={16} />,
  running: <Activity size={16} />,
  value: <Gauge size={16} />,
  refused: <Ban size={16} />,
  aborted: <OctagonX size={16} />,
  unread: <FileQuestionMark size={16} />,
  notRun: <CircleMinus size={16} />,
};

/** The state of a cell as icon and word, with what it is at while it runs. */
function CellMark({ state, phase }: { readonly state: CellState; readonly phase: CellRun['phase'] }) {
  return (
    <span className={classes(styles.mark, styles[state])}>
      <span aria-hidden="true">{icons[state]}</span>
      <span>
        {words.series.cellStates[state]}
        {phase === null ? null : <span className={styles.about}>{words.series.phases[phase]}</span>}
      </span>
    </span>
  );
}

const texts = words.series.table;

/** The table of a series: it fills cell by cell, and the cell that is running shows what it does now. */
export function SeriesTable({ rows }: Pick<SeriesResult, 'rows'>) {
  const factors = factorNames(rows);
  const columns = columnsOf(rows);
  return (
    <Table caption={texts.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{texts.cell}</HeadCell>
          {factors.map((name) => (
            <HeadCell key={name}>{name}</HeadCell>
          ))}
          <HeadCell>{texts.state}</HeadCell>
          {columns.limits ? <HeadCell>{texts.limits}</HeadCell> : null}
          {columns.servers ? <HeadCell numeric>{texts.servers}</HeadCell> : null}
          <HeadCell numeric>
            <Term name="throughput">{texts.rate}</Term>
          </HeadCell>
          {columns.pages ? <HeadCell numeric>{texts.pages}</HeadCell> : null}
          {columns.cache ? <HeadCell numeric>{texts.cache}</HeadCell> : null}
          <HeadCell numeric>
            <Term name="p95">{texts.within}</Term>
          </HeadCell>
          <HeadCell numeric>{texts.failed}</HeadCell>
          <HeadCell>{texts.runs}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {rows.map((row) => (
          <SeriesLine key={row.cell} row={row} factors={factors} columns={columns} />
        ))}
      </tbody>
    </Table>
  );
}

interface SeriesLineProps {
  readonly row: SeriesRow;
  readonly factors: readonly string[];
  readonly columns: ReturnType<typeof columnsOf>;
}

function SeriesLine({ row, factors, columns }: SeriesLineProps) {
  const running = row.runs.find(({ state }) => state === 'running');
  return (
    <Row>
      <HeadCell scope="row">
        <div className={styles.cellName}>
          {row.cell}
          {row.note === null ? null : <span className={styles.about}>{row.note}</span>}
          {running?.phase === 'load' && running.runId !== null ? <LiveFigures runId={running.runId} /> : null}
        </div>
      </HeadCell>
      {factors.map((name) => (
        <Cell key={name} label={name}>
          {String(getOwn(row.factors, name) ?? '')}
        </Cell>
      ))}
      <Cell label={texts.state}>
        <CellMark state={row.state} phase={running?.phase ?? null} />
      </Cell>
      {columns.limits ? <LimitsCell row={row} /> : null}
      {columns.servers ? <SpreadCell label={texts.servers} spread={row.servers} format={formatCount} /> : null}
      <SpreadCell label={texts.rate} spread={row.throughput} format={formatRate} />
      {columns.pages ? <SpreadCell label={texts.pages} spread={row.pagesPerSecond} format={formatRate} /> : null}
      {columns.cache ? <SpreadCell label={texts.cache} spread={row.fromCache} format={formatPercent} /> : null}
      <SpreadCell label={texts.within} spread={row.p95} format={formatMs} />
      <SpreadCell label={texts.failed} spread={row.failedShare} format={formatShare} />
      <Cell label={texts.runs}>
        <RunLinks row={row} />
      </Cell>
    </Row>
  );
}

/** Whether it was good enough, which its figures alone do not say. */
function LimitsCell({ row }: { readonly row: SeriesRow }) {
  const judgement = limitsOfRow(row);
  return <Cell label={texts.limits}>{judgement === null ? '–' : <LimitsMark judgement={judgement} />}</Cell>;
}

interface SpreadCellProps {
  readonly label: string;
  readonly spread: Spread | null;
  readonly format: (value: number) => string;
}

function SpreadCell({ label, spread, format }: SpreadCellProps) {
  const range = spread !== null && spread.least < spread.most ? texts.range(format(spread.least), format(spread.most)) : null;
  return (
    <Cell numeric label={label}>
      <div className={styles.spread}>
        {spread === null ? '–' : format(spread.median)}
        {range === null ? null : <span className={styles.about}>{range}</span>}
      </div>
    </Cell>
  );
}

function RunLinks({ row }: { readonly row: SeriesRow }) {
  const made = row.runs.flatMap((run) => (run.runId === null ? [] : [{ ...run, runId: run.runId }]));
  return (
    <span className={styles.runLinks}>
      {made.map(({ runId, repeat, state }: CellRun & { runId: string }) => (
        <a key={runId} href={`#/runs/${runId}`} aria-label={texts.openRun(row.cell, repeat)} title={words.series.cellStates[state]}>
          {repeat}
        </a>
      ))}
    </span>
  );
}

/** What the load of the running cell does in this second. */
function LiveFigures({ runId }: { readonly runId: string }) {
  const live = useStream('runs.watch', { runId }).value;
  const last = live?.points.at(-1);
  if (live === undefined || last === undefined) return null;
  const { sent } = live.ledger.requests;
  return (
    <span className={styles.about}>
      {texts.now(formatRate(last.completed / last.width), formatMs(live.latency.p95), formatCount(sent))}
    </span>
  );
}
