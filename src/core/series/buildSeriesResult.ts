import { plannedRequests } from '#core/work/load/planned.ts';
import { formatCount } from '#core/base/units.ts';
import { bestOf } from './best.ts';
import { expandSeries, type SeriesCell } from './cells.ts';
import { differencesOf } from './differences.ts';
import { effectsOf } from './effects.ts';
import { fitsOf } from './fit.ts';
import { SERIES_SCHEMA, type CellRun, type CellState, type SeriesHead, type SeriesResult, type SeriesRow, type Spread } from './result.ts';
import type { SeriesDocument } from '#core/plan/schema/series.ts';
import { smallestOf } from './smallest.ts';
import { steadinessNotes } from './steadiness.ts';

/** The table of a series from what is known of its runs: a pure function, so a stopped or killed series has one too. */
export function buildSeriesResult(head: SeriesHead, document: SeriesDocument, runs: readonly CellRun[]): SeriesResult {
  const { cells, engine } = expandSeries(document);
  const rows = cells.map((cell) =>
    rowOf(
      cell,
      runs.filter((run) => run.cell === cell.name),
    ),
  );
  const { best, note } = bestOf(rows, head.endedAt !== null);
  return {
    schema: SERIES_SCHEMA,
    series: head,
    document,
    engine,
    rows,
    done: countDone(runs),
    planned: runs.length,
    best,
    differences: differencesOf(rows),
    ...(head.endedAt === null ? { effects: [], smallest: [], fits: [] } : conclusionsOf(rows, document)),
    notes: [...(note === null ? [] : [note]), ...notesOf(head, rows, document)],
  };
}

/** What only a whole series tells. */
function conclusionsOf(rows: readonly SeriesRow[], { series }: SeriesDocument): Pick<SeriesResult, 'effects' | 'smallest' | 'fits'> {
  return { effects: effectsOf(rows), smallest: smallestOf(rows, series), fits: fitsOf(rows, series) };
}

/** Runs that came to an end of any kind; one that was never to begin is none of them. */
export function countDone(runs: readonly Pick<CellRun, 'state'>[]): number {
  return runs.filter(({ state }) => state === 'value' || state === 'aborted' || state === 'refused' || state === 'unread').length;
}

function rowOf({ name, variant, factors, level, plan }: SeriesCell, runs: readonly CellRun[]): SeriesRow {
  const whole = runs.flatMap((run) => (run.state === 'value' && run.figures !== null ? [run.figures] : []));
  const spread = (value: (figures: (typeof whole)[number]) => number | 'never' | null): Spread | null => {
    const values = whole.map(value);
    return values.every((one) => typeof one === 'number') ? spreadOf(values) : null;
  };
  const state = stateOf(runs);
  return {
    cell: name,
    variant,
    factors,
    level,
    state,
    note: noteOf(runs, plannedRequests(plan)),
    values: whole.length,
    throughput: spread(({ completedPerSecond }) => completedPerSecond),
    okPerSecond: spread(({ okPerSecond }) => okPerSecond),
    pagesPerSecond: spread(({ pagesPerSecond }) => pagesPerSecond),
    servers: spread(({ servers }) => servers),
    fromCache: spread(({ fromCache }) => fromCache),
    p50: spread(({ p50 }) => p50),
    p95: spread(({ p95 }) => p95),
    p99: spread(({ p99 }) => p99),
    failedShare: spread(({ failedShare }) => failedShare),
    runs: [...runs],
  };
}

/** Of an even number of values, the mean of the two in the middle. null for none. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return null;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? most;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? least;
  return { median: (lower + upper) / 2, least, most };
}

/** What goes on comes first, then any whole measurement, then the worst that happened. */
const PRECEDENCE: readonly CellState[] = ['running', 'value', 'aborted', 'unread', 'refused', 'waiting', 'notRun'];

function stateOf(runs: readonly CellRun[]): CellState {
  return PRECEDENCE.find((state) => runs.some((run) => run.state === state)) ?? 'notRun';
}

/** Why repeats are no whole measurement: each reason once. */
function noteOf(runs: readonly CellRun[], planned: number | null): string | null {
  const all = planned === null ? '' : ` of ${formatCount(planned)}`;
  const notes = runs.flatMap(({ state, figures, reason }) => {
    switch (state) {
      case 'value':
      case 'waiting':
      case 'running':
        return [];
      case 'aborted':
        return [`aborted${figures === null ? '' : ` after ${formatCount(figures.sent)}${all} requests`}: ${reason ?? ''}`];
      case 'refused':
        return [`refused: ${reason ?? ''}`];
      case 'unread':
        return [`load was put on, but the result could not be read: ${reason ?? ''}`];
      case 'notRun':
        return [`not run: ${reason ?? ''}`];
      default:
        return state satisfies never;
    }
  });
  return notes.length === 0 ? null : [...new Set(notes)].join(' · ');
}

function notesOf({ endedAt }: SeriesHead, rows: readonly SeriesRow[], { series }: SeriesDocument): string[] {
  const runs = rows.flatMap((row) => row.runs);
  const some = (count: number, what: string): string[] =>
    count === 0 ? [] : [`${formatCount(count)} of ${formatCount(runs.length)} runs ${what}`];
  const unrested = runs.filter(({ rest }) => rest?.reached === false);
  const blind = runs.some(({ rest }) => rest !== null && rest.reached === null);
  const failed = runs.flatMap(({ commands }) => commands).filter(({ problem }) => problem !== null).length;
  return [
    ...(endedAt === null ? [] : some(runs.filter(({ state }) => state === 'notRun').length, 'were not made.')),
    ...some(
      runs.filter(({ figures }) => (figures?.sickSeconds ?? 0) > 0).length,
      'had seconds in which the load could not be made as it should: their times may not be those of the server.',
    ),
    ...some(
      unrested.length,
      `were followed by the next although connections to the target were still open after ${series.baselineSeconds} s.`,
    ),
    ...(blind
      ? ['It is not known how many connections to the target were open between cells: they were kept apart by the pause alone.']
      : []),
    ...steadinessNotes(rows),
    ...(failed === 0 ? [] : [failed === 1 ? 'A command failed.' : `${formatCount(failed)} commands failed.`]),
    ...(series.repeats === 1 && rows.length > 1
      ? ['Every cell was run once, so nothing tells how much of a difference is chance: repeat the series to know.']
      : []),
  ];
}
