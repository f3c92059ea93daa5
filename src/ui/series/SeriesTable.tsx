import { type ReactNode, useMemo } from 'react';
import { formatCount, formatMs, formatRate } from '#core/base/units.ts';
import { seriesTable } from '#core/presentation/document/seriesTables.ts';
import type { SeriesResult, SeriesRow } from '#core/series/result.ts';
import { useStream } from '#ui/shared/backend.ts';
import { BlockTable } from '../components/Blocks.tsx';
import { words } from '../words/words.ts';
import styles from './SeriesPage.module.css';

const texts = words.series.table;

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
          {texts.runs}
          {made.map(({ runId, repeat, state }) => (
            <a
              key={runId}
              href={`#/runs/${runId}`}
              aria-label={texts.openRun(row?.cell ?? '', repeat)}
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
      {texts.now(formatRate(last.completed / last.width), formatMs(live.latency.p95), formatCount(sent))}
    </span>
  );
}
