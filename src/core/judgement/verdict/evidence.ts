import { type Outcome, OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import { firstStepIndex } from '#core/work/journey/flow/executions.ts';
import { sumOf } from '#core/base/lists.ts';
import { isOfOtherPage } from '#core/work/bodyCheck/errorTexts.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countEnded, goodTimes } from '#core/measurement/cellFigures.ts';
import { addInto, countAbove, type Histogram, createHistogram, createSum, record } from '#core/statistics/histogram.ts';
import { listAllPages, findPageCell, visitStep } from '#core/measurement/pageCell.ts';
import { listStreamCells, makeWaitCell } from '#core/measurement/streamCell.ts';
import { addToRows } from '#core/statistics/timeRows.ts';
import type { JudgedVisit, VisitsResult } from '#core/result/visits.ts';
import type { Cell, OverloadCause, Window } from '#core/measurement/window.ts';

/** Counts of one step of one stage in one window. */
export interface Block {
  readonly second: number;
  readonly width: number;
  readonly overloadedBy: readonly OverloadCause[];
  readonly started: number;
  /** Requests that ended, with any outcome. */
  readonly ended: number;
  readonly ok: number;
  /** Failures that the target certainly caused. `failedMaybe`: those that an overloaded load generator may have caused. */
  readonly failedSurely: number;
  readonly failedMaybe: number;
  /**
   * Journeys that could not start because too many responses were outstanding. `notStartedGenerator`: those that could not start because of
   * the load generator.
   */
  readonly notStartedTarget: number;
  readonly notStartedGenerator: number;
  /** For each of {@link Evidence.limitsMs}, the successful responses that were slower. */
  readonly slower: ReadonlyMap<number, SlowResponses>;
  /** Number of successful responses by time, in rows of `statistics/timeRows.ts`. */
  readonly byTime: ReadonlyMap<number, number>;
}

/** Successful responses of one step received in one window while the load of a stage was running. */
export interface LoadedBlock {
  readonly second: number;
  readonly width: number;
  readonly ok: number;
  /** Number of complete pages. */
  readonly pages: number;
}

/**
 * Successful responses slower than a limit: those whose service time was longer, and those that were only sent late by the load generator.
 */
export interface SlowResponses {
  readonly byService: number;
  readonly byLateness: number;
}

/** Kinds of responses that show that the plan requests the wrong page from a healthy server. */
export const WRONG_PAGES = ['missing', 'redirected', 'denied'] as const;
export type WrongPage = (typeof WRONG_PAGES)[number];

export const WRONG_PAGE_STATUSES: Readonly<Record<WrongPage, readonly number[]>> = {
  missing: [404],
  redirected: [301, 302, 303, 307, 308],
  denied: [401, 403],
};

function newWrongPageCounts(): Record<WrongPage, number> {
  return { missing: 0, redirected: 0, denied: 0 };
}

/** Outcomes of a step in the whole run. */
interface Total {
  readonly sent: number;
  readonly good: number;
  /** Number of ended requests that could not be sent. */
  readonly notMade: number;
  readonly failed: number;
  readonly notFound: number;
  /** Number of responses for which a check was impossible. */
  readonly unchecked: number;
  readonly wrongPages: Readonly<Record<WrongPage, number>>;
}

/** Evidence of one step of one stage. */
export interface CellEvidence {
  readonly step: number;
  /** Whether the counts are waits of a poll instead of requests. */
  readonly isOfWaits: boolean;
  readonly blocks: Block[];
  readonly goodTimes: Histogram;
  started: number;
  ended: number;
  notMade: number;
  /** Number of responses without the expected content: a failed check at an expected status, or a status for a missing page. */
  notFound: number;
  unchecked: number;
  /** Number of responses by the reason why the plan may request the wrong page. */
  readonly wrongPages: Record<WrongPage, number>;
  /** Number of failed attempts that their users repeated by a reload. */
  reloaded: number;
  journeysStarted: number;
  notStartedTarget: number;
  notStartedGenerator: number;
}

/**
 * Outcomes that the target caused even in an overloaded second, because it responded or refused. In such a second, the load generator may
 * have caused a time-out or a broken connection.
 */
const TARGET_OUTCOMES: ReadonlySet<Outcome> = new Set(['httpError', 'wrongBody', 'refused']);
/** Outcomes of requests that never reached the target, because the load generator had no port or file descriptor left. */
const GENERATOR_OUTCOMES: ReadonlySet<Outcome> = new Set(['noPort', 'noFile']);

/** Collects the evidence for the verdict from a run's windows, in order of time. Keeps no window. */
export class Evidence {
  readonly limitsMs: readonly number[];
  private readonly cells = new Map<string, CellEvidence>();
  private readonly loadedBlocks = new Map<string, LoadedBlock[]>();
  private readonly slowed = new Map<string, number>();
  private readonly overloadedSeconds = new Map<OverloadCause, number>();
  private readonly judged: ReadonlySet<number>;
  private judgedTotal = 0;
  private overloadedTotal = 0;
  private readonly lag = createSum();
  private readonly tls = { full: 0, resumed: 0, requests: 0 };
  /** Step at which journeys are counted. */
  readonly firstStep: number;
  /** Steps that poll. */
  private readonly polls: ReadonlySet<number>;

  constructor(plan: Plan) {
    const limits = listCriteria(plan).flatMap((criterion) => {
      if (criterion.kind === 'responseTime') return [criterion.maxMs];
      return criterion.kind === 'apdex' ? [criterion.thresholdMs, 4 * criterion.thresholdMs] : [];
    });
    this.limitsMs = [...new Set(limits)];
    this.judged = new Set(listJudgedStages(plan));
    this.firstStep = firstStepIndex(plan);
    this.polls = new Set(plan.journey.flatMap(({ poll }, step) => (poll === undefined ? [] : [step])));
  }

  add(window: Window): void {
    for (const cell of window.cells) {
      this.addCell(window, this.polls.has(cell.step) ? makeWaitCell(cell) : cell);
      if (this.judged.has(cell.stage)) this.addHandshakes(cell);
      const pages = findPageCell(cell);
      if (pages !== null) this.addCell(window, pages);
      for (const ofStreams of listStreamCells(cell)) this.addCell(window, ofStreams);
    }
    for (const cell of listAllPages(window.cells)) this.addCell(window, cell);
    for (const { stage, step, ok, pages } of window.loaded) {
      const key = `${stage}/${step}`;
      const blocks = this.loadedBlocks.get(key);
      const block = { second: window.second, width: window.width, ok, pages };
      if (blocks) blocks.push(block);
      else this.loadedBlocks.set(key, [block]);
    }
    if (!window.cells.some(({ stage }) => this.judged.has(stage))) return;
    this.judgedTotal += window.width;
    for (const cause of window.overloadedBy) this.overloadedSeconds.set(cause, (this.overloadedSeconds.get(cause) ?? 0) + window.width);
    if (window.overloadedBy.length > 0) this.overloadedTotal += window.width;
  }

  /**
   * Adds each visit that the browser's computer did not slow down, as if the visit were a request. A visit that saw the page is `ok`; its
   * time ends with the largest paint.
   */
  addVisits(visits: VisitsResult | null): void {
    for (const visit of visits?.visits ?? []) {
      if (visit.stage === null) continue;
      const key = `${visit.stage}/${visitStep(visit.page)}`;
      if (visit.slowedBy === null) this.addVisit(visit, key);
      else this.slowed.set(key, (this.slowed.get(key) ?? 0) + 1);
    }
  }

  /** Returns the TLS handshakes of the judged stages and the number of requests sent in them. */
  handshakes(): { readonly full: number; readonly resumed: number; readonly requests: number } {
    return this.tls;
  }

  private addHandshakes({ times, sessionsResumed, started }: Cell): void {
    this.tls.full += Math.max(0, (times.tls?.totalCount ?? 0) - sessionsResumed);
    this.tls.resumed += sessionsResumed;
    this.tls.requests += started;
  }

  /** Returns the number of visits of a stage that are excluded because the browser's computer slowed them down. */
  slowedVisits(stage: number, step: number): number {
    return this.slowed.get(`${stage}/${step}`) ?? 0;
  }

  journeyCounts(stage: number): Pick<CellEvidence, 'journeysStarted' | 'notStartedTarget' | 'notStartedGenerator'> {
    return this.of(stage, this.firstStep);
  }

  of(stage: number, step: number): CellEvidence {
    return this.cells.get(`${stage}/${step}`) ?? this.nothing(step);
  }

  /**
   * Returns the number of a step's waits that were pending at the end. A wait may begin and end in different stages, so the number is for
   * the whole run.
   */
  pendingWaits(step: number): number {
    const cells = [...this.cells.values()].filter((cell) => cell.step === step);
    return Math.max(
      0,
      cells.reduce((sum, { started, ended }) => sum + started - ended, 0),
    );
  }

  /** Returns the stages in which a step was requested, including start-up and warm-up. */
  stagesOf(step: number): number[] {
    return [...this.cells].flatMap(([key, cell]) => (cell.step === step ? [Number(key.split('/')[0])] : []));
  }

  /** Returns the responses of a step that were received while the load of a stage was running. */
  blocksUnderLoad(stage: number, step: number): readonly LoadedBlock[] {
    return this.loadedBlocks.get(`${stage}/${step}`) ?? [];
  }

  /** Returns the outcomes of a step in all stages, including the start-up of users. */
  totalOf(step: number): Total {
    let sent = 0;
    let good = 0;
    let [ended, notMade] = [0, 0];
    let [notFound, unchecked] = [0, 0];
    const wrongPages = newWrongPageCounts();
    for (const cell of this.cells.values()) {
      if (cell.step !== step) continue;
      sent += cell.started;
      good += cell.blocks.reduce((sum, { ok }) => sum + ok, 0);
      ended += cell.ended;
      notMade += cell.notMade;
      notFound += cell.notFound;
      unchecked += cell.unchecked;
      for (const kind of WRONG_PAGES) wrongPages[kind] += cell.wrongPages[kind];
    }
    return { sent, good, failed: ended - good, notMade, notFound, unchecked, wrongPages };
  }

  /** Returns the overloaded seconds of the judged stages, their share, and the causes, the most frequent first. */
  overload(): { readonly seconds: number; readonly share: number; readonly causes: OverloadCause[] } {
    const causes = [...this.overloadedSeconds.entries()].sort(([, a], [, b]) => b - a).map(([cause]) => cause);
    return { seconds: this.overloadedTotal, share: this.judgedTotal === 0 ? 0 : this.overloadedTotal / this.judgedTotal, causes };
  }

  /** Delay of the judged stages' requests after their scheduled start; empty if requests have no scheduled start. */
  get scheduleLag(): Histogram {
    return this.lag;
  }

  private nothing(step: number): CellEvidence {
    return {
      step,
      isOfWaits: this.polls.has(step),
      blocks: [],
      goodTimes: createSum(),
      started: 0,
      ended: 0,
      notMade: 0,
      notFound: 0,
      unchecked: 0,
      wrongPages: newWrongPageCounts(),
      reloaded: 0,
      journeysStarted: 0,
      notStartedTarget: 0,
      notStartedGenerator: 0,
    };
  }

  private addVisit(visit: JudgedVisit, key: string): void {
    let evidence = this.cells.get(key);
    if (!evidence) this.cells.set(key, (evidence = this.nothing(visitStep(visit.page))));
    const sawMs = visit.problem === null ? visit.largestPaintMs : null;
    const times = createHistogram();
    if (sawMs !== null) record(times, sawMs * 1_000);
    evidence.started += 1;
    evidence.ended += 1;
    addInto(evidence.goodTimes, times);
    evidence.blocks.push({
      second: visit.second,
      width: visit.tookMs / 1_000,
      overloadedBy: [],
      started: 1,
      ended: 1,
      ok: sawMs === null ? 0 : 1,
      failedSurely: sawMs === null ? 1 : 0,
      failedMaybe: 0,
      notStartedTarget: 0,
      notStartedGenerator: 0,
      slower: new Map(this.limitsMs.map((maxMs) => [maxMs, { byService: (sawMs ?? 0) > maxMs ? 1 : 0, byLateness: 0 }])),
      byTime: rowsOf(times),
    });
  }

  private addCell(window: Window, cell: Cell): void {
    const key = `${cell.stage}/${cell.step}`;
    let evidence = this.cells.get(key);
    if (!evidence) this.cells.set(key, (evidence = this.nothing(cell.step)));
    // A request that still waited at the end is judged like one without a response, because it belongs to no second.
    const ended = countEnded(cell) - (cell.outcomes.neverSent ?? 0);
    evidence.started += cell.started;
    evidence.ended += ended;
    for (const kind of WRONG_PAGES)
      for (const status of WRONG_PAGE_STATUSES[kind]) evidence.wrongPages[kind] += cell.statuses.get(status) ?? 0;
    evidence.notMade += cell.outcomes.notMade ?? 0;
    evidence.unchecked += cell.responsesUnchecked;
    evidence.notFound += countNotFound(cell);
    evidence.reloaded += cell.reloads;
    evidence.journeysStarted += cell.journeysStarted;
    evidence.notStartedTarget += cell.notStartedTarget;
    evidence.notStartedGenerator += cell.notStartedGenerator;
    if (cell.times.scheduleLag && this.judged.has(cell.stage)) addInto(this.lag, cell.times.scheduleLag);
    const times = goodTimes(cell);
    if (times) addInto(evidence.goodTimes, times);
    const healthy = window.overloadedBy.length === 0;
    const sum = (wanted: (outcome: Outcome) => boolean): number =>
      OUTCOMES.reduce(
        (total, outcome) =>
          outcome !== 'ok' && outcome !== 'neverSent' && wanted(outcome) ? total + (cell.outcomes[outcome] ?? 0) : total,
        0,
      );
    const isSure = (outcome: Outcome): boolean => TARGET_OUTCOMES.has(outcome) || (healthy && !GENERATOR_OUTCOMES.has(outcome));
    evidence.blocks.push({
      second: window.second,
      width: window.width,
      overloadedBy: window.overloadedBy,
      started: cell.started,
      ended,
      ok: cell.outcomes.ok ?? 0,
      failedSurely: sum(isSure),
      notStartedTarget: cell.notStartedTarget,
      notStartedGenerator: cell.notStartedGenerator,
      failedMaybe: sum((outcome) => !isSure(outcome)),
      slower: new Map(this.limitsMs.map((maxMs) => [maxMs, countSlower(cell, maxMs * 1_000)])),
      byTime: times ? rowsOf(times) : EMPTY_TIMES,
    });
  }
}

/** Statuses of missing pages. */
const NOT_FOUND_STATUSES = [404, 410];

/**
 * Counts responses for missing pages and failed checks of content. Responses that are another page, such as a login form or an error page,
 * do not concern the content and are excluded.
 */
function countNotFound({ outcomes, statuses, errors }: Cell): number {
  const otherPages = sumOf(Object.entries(errors), ([error, count]) => (isOfOtherPage(error) ? count : 0));
  const missing = NOT_FOUND_STATUSES.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
  return Math.max(0, (outcomes.wrongBody ?? 0) - otherPages) + Math.min(outcomes.httpError ?? 0, missing);
}

const EMPTY_TIMES: ReadonlyMap<number, number> = new Map();
function rowsOf(times: Histogram): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  addToRows(rows, times);
  return rows;
}

/**
 * Counts the responses over a limit. A response time is never shorter than its service time, so those over the limit by service time are
 * among those over it by response time.
 */
function countSlower(cell: Cell, limitUs: number): SlowResponses {
  const { serviceOk } = cell.times;
  const times = goodTimes(cell);
  const all = times ? countAbove(times, limitUs) : 0;
  const byService = serviceOk ? Math.min(all, countAbove(serviceOk, limitUs)) : all;
  return { byService, byLateness: all - byService };
}
