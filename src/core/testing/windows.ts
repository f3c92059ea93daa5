import { responseCount } from '#core/measurement/cellFigures.ts';
import type { Outcome } from '#core/measurement/requestOutcomes.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { OverloadCause, Window } from '#core/measurement/window.ts';

export interface WindowFacts {
  readonly second?: number;
  readonly width?: number;
  readonly stage?: number;
  readonly step?: number;
  /** Successful responses by their time in ms. `lateMs`: delay of the requests after their scheduled start, if they have one. */
  readonly ok?: readonly { readonly count: number; readonly ms: number; readonly lateMs?: number }[];
  /** Number of requests with another outcome. */
  readonly failed?: Partial<Record<Outcome, number>>;
  /** Number of the failed requests by status. */
  readonly statuses?: Readonly<Record<string, number>>;
  /** Number of requests that were started and did not end in this window. */
  readonly withoutResponse?: number;
  readonly inFlight?: number;
  /** Number of journeys that were due and did not begin, by cause. */
  readonly notStarted?: { readonly target?: number; readonly generator?: number };
  readonly overloadedBy?: readonly OverloadCause[];
  readonly responsesUnchecked?: number;
}

/** Returns a window of one step of one stage in which everything that ended was also started. */
export function windowWith({ second = 0, width = 1, stage = 0, step = 0, ok = [], failed = {}, ...rest }: WindowFacts = {}): Window {
  const window = emptyWindow(second, width);
  const cell = findOrAddCell(window, stage, step);
  cell.responsesUnchecked = rest.responsesUnchecked ?? 0;
  const good = createHistogram();
  const response = createHistogram();
  const lag = createHistogram();
  let goodCount = 0;
  for (const { count, ms, lateMs = 0 } of ok) {
    goodCount += count;
    for (let index = 0; index < count; index += 1) {
      record(good, ms * 1_000);
      record(response, (ms + lateMs) * 1_000);
      record(lag, lateMs * 1_000);
    }
  }
  cell.times.serviceOk = good;
  if (ok.some(({ lateMs }) => lateMs !== undefined)) Object.assign(cell.times, { responseOk: response, scheduleLag: lag });
  if (goodCount > 0) {
    cell.outcomes.ok = goodCount;
    cell.statuses.set(200, goodCount);
  }
  Object.assign(cell.outcomes, failed);
  for (const [status, count] of Object.entries(rest.statuses ?? {})) cell.statuses.set(Number(status), count);
  const ended = goodCount + Object.values(failed).reduce((sum, count) => sum + count, 0);
  cell.started = ended + (rest.withoutResponse ?? 0);
  cell.journeysStarted = cell.step === 0 ? cell.started : 0;
  cell.notStartedTarget = rest.notStarted?.target ?? 0;
  cell.notStartedGenerator = rest.notStarted?.generator ?? 0;
  window.journeys.started = cell.started;
  window.journeys.notStartedTarget = cell.notStartedTarget;
  window.journeys.notStartedGenerator = cell.notStartedGenerator;
  window.journeys.finished = ended;
  window.inFlight = rest.inFlight ?? rest.withoutResponse ?? 0;
  window.overloadedBy = [...(rest.overloadedBy ?? [])];
  return withLoaded(window);
}

/** Returns the window as if every response had arrived while the load of its stage was running. */
export function withLoaded(window: Window): Window {
  window.loaded = window.cells.map((cell) => ({
    stage: cell.stage,
    step: cell.step,
    responded: responseCount(cell),
    ok: cell.outcomes.ok ?? 0,
    bytesReceived: cell.bytesReceived,
    pages: cell.times.page?.totalCount ?? 0,
  }));
  return window;
}

/** Returns the same second `count` times, beginning at `second`. */
export function repeatedWindows(count: number, facts: WindowFacts): Window[] {
  return Array.from({ length: count }, (_, index) => windowWith({ ...facts, second: (facts.second ?? 0) + index }));
}
