import type { Outcome } from '#core/measurement/requestOutcomes.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { addInto, createSum, type Histogram } from '#core/statistics/histogram.ts';
import { type Attributes, findServerAttributes, listRequestAttributes, listStageNames } from './requestAttributes.ts';
import { findErrorType, groupResponses, type ResponseGroup } from './responseGroups.ts';

/** Sums of a run by the names of their metrics, which docs/otlp.md describes. */
export const SUMS = {
  requests: { name: 'holdfast.requests', unit: '{request}', description: 'Requests that ended, by outcome.', isMonotonic: true },
  inFlight: { name: 'http.client.active_requests', unit: '{request}', description: 'Requests in flight.', isMonotonic: false },
  journeys: { name: 'holdfast.journeys', unit: '{journey}', description: 'Journeys by what became of them.', isMonotonic: true },
  bytes: { name: 'holdfast.network.io', unit: 'By', description: 'Bytes on the sockets, headers included.', isMonotonic: true },
  overloaded: { name: 'holdfast.generator.overloaded', unit: 's', description: 'Time with an overloaded generator.', isMonotonic: true },
} as const;
export type SumName = keyof typeof SUMS;

export const DURATIONS = {
  service: {
    name: 'http.client.request.duration',
    unit: 's',
    description: 'Service times of complete responses, from the actual start of the request.',
  },
  response: {
    name: 'holdfast.response.duration',
    unit: 's',
    description: 'Response times of complete responses, from the intended start of the request.',
  },
} as const;
export type DurationName = keyof typeof DURATIONS;

export interface MetricPoint<Value> {
  readonly attributes: Attributes;
  value: Value;
}

/** Maximum number of points of a metric, as in OpenTelemetry's SDKs. Points beyond it are counted together. */
export const MAX_POINTS_PER_METRIC = 2_000;
const OVERFLOW = { 'otel.metric.overflow': true } as const;

/** The points of one metric by their attributes. */
class Points<Value> {
  private readonly points = new Map<string, MetricPoint<Value>>();
  private readonly create: () => Value;

  constructor(create: () => Value) {
    this.create = create;
  }

  at(attributes: Attributes): MetricPoint<Value> {
    const key = JSON.stringify(attributes);
    const known = this.points.get(key);
    if (known !== undefined) return known;
    if (this.points.size >= MAX_POINTS_PER_METRIC - 1 && attributes !== OVERFLOW) return this.at(OVERFLOW);
    const point = { attributes, value: this.create() };
    this.points.set(key, point);
    return point;
  }

  list(): MetricPoint<Value>[] {
    return [...this.points.values()];
  }
}

/** Adds up the windows of one generator. Its memory depends on the plan, not on the length of the run. */
export class WindowMetrics {
  private readonly requests: readonly Attributes[];
  private readonly server: Attributes;
  private readonly stages: readonly string[];
  private readonly expected: readonly (readonly number[] | undefined)[];
  private readonly sums: Readonly<Record<SumName, Points<number>>>;
  private readonly durations: Readonly<Record<DurationName, Points<Histogram>>>;

  constructor(plan: Plan) {
    this.requests = listRequestAttributes(plan);
    this.server = findServerAttributes(plan);
    this.stages = listStageNames(plan);
    this.expected = listRecordedRequests(plan).map(({ step, isRedirect, resource }) =>
      isRedirect || resource !== null ? undefined : plan.journey[step]?.expectStatus,
    );
    const zero = (): Points<number> => new Points(() => 0);
    this.sums = { requests: zero(), inFlight: zero(), journeys: zero(), bytes: zero(), overloaded: zero() };
    this.durations = { service: new Points(createSum), response: new Points(createSum) };
  }

  add(window: Window): void {
    for (const cell of window.cells) this.addCell(cell);
    this.sums.inFlight.at(this.server).value = window.inFlight;
    const { started, finished, abandoned, notStartedTarget, notStartedGenerator, notStartedStopped } = window.journeys;
    const journeys = { started, finished, abandoned, not_started: notStartedTarget + notStartedGenerator + notStartedStopped };
    for (const [state, count] of Object.entries(journeys)) this.sum('journeys', { 'holdfast.journey.state': state }, count);
    if (window.overloadedBy.length > 0) this.sum('overloaded', {}, window.width);
  }

  listSums(name: SumName): MetricPoint<number>[] {
    return this.sums[name].list();
  }

  listDurations(name: DurationName): MetricPoint<Histogram>[] {
    return this.durations[name].list();
  }

  private addCell(cell: Cell): void {
    const attributes = { ...this.requests[cell.step], 'holdfast.stage': this.stages[cell.stage] ?? '' };
    const groups = groupResponses(cell, this.expected[cell.step]);
    for (const group of groups)
      this.sum('requests', { ...attributes, 'holdfast.outcome': group.outcome, ...describeGroup(group) }, group.count);
    this.sum('bytes', { 'network.io.direction': 'receive' }, cell.bytesReceived);
    this.sum('bytes', { 'network.io.direction': 'transmit' }, cell.bytesSent);
    const { serviceOk, serviceFailed, responseOk = serviceOk, responseFailed = serviceFailed } = cell.times;
    const ok = { ...attributes, ...describeGroups(groups, ['ok']) };
    const failed = { ...attributes, ...describeGroups(groups, ['httpError', 'wrongBody']) };
    this.addTimes('service', ok, serviceOk);
    this.addTimes('service', failed, serviceFailed);
    this.addTimes('response', ok, responseOk);
    this.addTimes('response', failed, responseFailed);
  }

  private sum(name: SumName, attributes: Attributes, count: number): void {
    if (count > 0) this.sums[name].at(attributes).value += count;
  }

  private addTimes(name: DurationName, attributes: Attributes, times: Histogram | undefined): void {
    if (times !== undefined && times.totalCount > 0) addInto(this.durations[name].at(attributes).value, times);
  }
}

function describeGroup(group: Pick<ResponseGroup, 'outcome' | 'status'>): Attributes {
  const errorType = findErrorType(group);
  return {
    ...(group.status === null ? {} : { 'http.response.status_code': group.status }),
    ...(errorType === null ? {} : { 'error.type': errorType }),
  };
}

/** Returns the attributes of times that a window counts together. The status is included only if all of them have the same one. */
function describeGroups(groups: readonly ResponseGroup[], outcomes: readonly Outcome[]): Attributes {
  const [first, ...others] = groups.filter(({ outcome }) => outcomes.includes(outcome));
  if (first !== undefined && others.length === 0) return describeGroup(first);
  return outcomes.includes('ok') ? {} : { 'error.type': '_OTHER' };
}
