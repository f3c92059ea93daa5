import { type ReactNode, useMemo, useState } from 'react';
import { formatCount, formatMs, formatRate } from '#core/base/units.ts';
import { seriesTable, matrixTables, MEASURE_NAMES } from '#core/presentation/document/seriesTables.ts';
import type { SeriesResult, SeriesRow } from '#core/series/result.ts';
import { useStream } from '#ui/shared/backend.ts';
import { BlockTable, Blocks } from '../components/Blocks.tsx';
import { words } from '../words/words.ts';
import styles from './SeriesPage.module.css';
import { MATRIX_MEASURES } from '#core/series/matrix.ts';
import { Card } from '#ui/components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Disclosure } from '../components/Disclosure.tsx';

const texts = words.series;

/** Table of a series. The cell that is running shows its current figures. */
export function SeriesTable({ rows }: Pick<SeriesResult, 'rows'>) {
  const [cells] = useMemo(() => seriesTable({ rows }), [rows]);
  return cells === undefined ? null : <BlockTable table={cells} besideOf={(index) => cellStatus(rows[index])} />;
}

/** Current figures of a cell and links to its runs. */
function cellStatus(row: SeriesRow | undefined): ReactNode {
  const runningRun = row?.runs.find(({ state }) => state === 'running');
  const made = row?.runs.flatMap(({ runId, repeat, state }) => (runId === null ? [] : [{ runId, repeat, state }])) ?? [];
  return (
    <>
      {runningRun?.phase == null ? null : <span className={styles.about}>{words.series.phases[runningRun.phase]}</span>}
      {runningRun?.phase === 'load' && runningRun.runId !== null ? <LiveFigures runId={runningRun.runId} /> : null}
      {made.length === 0 ? null : (
        <span className={styles.runLinks}>
          {texts.table.runs}
          {made.map(({ runId, repeat, state }) => (
            <a
              key={runId}
              href={`#/runs/${runId}`}
              aria-label={texts.table.openRun(row?.cell ?? '', repeat)}
              title={words.series.cellStates[state]}
            >
              {repeat}
            </a>
          ))}
        </span>
      )}
    </>
  );
}

/** Current figures of the cell that is running. */
function LiveFigures({ runId }: { readonly runId: string }) {
  const live = useStream('runs.watch', { runId }).value;
  const last = live?.points.at(-1);
  if (live === undefined || last === undefined) return null;
  const { sent } = live.outcomes.requests;
  return (
    <span className={styles.about}>
      {texts.table.now(formatRate(last.completed / last.width), formatMs(live.latency.p95), formatCount(sent))}
    </span>
  );
}

const CHOICES = MATRIX_MEASURES.map((value) => ({ value, label: MEASURE_NAMES[value] }));

/**
 * Shows, for a series over two load fields, a table per variant with one field as rows and the other as columns. Renders nothing for other
 * series.
 */
export function MatrixCard({ rows }: Pick<SeriesResult, 'rows'>) {
  const [measure, setMeasure] = useState<(typeof MATRIX_MEASURES)[number]>('throughput');
  const matrices = matrixTables({ rows }, measure);
  if (matrices.length === 0) return null;
  const chooseMeasure = (value: string): void => setMeasure(MATRIX_MEASURES.find((one) => one === value) ?? measure);
  return (
    <Card
      title={texts.matrix.title}
      actions={<Select isBeside label={texts.matrix.show} value={measure} choices={CHOICES} onChange={chooseMeasure} />}
    >
      <Blocks blocks={matrices} showTitles />
    </Card>
  );
}

const commandsTexts = words.series;

/** Table of all commands with their cell, exit status and output. Renders nothing if there were no commands. */
export function Commands({ rows }: Pick<SeriesResult, 'rows'>) {
  const records = rows
    .flatMap(({ runs }) => runs)
    .sort((a, b) => a.position - b.position)
    .flatMap(({ cell, repeat, commands }) => commands.map((command, index) => ({ ...command, key: `${cell} ${repeat} ${index}`, cell })));
  if (records.length === 0) return null;
  return (
    <Disclosure title={commandsTexts.commands} summary={commandsTexts.commandsSummary(formatCount(records.length))} level={2}>
      <ol className={styles.commands}>
        {records.map(({ key, cell, when, run, exitCode, seconds, output, problem }) => (
          <li key={key}>
            <p>
              {commandsTexts.commandWhen[when]} {cell} · {problem ?? commandsTexts.commandEnded(exitCode, formatMs(1_000 * seconds))}
            </p>
            <pre>{`$ ${run}\n${output === '' ? commandsTexts.noOutput : output}`}</pre>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}
