import { emptyRequestOutcomes, OUTCOMES, type Outcome, type RequestOutcomes, UNSENT_OUTCOMES } from './requestOutcomes.ts';
import { addInto, createTotalHistogram, subtractHistograms, type Histogram } from '#core/statistics/histogram.ts';
import { SparseHistogram } from '#core/statistics/sparseHistogram.ts';
import type { Cell, TimeKind } from './window.ts';

export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

/** Outcomes with a complete response, successful or not. Only these requests have a time. */
export const RESPONDED_OUTCOMES = ['ok', 'httpError', 'wrongBody'] as const satisfies readonly Outcome[];

/** Counts the requests that ended, with any outcome. */
export function countEnded(cell: Cell): number {
  return OUTCOMES.reduce((sum, outcome) => sum + (cell.outcomes[outcome] ?? 0), 0);
}

/** Counts complete responses, successful or not. */
export function responseCount(cell: Cell): number {
  return RESPONDED_OUTCOMES.reduce((sum, outcome) => sum + (cell.outcomes[outcome] ?? 0), 0);
}

export function countSent({ started, outcomes }: Pick<Cell, 'started' | 'outcomes'>): number {
  return UNSENT_OUTCOMES.reduce((sum, outcome) => sum - (outcomes[outcome] ?? 0), started);
}

/** Sums the outcomes of some cells. The caller provides the number in flight. */
export function countRequestOutcomes(cells: Iterable<Pick<Cell, 'started' | 'outcomes'>>, inFlight: number): RequestOutcomes {
  const counts = { ...emptyRequestOutcomes(), inFlight };
  for (const cell of cells) {
    counts.sent += countSent(cell);
    for (const outcome of OUTCOMES) counts[outcome] += cell.outcomes[outcome] ?? 0;
  }
  return counts;
}

/** Sums the times of some kinds. Returns undefined if none of these kinds was recorded. */
export function mergeTimes(cell: Cell, ...kinds: readonly TimeKind[]): Histogram | undefined {
  const recorded = kinds.flatMap((kind) => cell.times[kind] ?? []);
  if (recorded.length <= 1) return recorded[0];
  const sum = recorded.every((histogram) => histogram instanceof SparseHistogram) ? new SparseHistogram() : createTotalHistogram();
  for (const histogram of recorded) addInto(sum, histogram);
  return sum;
}

export const SERVICE_KINDS = ['serviceOk', 'serviceFailed'] as const satisfies readonly TimeKind[];
export const RESPONSE_KINDS = ['responseOk', 'responseFailed'] as const satisfies readonly TimeKind[];

/** Returns the service times of all complete responses. */
export function serviceTimes(cell: Cell): Histogram | undefined {
  return mergeTimes(cell, ...SERVICE_KINDS);
}

/** Returns service times by status class, for the classes that occurred. 2xx is computed as all times minus the other classes. */
export function timesByStatusClass(cell: Cell): [StatusClass, Histogram][] {
  const others = OTHER_CLASS_KINDS.flatMap(([name, kind]): [StatusClass, Histogram][] => {
    const times = cell.times[kind];
    return times === undefined || times.totalCount === 0 ? [] : [[name, times]];
  });
  const all = serviceTimes(cell);
  if (all === undefined) return others;
  const rest = subtractHistograms(
    all,
    others.map(([, times]) => times),
  );
  return rest.totalCount === 0 ? others : [['2xx', rest], ...others];
}

const OTHER_CLASS_KINDS = [
  ['1xx', 'service1xx'],
  ['3xx', 'service3xx'],
  ['4xx', 'service4xx'],
  ['5xx', 'service5xx'],
] as const satisfies readonly (readonly [StatusClass, TimeKind])[];

/** Returns the response times of all complete responses. They are the service times if the load model does not distinguish the two. */
export function responseTimes(cell: Cell): Histogram | undefined {
  return mergeTimes(cell, ...RESPONSE_KINDS) ?? serviceTimes(cell);
}

export function goodTimes(cell: Cell): Histogram | undefined {
  return cell.times.responseOk ?? cell.times.serviceOk;
}
