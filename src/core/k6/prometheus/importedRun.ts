import { toFailure, isExpectedStatus } from '#core/k6/outcomes.ts';
import { K6Layout } from '#core/k6/layout.ts';
import { firstStepIndex } from '#core/work/journey/flow/executions.ts';
import { correctPlanned, countPlannedJourneys, computePlannedSeconds } from '#core/work/load/planned.ts';
import { maxInFlightOf } from '#core/work/load/stages.ts';
import { addCount } from '#core/base/lists.ts';
import { CHECK, errorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { MAX_STAGE_SECONDS } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { EngineEndFacts } from '#core/result/stageTimes.ts';
import { createHistogram, recordMany } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow, mergeLoaded } from '#core/measurement/windowFold.ts';
import type { Cell, TimeKind, Window } from '#core/measurement/window.ts';
import { formatSeconds } from '#core/base/units.ts';
import { listHistogramIncreases, listIncreases, middleOf, type PromSeries } from './response.ts';

/** The metrics of a run, as named by k6's remote write. */
export const PROMETHEUS_METRICS = [
  'k6_http_reqs_total',
  'k6_http_req_duration_seconds',
  'k6_http_req_waiting_seconds',
  'k6_http_req_receiving_seconds',
  'k6_http_req_connecting_seconds',
  'k6_http_req_tls_handshaking_seconds',
  'k6_iterations_total',
  'k6_dropped_iterations_total',
  'k6_failed_requests_rate',
  'k6_vus_max',
  'k6_data_received_total',
  'k6_data_sent_total',
] as const;
export type PrometheusMetric = (typeof PROMETHEUS_METRICS)[number];
export type MetricSeries = Readonly<Record<PrometheusMetric, readonly PromSeries[]>>;

/** A finished k6 run found in Prometheus. */
export interface ImportedRun {
  /** Unix time of the start of the load in milliseconds. k6 does not report it, so it may be up to one push interval late. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly windows: readonly Window[];
  readonly end: EngineEndFacts;
  /** Number of runners that wrote the run. */
  readonly instances: number;
  readonly hasHistograms: boolean;
}

const TIME_METRICS = [
  ['k6_http_req_waiting_seconds', 'firstByte'],
  ['k6_http_req_receiving_seconds', 'transfer'],
  ['k6_http_req_connecting_seconds', 'connect'],
  ['k6_http_req_tls_handshaking_seconds', 'tls'],
] as const satisfies readonly (readonly [PrometheusMetric, TimeKind])[];

/** Returns the run; null if there are no requests of the plan's script. */
export function importedRun(plan: Plan, series: MetricSeries): ImportedRun | null {
  const times = series.k6_http_reqs_total.flatMap(({ samples }) => samples.map(({ at }) => at));
  if (times.length === 0) return null;
  return new Import(plan, series, times).run();
}

class Import {
  private readonly plan: Plan;
  private readonly series: MetricSeries;
  private readonly layout: K6Layout;
  private readonly began: number;
  private readonly ended: number;
  private readonly width: number;
  private readonly windows: Window[];
  private readonly firstStep: number;
  /** Stage by scenario, because metrics of journeys of arrivals do not name the stage. */
  private readonly scenarioStages: ReadonlyMap<string, number>;

