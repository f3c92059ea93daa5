import { type ReactNode, useMemo } from 'react';
import { formatCount, formatRate } from '#core/base/units.ts';
import { cellText, type TableBlock } from '#core/presentation/document/model.ts';
import { searchTable } from '#core/presentation/document/searchReport.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { useStream } from '#ui/shared/backend.ts';
import { BlockTable } from '../components/Blocks.tsx';
import { words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches.table;

/** Table of the runs of a search. The active run shows its current figures. */
export function SearchTable({ result: { search, runs } }: { readonly result: SearchResult }) {
  const [table] = useMemo(() => searchTable({ search, runs }), [search, runs]);
  if (table === undefined) return null;
  const findLink = (row: number): string | null => (runs[row]?.runId == null ? null : `#/runs/${runs[row].runId}`);
  return <BlockTable table={moveReasonBelow(table)} isWhole findLink={findLink} besideOf={(row) => runStatus(runs[row])} />;
}

/** Moves the last column, which is the reason, below the row's name, because sentences do not fit next to ten figures. */
function moveReasonBelow(table: TableBlock): TableBlock {
  const { columns, rows } = table;
  const lines = rows.map((cells) => {
    const [first = '', why = ''] = [cells[0], cells.at(-1)];
    const name = typeof first === 'string' ? { text: first } : first;
    const about = [name.about ?? '', cellText(why)].filter(Boolean).join(' · ');
    return [{ ...name, about }, ...cells.slice(1, -1)];
  });
  return { ...table, columns: columns.slice(0, -1), rows: lines };
}

function runStatus(run: SearchRun | undefined): ReactNode {
  if (run?.phase == null) return null;
  return (
    <>
      <span className={styles.about}>{texts.phases[run.phase]}</span>
      {run.phase === 'load' && run.runId !== null ? <LiveFigures runId={run.runId} /> : null}
    </>
  );
}

/** Current figures of the active run. */
function LiveFigures({ runId }: { readonly runId: string }) {
  const live = useStream('runs.watch', { runId }).value;
  const last = live?.points.at(-1);
  if (live === undefined || last === undefined) return null;
  return (
    <span className={styles.about}>{texts.now(formatRate(last.completed / last.width), formatCount(live.outcomes.requests.sent))}</span>
  );
}
