import { capitalize } from '#core/base/text.ts';
import { countPlannedRequests } from '#core/work/load/planned.ts';
import { formatCount, formatNumber, formatPart, GOOD_PER_SECOND } from '#core/base/units.ts';
import type { SeriesDocument } from '#core/plan/schema/series.ts';
import { listDifferences, formatRelation } from './differences.ts';
import { expandSeries, type SeriesCell } from './cells.ts';
import { listEffects } from './effects.ts';
import { listFits } from './fit.ts';
import {
  type CellFigures,
  type CellRun,
  type CellState,
  SERIES_SCHEMA,
  type SeriesHead,
  type SeriesResult,
  type SeriesRow,
  type Spread,
} from './result.ts';
import { findSmallest, listBudgets } from './smallest.ts';
import { MIN_REPEATS, judgeDifference, steadinessNotes } from './noise.ts';
import { withoutAbsent } from '#core/base/lists.ts';
import { countResponses, countWanted } from '#core/measurement/requestOutcomes.ts';
import { behaviourSentences } from '#core/judgement/behaviour/sentences.ts';
import { waitWords } from '#core/result/waits.ts';
import { findOverload } from '#core/result/overload.ts';
import { type RunResult, explainCut } from '#core/result/schema.ts';

/** The best cell, if one can be determined. */
interface Best {
  /** The best cell; set only if the repeats distinguish it from every other cell. */
  readonly best: SeriesResult['best'];
  /** Reason why no best cell is marked although one led; null if there is nothing to say. */
  readonly note: string | null;
}

/**
 * Returns the cell with the highest throughput among those whose runs all ended by themselves and failed no criterion. The cell is marked
 * only if its lead is significant: enough repeats, and a significant rank-sum test against each other cell.
 */
function pickBest(rows: readonly SeriesRow[], hasEnded: boolean): Best {
  if (!hasEnded) return { best: null, note: null };
  const eligible = rows.filter(isEligible).toSorted((one, other) => (other.okPerSecond?.median ?? 0) - (one.okPerSecond?.median ?? 0));
  const [first, ...others] = eligible;
  if (rows.length === 1 || rows.every(({ values }) => values === 0)) return { best: null, note: null };
  if (first === undefined || (first.okPerSecond?.median ?? 0) === 0)
    return { best: null, note: 'No cell finished and passed, so none is called the best.' };
  const leaderText = `“${first.cell}” had the most successful responses a second`;
  if (first.values < MIN_REPEATS)
    return {
      best: null,
      note: `${leaderText}; with fewer than ${MIN_REPEATS} repeats of each cell that may be chance, so none is called the best.`,
    };
  const closeRows = others.filter((other) => judgeDifference(goodRates(first), goodRates(other)) !== 'differs');
  if (closeRows.length > 0)
    return {
      best: null,
      note: `${leaderText}, but not so many more that chance is ruled out beside ${closeRows.map(({ cell }) => `“${cell}”`).join(', ')}.`,
    };
  const [second] = others;
  return {
    best: { cell: first.cell, reason: second === undefined ? 'No other cell finished and passed.' : formatLead(first, second) },
    note: null,
  };
}

/** Describes a lead: “23 % more successful responses a second than “A”: 318 vs 257 (5 runs each).” */
function formatLead(first: SeriesRow, second: SeriesRow): string {
  const [most = 0, next = 0] = [first, second].map(({ okPerSecond }) => okPerSecond?.median);
  const figures = `${formatNumber(most)} vs ${formatNumber(next)} (${first.values} runs each).`;
  if (next === 0) return `${capitalize(GOOD_PER_SECOND)} where “${second.cell}” had none: ${figures}`;
  const lead = capitalize(formatRelation('throughput', [most / next]));
  return `${lead} ${GOOD_PER_SECOND} ${lead.endsWith('as many') ? 'as' : 'than'} “${second.cell}”: ${figures}`;
}

function isEligible({ runs, values }: SeriesRow): boolean {
  return (
    values > 0 && values === runs.length && runs.every(({ figures }) => figures?.outcome === 'passed' || figures?.outcome === 'measured')
  );
}

