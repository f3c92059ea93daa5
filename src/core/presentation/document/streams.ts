import { formatCount, formatNumber, countOf } from '#core/base/units.ts';
import { cutCount } from '#core/measurement/streamCell.ts';
import type { RunResult } from '#core/result/schema.ts';
import { CUT_WORDS, type StreamFigures, type StreamsResult } from '#core/result/streams.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { formatElapsed } from '../charts/units.ts';
import { dashOr } from './figures.ts';
import { column, numbers, pairs, type Passage, table } from './model.ts';
import { timeCell } from './words.ts';
import { withoutAbsent } from '#core/base/lists.ts';

interface Row {
  readonly name: string;
  readonly isNumbered: boolean;
  readonly figures: StreamFigures;
}

/** Returns the outcomes of event streams, and the events and times of each. */
export function streamBlocks({ streams }: Pick<RunResult, 'streams'>): Passage[] {
  if (streams === null) return [];
  const rows: Row[] = [
    ...streams.steps,
    ...(streams.stages.length > 1
      ? streams.stages.map((stage) => ({ ...stage, isNumbered: streams.steps.some(({ isNumbered }) => isNumbered) }))
      : []),
  ];
  return [
    ...pairs('Event streams, warm-up included', requestOutcomeRows(streams)),
    ...table('Events', rows, [
      column('Stream', ({ name }) => name),
      numbers('Opened', ({ figures }) => formatCount(figures.opened)),
      numbers('Cut', ({ figures }) => formatCount(cutCount(figures))),
      numbers('Events', ({ figures }) => formatCount(figures.events)),
      numbers('Events/s', ({ figures }) => dashOr(figures.eventsPerSecond, formatNumber)),
      numbers('Missed', (row) => formatEventCount(row, 'missed')),
      numbers('Repeated', (row) => formatEventCount(row, 'repeated')),
      numbers('Out of order', (row) => formatEventCount(row, 'disordered')),
    ]),
    ...table(
      'Times of streams',
      rows,
      [
        column('Stream', ({ name }) => name),
        numbers('Opening p50', ({ figures }) => time(figures.opening, 'p50')),
        numbers('Opening p95', ({ figures }) => time(figures.opening, 'p95')),
        numbers('First event p50', ({ figures }) => time(figures.firstEvent, 'p50')),
        numbers('Gap p50', ({ figures }) => time(figures.gaps, 'p50')),
        numbers('Delay p50', ({ figures }) => time(figures.delays, 'p50')),
        numbers('Delay p95', ({ figures }) => time(figures.delays, 'p95')),
        numbers('Delay p99', ({ figures }) => time(figures.delays, 'p99')),
        numbers('Delay max', ({ figures }) => time(figures.delays, 'max')),
      ],
      'Opening and first event include warm-up. Gap: between two reads with events. Delay: from the instant in the event until it arrived; it includes any difference between the two clocks.',
    ),
  ];
}

/** Returns a summary such as “1,000 streams, 24,000 events”. */
export function streamsSummary({ outcomes: counts }: StreamsResult): string {
  return `${countOf(counts.opened, 'stream')}, ${countOf(counts.events, 'event')}`;
}

function requestOutcomeRows({ outcomes: counts, mostOpen, mostOpenAtSecond }: StreamsResult): (readonly [name: string, value: string])[] {
  const { opened, reopened, ended, lost, left, open } = counts;
  const rows: (readonly [string, number])[] = [
    ['Reopened after a cut', reopened],
    [CUT_WORDS.ended, ended],
    [CUT_WORDS.lost, lost],
    ['Closed by the listener', left],
    ['Still open at the end', open],
  ];
  return withoutAbsent([
    ['Opened', formatCount(opened)],
    ...rows.flatMap(([name, count]) => (count === 0 ? [] : [[name, formatCount(count)] as const])),
    ['Events', formatCount(counts.events)],
    counts.sent !== 0 && (['Messages sent', formatCount(counts.sent)] as const),
    ['Most open at once', `${formatCount(mostOpen)}${mostOpenAtSecond === null ? '' : `, at ${formatElapsed(mostOpenAtSecond)}`}`],
  ]);
}

function formatEventCount({ isNumbered, figures }: Row, name: 'missed' | 'repeated' | 'disordered'): string {
  return isNumbered ? formatCount(figures[name]) : '–';
}

function time(summary: LatencySummary | null, name: 'p50' | 'p95' | 'p99' | 'max'): string {
  return summary === null ? '–' : timeCell(summary[name]);
}
