import { type Outcome, OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listRecordedRequests, type RecordedRequest } from '#core/plan/requests.ts';
import { addInto, createSum, type Histogram } from '#core/statistics/histogram.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import { stageName } from '#core/plan/names.ts';
import { getOwn } from '#core/base/ownMembers.ts';

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

type Attributes = Readonly<Record<string, string | number | boolean>>;

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
]);

/**
 * Returns the attributes of each recorded request of a plan, by OpenTelemetry's semantic conventions for HTTP clients. Address and method
 * are left out if requests with the same name may have different ones, as with several targets, redirects, or resources of other hosts.
 */
function listRequestAttributes(plan: Plan): Attributes[] {
  return listRecordedRequests(plan).map((request) => ({
    'holdfast.step': showReferences(request.name),
    'http.request.method': findMethod(plan, request),
    ...describeServer(findUrl(plan, request)),
  }));
}

/** Returns the attributes of the only server of the load; none if the plan names several. */
function findServerAttributes(plan: Plan): Attributes {
  return describeServer(findOnlyServer(plan.targets.map(({ url }) => url)));
}

/** Returns the names of the stages by their numbers in windows, where the start-up of a stage has a separate number. */
function listStageNames(plan: Plan): string[] {
  const names = [...plan.load.stages.keys()].map((index) => showReferences(stageName(plan, index)));
  return [...names, ...names.map((name) => `${name} (start-up)`)];
}

function findMethod({ journey }: Plan, { step, isRedirect, resource }: RecordedRequest): string {
  const method = resource === null ? (journey[step]?.method ?? 'GET') : 'GET';
  // A redirect may turn a form into a GET.
  return isRedirect && method !== 'GET' ? '_OTHER' : method;
}

function findUrl(plan: Plan, { step, isRedirect, resource }: RecordedRequest): string | null {
  const { target, resources } = plan.journey[step] ?? {};
  if (isRedirect || (resource !== null && resources?.otherHosts.length !== 0)) return null;
  if (target !== undefined) return getOwn(plan.namedTargets, target)?.url ?? null;
  return findOnlyServer(plan.targets.map(({ url }) => url));
}

function findOnlyServer(urls: readonly string[]): string | null {
  const origins = new Set(urls.map((url) => new URL(url).origin));
  return origins.size === 1 ? (urls[0] ?? null) : null;
}

function describeServer(url: string | null): Attributes {
  if (url === null) return {};
  const { protocol, hostname, port } = new URL(url);
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (DEFAULT_PORTS.get(protocol) ?? 0) : Number(port),
    'url.scheme': protocol.slice(0, -1),
  };
}

/** Requests of a cell with the same outcome and, where it is known, the same status. */
interface ResponseGroup {
  readonly outcome: Outcome;
  /** Status code; null without a complete response, or if the window does not show which of several statuses it was. */
  readonly status: number | null;
  readonly count: number;
}

type CountedCell = Pick<Cell, 'outcomes' | 'statuses'>;

/**
 * Returns the requests of a cell that ended, grouped by outcome and status. A window counts outcomes and statuses separately, so the status
 * is left out if several would fit. `expected`: statuses of successful responses; undefined for any 2xx.
 */
function groupResponses({ outcomes, statuses }: CountedCell, expected: readonly number[] | undefined): ResponseGroup[] {
  const isExpected = (status: number): boolean => expected?.includes(status) ?? (status >= 200 && status < 300);
  const wanted = [...statuses].filter(([status]) => isExpected(status));
  const unwanted = [...statuses].filter(([status]) => !isExpected(status));
  const { ok = 0, httpError = 0, wrongBody = 0 } = outcomes;
  // A followed redirect is successful although its status is not expected.
  const isSplit = sumOf(unwanted) === httpError && sumOf(wanted) === ok + wrongBody;
  const withStatuses = (outcome: Outcome, found: readonly (readonly [number, number])[], count: number): ResponseGroup[] => {
    const [only] = found;
    if (isSplit && sumOf(found) === count) return found.map(([status, responses]) => ({ outcome, status, count: responses }));
    return [{ outcome, status: isSplit && found.length === 1 && only !== undefined ? only[0] : null, count }];
  };
  return OUTCOMES.flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    if (count === 0) return [];
    if (outcome === 'ok' || outcome === 'wrongBody') return withStatuses(outcome, wanted, count);
    if (outcome === 'httpError') return withStatuses(outcome, unwanted, count);
    return [{ outcome, status: null, count }];
  });
}

function sumOf(statuses: readonly (readonly [number, number])[]): number {
  return statuses.reduce((sum, [, count]) => sum + count, 0);
}

const ERROR_TYPES: Readonly<Record<Exclude<Outcome, 'ok' | 'httpError'>, string>> = {
  wrongBody: 'wrong_body',
  timeout: 'timeout',
  refused: 'connection_refused',
  reset: 'connection_reset',
  noPort: 'no_local_port',
  noFile: 'no_file_descriptor',
  dns: 'name_resolution',
  tls: 'tls',
  otherError: '_OTHER',
  notMade: 'not_made',
  neverSent: 'never_sent',
};

/** Returns the value of `error.type`: the status code of an unexpected response, else the kind of failure; null for a success. */
function findErrorType({ outcome, status }: Pick<ResponseGroup, 'outcome' | 'status'>): string | null {
  if (outcome === 'ok') return null;
  return outcome === 'httpError' ? String(status ?? '_OTHER') : ERROR_TYPES[outcome];
}