function goodRates({ runs }: SeriesRow): number[] {
  return runs.flatMap(({ figures }) => (figures?.okPerSecond == null ? [] : [figures.okPerSecond]));
}

/** Builds the table of a series from its runs. It is a pure function, so a series that was stopped or killed has a table, too. */
export function buildSeriesResult(head: SeriesHead, document: SeriesDocument, runs: readonly CellRun[]): SeriesResult {
  const { cells, engine } = expandSeries(document);
  const rows = cells.map((cell) =>
    rowOf(
      cell,
      runs.filter((run) => run.cell === cell.name),
    ),
  );
  const { best, note } = pickBest(rows, head.endedAt !== null);
  return {
    schema: SERIES_SCHEMA,
    series: head,
    document,
    engine,
    rows,
    done: countDone(runs),
    planned: runs.length,
    best,
    differences: listDifferences(rows),
    ...(head.endedAt === null ? { effects: [], smallest: [], fits: [] } : drawConclusions(rows, document)),
    notes: [...(note === null ? [] : [note]), ...listNotes(head, rows, document)],
  };
}

/** Draws the conclusions that require the whole series. */
function drawConclusions(rows: readonly SeriesRow[], { series }: SeriesDocument): Pick<SeriesResult, 'effects' | 'smallest' | 'fits'> {
  return { effects: listEffects(rows), smallest: findSmallest(rows, series), fits: listFits(rows, series) };
}

/** Counts the runs that began and ended, in any way. */
export function countDone(runs: readonly Pick<CellRun, 'state'>[]): number {
  return runs.filter(({ state }) => state === 'value' || state === 'aborted' || state === 'refused' || state === 'unread').length;
}