  constructor(plan: Plan, series: MetricSeries, times: readonly number[]) {
    this.plan = plan;
    this.series = series;
    this.layout = new K6Layout(plan);
    this.firstStep = firstStepIndex(plan);
    this.scenarioStages = plan.load.model === 'arrivals' ? stagesOfScenarios(series.k6_http_reqs_total) : new Map();
    const all = [...times, ...series.k6_iterations_total.flatMap(({ samples }) => samples.map(({ at }) => at))];
    this.ended = all.reduce((latest, at) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
    const seconds = computePlannedSeconds(plan);
    const earliest = seconds === null ? Number.POSITIVE_INFINITY : this.ended - seconds;
    this.began = all.reduce((first, at) => Math.min(first, at), earliest);
    if (!(this.ended - this.began <= MAX_STAGE_SECONDS)) throw tooLongError(this.ended - this.began);
    this.width = pushSeconds(series.k6_http_reqs_total);
    const count = Math.max(1, Math.ceil((this.ended - this.began) / this.width));
    this.windows = Array.from({ length: count }, (_, index) => emptyWindow(index * this.width, this.width));
  }

  run(): ImportedRun {
    for (const one of this.series.k6_http_reqs_total) this.requests(one);
    for (const one of this.series.k6_http_req_duration_seconds) this.durations(one);
    for (const [metric, kind] of TIME_METRICS) for (const one of this.series[metric]) this.times(one, kind);
    for (const group of lastOfEachGroup(this.series.k6_failed_requests_rate)) this.failed(group);
    this.journeys();
    for (const one of this.series.k6_data_received_total) this.bytes(one, 'bytesReceived');
    for (const one of this.series.k6_data_sent_total) this.bytes(one, 'bytesSent');
    const endedAtSecond = this.ended - this.began;
    return {
      beganMs: Math.round(this.began * 1_000),
      endedMs: Math.round(this.ended * 1_000),
      windows: this.windows,
      end: {
        firstBodyLengths: this.layout.requests.map(() => null),
        serverSoftware: null,
        addresses: {},
        leftOut: {},
        stages: this.spans(endedAtSecond),
        endedAtSecond,
      },
      instances: new Set(this.series.k6_http_reqs_total.map(({ labels }) => labels['instance_id'] ?? '')).size,
      hasHistograms: this.series.k6_http_req_duration_seconds.some(({ histograms }) => histograms.length > 0),
    };
  }

  private requests(one: PromSeries): void {
    const requestIndex = this.slotOf(one);
    if (requestIndex === null) return;
    const status = statusOf(one);
    const isOk = isExpectedStatus(this.plan, this.layout, requestIndex, status);
    for (const { at, by } of listIncreases(one)) {
      const cell = this.cell(one, requestIndex, at);
      cell.started += by;
      if (status === 0) {
        const { outcome, error } = toFailure(requestOfSeries(one));
        addCount(cell.outcomes, outcome, by);
        addCount(cell.errors, error, by);
        continue;
      }
      addCount(cell.outcomes, isOk ? 'ok' : 'httpError', by);
      cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + by);
      const loaded = { stage: cell.stage, step: requestIndex, responded: by, ok: isOk ? by : 0, bytesReceived: 0, pages: 0 };
      if (cell.stage < this.plan.load.stages.length) mergeLoaded(this.window(at).loaded, [loaded]);
    }
  }

  private durations(one: PromSeries): void {
    const requestIndex = this.slotOf(one);
    const status = statusOf(one);
    if (requestIndex === null || status === 0) return;
    this.record(one, requestIndex, isExpectedStatus(this.plan, this.layout, requestIndex, status) ? 'serviceOk' : 'serviceFailed');
  }

  /** Adds times. Times of 0 for connecting and TLS belong to reused connections. */
  private times(one: PromSeries, kind: TimeKind): void {
    const requestIndex = this.slotOf(one);
    if (requestIndex === null || statusOf(one) === 0) return;
    this.record(one, requestIndex, kind);
  }

  private record(one: PromSeries, requestIndex: number, kind: TimeKind): void {
    const isOfConnection = kind === 'connect' || kind === 'tls';
    for (const { at, buckets } of listHistogramIncreases(one)) {
      const cell = this.cell(one, requestIndex, at);
      for (const bucket of buckets) {
        const microseconds = middleOf(bucket) * 1_000_000;
        if (kind === 'connect') {
          if (microseconds > 0) cell.connectionsOpened += bucket.count;
          else cell.requestsOnReusedConnection += bucket.count;
        }
        if (isOfConnection && microseconds === 0) continue;
        recordMany((cell.times[kind] ??= createHistogram()), microseconds, bucket.count);
      }
    }
  }

