import type { RunRow } from '#contract/replies.ts';
import { useStream } from '#ui/shared/backend.ts';
import { Card } from '#ui/components/Page.tsx';
import { type DataColumn, DataTable } from '../components/Table.tsx';
import { toMark, StateMark } from '#ui/components/Marks.tsx';
import { formatProgress } from '../run/progress.ts';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import styles from './RunningNow.module.css';

const runningWords = laterWords.history.running;

/** List of all active runs, with links to their live pages. Renders nothing if no run is active. */
export function ActiveRuns() {
  const runs = useStream('runs.active', {}).value?.runs ?? [];
  if (runs.length === 0) return null;
  return (
    <Card title={runningWords.title} flush>
      <DataTable caption={runningWords.title} stacks columns={COLUMNS} rows={runs} keyOf={({ id }) => id} />
    </Card>
  );
}

const COLUMNS: readonly DataColumn<RunRow>[] = [
  { name: runningWords.name, isHead: true, cell: ({ id, name }) => <a href={`#/runs/${id}`}>{name}</a> },
  { name: runningWords.progress, cell: (run) => <RunProgress run={run} /> },
  { name: runningWords.target, wrap: true, cell: ({ target }) => target },
];

/** Progress of a run, or the mark “running” while the progress is unknown. */
function RunProgress({ run }: { readonly run: RunRow }) {
  const live = useStream('runs.watch', { runId: run.id }).value;
  if (live === undefined) return <StateMark mark={toMark(run.state, run.outcome)}>{words.marks.running}</StateMark>;
  const { share, done, left } = formatProgress(live, run.completedPerSecond);
  const text = [done, left].filter(Boolean).join(' · ');
  return (
    <div className={styles.progress}>
      {share === null ? null : <progress value={share} aria-label={runningWords.of(run.name)} className={styles.bar} />}
      <span className={styles.text}>{text}</span>
    </div>
  );
}