function rowOf({ name, variant, factors, level, plan }: SeriesCell, runs: readonly CellRun[]): SeriesRow {
  const whole = runs.flatMap((run) => (run.state === 'value' && run.figures !== null ? [run.figures] : []));
  const spread = (value: (figures: (typeof whole)[number]) => number | 'never' | null): Spread | null => {
    const values = whole.map(value);
    return values.every((one) => typeof one === 'number') ? computeSpread(values) : null;
  };
  const state = stateOf(runs);
  return {
    cell: name,
    variant,
    factors,
    level,
    state,
    note: noteMissingRuns(runs, countPlannedRequests(plan)),
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

/**
 * Returns the median and the extremes; null if there are no values. For an even number of values, the median is the mean of the middle two.
 */
export function computeSpread(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return null;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? most;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? least;
  return { median: (lower + upper) / 2, least, most };
}

/** Precedence of states: running, then a complete measurement, then the others from the worst on. */
const PRECEDENCE: readonly CellState[] = ['running', 'value', 'aborted', 'unread', 'refused', 'waiting', 'notRun'];

function stateOf(runs: readonly CellRun[]): CellState {
  return PRECEDENCE.find((state) => runs.some((run) => run.state === state)) ?? 'notRun';
}

/** Explains why repeats are incomplete, stating each reason once. */
function noteMissingRuns(runs: readonly CellRun[], planned: number | null): string | null {
  const all = planned === null ? '' : ` of ${formatCount(planned)}`;
  const notes = runs.flatMap(({ state, figures, reason }) => {
    switch (state) {
      case 'value':
      case 'waiting':
      case 'running':
        return [];
      case 'aborted':
        return [`Aborted${figures === null ? '' : ` after ${formatCount(figures.sent)}${all} requests`}: ${reason ?? ''}`];
      case 'refused':
        return [`Refused: ${reason ?? ''}`];
      case 'unread':
        return [`Load was put on, but the result could not be read: ${reason ?? ''}`];
      case 'notRun':
        return [`Not run: ${reason ?? ''}`];
      default:
        return state satisfies never;
    }
  });
  return notes.length === 0 ? null : [...new Set(notes)].join(' · ');
}

function listNotes({ endedAt }: SeriesHead, rows: readonly SeriesRow[], { series }: SeriesDocument): string[] {
  const runs = rows.flatMap((row) => row.runs);
  const formatIfAny = (count: number, what: string): string[] =>
    count === 0 ? [] : [`${capitalize(formatPart(count, runs.length))} runs ${what}`];
  const unrested = runs.filter(({ rest }) => rest?.reached === false);
  const blind = runs.some(({ rest }) => rest !== null && rest.reached === null);
  const failed = runs.flatMap(({ commands }) => commands).filter(({ problem }) => problem !== null).length;
  return withoutAbsent([
    ...(endedAt === null ? [] : formatIfAny(runs.filter(({ state }) => state === 'notRun').length, 'were not made.')),
    ...formatIfAny(
      runs.filter(({ figures }) => (figures?.overloadedSeconds ?? 0) > 0).length,
      'had seconds in which the load generator was overloaded: latency may be inflated.',
    ),
    ...formatIfAny(
      unrested.length,
      `were followed by the next although connections to the target were still open after ${series.baselineSeconds} s.`,
    ),
    blind && 'How many connections to the target were open between cells is unknown: only the pause separated them.',
    ...steadinessNotes(rows),
    failed !== 0 && (failed === 1 ? 'A command failed.' : `${formatCount(failed)} commands failed.`),
    !series.duet &&
      series.repeats === 1 &&
      rows.length > 1 &&
      'Every cell was run once, so how much of a difference is chance is unknown. Repeat the series.',
  ]);
}

export function computeFigures(result: RunResult): CellFigures {
  const { due, sent, ok, responded } = sumStages(result);
  const { completedPerSecond } = result.rates;
  const { response, errorAdjusted } = result.latency;
  return {
    sent,
    ok,
    failedShare: due === 0 ? null : (due - ok) / due,
    completedPerSecond,
    okPerSecond: completedPerSecond === null ? null : responded === 0 ? 0 : (completedPerSecond * ok) / responded,
    pagesPerSecond: result.pages?.all.completePerSecond ?? null,
    servers: result.servers.length === 0 ? null : result.servers.filter((server) => server.responded > 0).length,
    fromCache: cacheHitShare(result),
    p50: response.p50,
    p95: response.p95,
    p99: response.p99,
    errorAdjustedP95: errorAdjusted.p95,
    outcome: result.verdict.outcome,
    budgets: listBudgets(result),
    behaviour: [...result.waits.map(waitWords), ...(result.behaviour === null ? [] : behaviourSentences(result.behaviour))],
    overloadedSeconds: findOverload(result).seconds,
    duet: result.duet ?? null,
  };
}

function cacheHitShare({ cache }: RunResult): number | null {
  if (cache === undefined) return null;
  const { responded, fromCache, unsaid } = cache.counted;
  return unsaid === responded ? null : fromCache / responded;
}

/** Sums the requests of the counted stages, or of all stages if no counted one was reached. */
function sumStages({ stages }: RunResult): { due: number; sent: number; ok: number; responded: number } {
  const counted = stages.filter((stage) => stage.counted);
  const reportedStages = counted.some(({ requests }) => requests.sent > 0) ? counted : stages;
  const sums = { due: 0, sent: 0, ok: 0, responded: 0 };
  for (const { requests, journeys } of reportedStages) {
    // Arrivals that could not start because of the target also count as failed.
    sums.due += countWanted(requests) + journeys.notStartedTarget;
    sums.sent += requests.sent;
    sums.ok += requests.ok;
    sums.responded += countResponses(requests);
  }
  return sums;
}

/** Outcome of an ended run of a cell. */
type CellOutcome = { readonly state: 'value' | 'refused' | 'aborted'; readonly reason: string | null };

/**
 * Decides the outcome of an ended run. `refused`: no response, and refused connections. `aborted`: the run ended early, with partial
 * figures.
 */
export function decideOutcome(result: RunResult): CellOutcome {
  const { requests } = result.outcomes;
  const responded = countResponses(requests);
  if (responded === 0 && requests.refused > 0) return { state: 'refused', reason: 'The target refused every connection.' };
  const reason = explainCut(result.run);
  return { state: reason === null ? 'value' : 'aborted', reason };
}