  /**
   * Counts failed checks. k6 reports the cumulative share of failed responses per step, stage and runner. Failures that the status does not
   * explain are failed checks.
   */
  private failed(rates: PromSeries): void {
    const requestIndex = this.slotOf(rates);
    if (requestIndex === null) return;
    const responses = this.series.k6_http_reqs_total.filter((one) =>
      COMMON_LABELS.every((label) => getOwn(one.labels, label) === getOwn(rates.labels, label)),
    );
    const last = rates.samples.at(-1);
    if (last === undefined) return;
    const total = responses.reduce((sum, { samples }) => sum + (samples.at(-1)?.value ?? 0), 0);
    const explained = responses.reduce(
      (sum, one) => sum + (isExpectedStatus(this.plan, this.layout, requestIndex, statusOf(one)) ? 0 : (one.samples.at(-1)?.value ?? 0)),
      0,
    );
    let wrong = Math.round(last.value * total) - explained;
    for (const window of this.windows.toReversed()) {
      for (const cell of window.cells) {
        if (wrong <= 0) return;
        if (cell.step !== requestIndex || cell.stage !== this.stageTagAt(rates, window.second)) continue;
        const failedChecks = Math.min(wrong, cell.outcomes.ok ?? 0);
        if (failedChecks === 0) continue;
        addCount(cell.outcomes, 'ok', -failedChecks);
        addCount(cell.outcomes, 'wrongBody', failedChecks);
        addCount(cell.errors, errorName('not reported by Prometheus', CHECK), failedChecks);
        wrong -= failedChecks;
      }
    }
  }

  private journeys(): void {
    for (const one of this.series.k6_iterations_total)
      for (const { at, by } of listIncreases(one)) {
        const { journeys } = this.window(at);
        journeys.started += by;
        journeys.finished += by;
        this.journeyCell(one, at).journeysStarted += by;
      }
    const byTarget = this.hadAllUsers();
    for (const one of this.series.k6_dropped_iterations_total)
      for (const { at, by } of listIncreases(one)) {
        const { journeys } = this.window(at);
        const cell = this.journeyCell(one, at);
        if (byTarget) {
          journeys.notStartedTarget += by;
          cell.notStartedTarget += by;
        } else {
          journeys.notStartedGenerator += by;
          cell.notStartedGenerator += by;
        }
      }
    this.countMissing();
  }

  private countMissing(): void {
    const planned = countPlannedJourneys(this.plan);
    const last = this.windows.at(-1);
    if (planned === null || last === undefined) return;
    const settled = this.windows.reduce(
      (sum, { journeys }) => sum + journeys.started + journeys.notStartedTarget + journeys.notStartedGenerator,
      0,
    );
    const missing = correctPlanned(this.plan, planned, settled, this.plan.load.stages.length) - settled;
    if (missing > 0) last.journeys.notStartedStopped += missing;
  }

  /** Returns whether k6 had created all allowed virtual users. If so, the target is to blame for dropped journeys. */
  private hadAllUsers(): boolean {
    const { load } = this.plan;
    if (load.model !== 'arrivals') return true;
    const maxUsers = this.series.k6_vus_max.reduce((sum, { samples }) => sum + Math.max(0, ...samples.map(({ value }) => value)), 0);
    return maxUsers >= Math.max(...load.stages.map((stage) => maxInFlightOf(load, stage)));
  }

  private cell(one: PromSeries, requestIndex: number, at: number): Cell {
    return findOrAddCell(this.window(at), this.stageTagAt(one, at - this.began), requestIndex);
  }

  private journeyCell(one: PromSeries, at: number): Cell {
    const tagged = one.labels['holdfast_stage'] ?? this.scenarioStages.get(one.labels['scenario'] ?? '');
    return findOrAddCell(this.window(at), this.layout.stageOf(String(tagged ?? ''), at - this.began), this.firstStep);
  }

