import { Link } from 'wouter';
import { SERIES } from '#core/presentation/charts/looks.ts';
import type { LevelData, LevelValue } from '#core/presentation/charts/levels.ts';
import type { PastRun, RunHistory } from '#core/comparison/runHistory.ts';
import { useCall } from '#ui/shared/backend.ts';
import { LevelCharts } from '../charts/LevelChart.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { laterWords } from '../words/laterWords.ts';

const texts = laterWords.runHistory;

/** Minimum number of runs for which a history is shown. */
const MIN_RUNS = 5;
const MAX_NOTE_LENGTH = 24;
const MEASURES = ['p95', 'throughput', 'errors'] as const;

/** Charts over all runs of the same test, with the runs at which a figure changed. Renders nothing if there are too few runs. */
export function HistoryCard({ runId }: { readonly runId: string }) {
  const { data } = useCall('runs.history', { runId });
  if (data === undefined || data.runs.length < MIN_RUNS) return null;
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        {data.changes.length === 0 ? <p className="muted">{texts.noChange(data.runs.length)}</p> : null}
        <ul>
          {data.changes.map(({ measure, runId: first, sentence }) => (
            <li key={`${measure} ${first}`}>
              {sentence} {first === runId ? null : <Link href={`/runs/${first}`}>{texts.open}</Link>}
            </li>
          ))}
        </ul>
        <LevelCharts charts={MEASURES.map((measure) => buildChart(data, measure))} hasLegend={false} />
        {data.runs.some(({ errors }) => errors !== null) ? <p className="muted">{texts.errorIntervals}</p> : null}
      </Stack>
    </Card>
  );
}

type Measure = (typeof MEASURES)[number];

const UNITS = { p95: 'ms', throughput: 'perSecond', errors: 'share' } as const satisfies Record<Measure, LevelData['unit']>;
const LOOKS = { p95: SERIES.p95, throughput: SERIES.completed, errors: SERIES.socketError } as const;

function buildChart({ runs, changes }: RunHistory, measure: Measure): LevelData {
  const isChanged = (id: string): boolean => changes.some((change) => change.measure === measure && change.runId === id);
  return {
    title: texts[measure],
    about: measure === 'errors' ? texts.aboutErrors : '',
    unit: UNITS[measure],
    // The categories have month, day and time. The sentences also have the year.
    categories: runs.map(({ startedAt }) => startedAt.slice(5, 16).replace('T', ' ')),
    numbers: null,
    axisName: texts.axis,
    lines: [{ name: texts[measure], look: LOOKS[measure], values: runs.map((run) => valueOf(run, measure)) }],
    marks: runs.flatMap(({ id, note }, index) => [
      ...(isChanged(id) ? [{ index, label: texts.change, end: 'top' as const }] : []),
      ...(note === '' ? [] : [{ index, label: note.split('\n', 1)[0]?.slice(0, MAX_NOTE_LENGTH) ?? '', end: 'bottom' as const }]),
    ]),
  };
}

function valueOf({ p95Ms, completedPerSecond, errors }: PastRun, measure: Measure): LevelValue | null {
  if (measure === 'errors') return errors === null ? null : { median: errors.share, least: errors.low, most: errors.high };
  const value = measure === 'p95' ? p95Ms : completedPerSecond;
  return value === null ? null : { median: value, least: value, most: value };
}