  /** Adds the bytes of all steps to the first step, which also counts the journeys. */
  private bytes(one: PromSeries, kind: 'bytesReceived' | 'bytesSent'): void {
    for (const { at, by } of listIncreases(one)) {
      const cell = this.journeyCell(one, at);
      cell[kind] += by;
      if (kind === 'bytesSent') continue;
      const loaded = { stage: cell.stage, step: this.firstStep, responded: 0, ok: 0, bytesReceived: by, pages: 0 };
      mergeLoaded(this.window(at).loaded, [loaded]);
    }
  }

  private stageTagAt({ labels }: PromSeries, second: number): number {
    return this.layout.cellStage(labels['holdfast_stage'] ?? '', second);
  }

  private slotOf({ labels }: PromSeries): number | null {
    const requestIndex = this.layout.slotOf(labels['holdfast_step'] ?? '');
    return requestIndex === null || this.layout.requests[requestIndex]?.isMeasured === false ? null : requestIndex;
  }

  /** Returns the window of the push interval that ends at a time. */
  private window(at: number): Window {
    const index = Math.max(0, Math.ceil((at - this.began) / this.width) - 1);
    const window = this.windows[Math.min(index, this.windows.length - 1)];
    if (window === undefined) throw new RangeError('A run without a window.');
    return window;
  }

  private spans(endedAtSecond: number): { startedAtSecond: number; endedAtSecond: number }[] {
    return this.plan.load.stages.flatMap((_, stage) => {
      const { to } = this.layout.times(stage);
      const from = this.layout.countsFrom(stage);
      if (stage > 0 && from > endedAtSecond) return [];
      return [{ startedAtSecond: Math.min(from, endedAtSecond), endedAtSecond: Math.min(to ?? endedAtSecond, endedAtSecond) }];
    });
  }
}

/** Returns the first stage of each scenario. Later steps of the scenario's last journeys may be in the next stage. */
function stagesOfScenarios(series: readonly PromSeries[]): ReadonlyMap<string, number> {
  const stages = new Map<string, number>();
  for (const { labels } of series) {
    const { scenario = '', holdfast_stage: tag = '' } = labels;
    if (/^\d+$/.test(tag)) stages.set(scenario, Math.min(Number(tag), stages.get(scenario) ?? Number.POSITIVE_INFINITY));
  }
  return stages;
}

/** Labels that connect the failure share with the response counts. */
const COMMON_LABELS = ['holdfast_step', 'holdfast_stage', 'scenario', 'instance_id', 'testrun_name'];

/** Returns the last of the series that differ only in irrelevant labels. */
function lastOfEachGroup(rates: readonly PromSeries[]): PromSeries[] {
  return [...new Map(rates.map((one) => [COMMON_LABELS.map((label) => getOwn(one.labels, label) ?? '').join('\n'), one])).values()];
}

/** Returns the median push interval in whole seconds. */
function pushSeconds(series: readonly PromSeries[]): number {
  const gaps = series
    .flatMap(({ samples }) => samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at)))
    .sort((one, other) => one - other);
  return Math.max(1, Math.round(gaps[Math.floor(gaps.length / 2)] ?? 1));
}

function statusOf({ labels }: PromSeries): number {
  const status = Number(labels['status'] ?? '0');
  return Number.isInteger(status) ? status : 0;
}

/** Returns the known facts of requests without a response. Their times are unknown. */
function requestOfSeries({ labels }: PromSeries): Parameters<typeof toFailure>[0] {
  return {
    step: '',
    stage: '',
    vu: '',
    endUs: 0,
    status: 0,
    errorCode: labels['error_code'] ?? '',
    error: labels['error'] ?? '',
    blockedUs: 0,
    connectingUs: 0,
    tlsUs: 0,
    sendingUs: 0,
    waitingUs: 0,
    receivingUs: 0,
  };
}

function tooLongError(seconds: number): HoldfastError {
  return new HoldfastError({
    code: 'K6_RUN_TOO_LONG',
    message: `Its samples span ${formatSeconds(seconds)}. That is more than one run, or a clock was wrong.`,
    hint: `A run takes at most ${formatSeconds(MAX_STAGE_SECONDS)}. Use a shorter range, or one testid.`,
  });
}
