import { MAX_NAMES, OTHERS } from '#core/base/foreignNames.ts';
import { CACHE_COUNTERS, CELL_COUNTERS, type Counters, zeroCounters, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import { OUTCOMES, type Outcome } from '#core/measurement/requestOutcomes.ts';
import { createHistogram, record, type Histogram } from '#core/statistics/histogram.ts';
import { emptyServerCount } from '#core/measurement/windowFold.ts';
import type { CacheCount, Cell, EarlyResponse, ServerCount, StreamCount, TimeKind } from '#core/measurement/window.ts';

const MAX_STATUSES = 1_000;

export type ResponseOutcome = 'ok' | 'httpError' | 'wrongBody';

export interface ResponseTimes {
  readonly status: number;
  readonly serviceUs: number;
  readonly firstByteUs: number;
  readonly transferUs: number;
}

const outcomeIndex = Object.fromEntries(OUTCOMES.map((outcome, index) => [outcome, index]));

/** A mutable {@link Cell} that records requests without allocations. */
export class HotCell implements Counters<typeof CELL_COUNTERS> {
  touched = false;
  started = 0;
  bytesReceived = 0;
  bytesSent = 0;
  bodyBytes = 0;
  bodyLengthDiffers = 0;
  bodyLengthDeviation = 0;
  bodyEmpty = 0;
  connectionsOpened = 0;
  requestsOnReusedConnection = 0;
  journeysStarted = 0;
  notStartedTarget = 0;
  notStartedGenerator = 0;
  waitsBegun = 0;
  sessionsResumed = 0;
  requestsResent = 0;
  responsesUnchecked = 0;
  waitedAtGate = 0;
  lateAtGate = 0;
  reloads = 0;
  reloadedAtBell = 0;
  journeysAbandoned = 0;
  private cache: CacheCount | undefined;
  private streamCount: StreamCount | undefined;
  private early: EarlyResponse[] = [];
  private readonly servers = new Map<string, ServerCount>();
  private readonly outcomes = new Float64Array(OUTCOMES.length);
  private readonly statuses = new Float64Array(MAX_STATUSES);
  private readonly errors = new Map<string, number>();
  private readonly times = new Map<TimeKind, Histogram>();
  private serviceOk: Histogram | undefined;
  private responseOk: Histogram | undefined;
  private firstByte: Histogram | undefined;
  private transfer: Histogram | undefined;
  private scheduleLag: Histogram | undefined;

  recordResponse(outcome: ResponseOutcome, response: Readonly<ResponseTimes>): void {
    const { status } = response;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.countOutcome(outcome);
    if (outcome === 'ok') record((this.serviceOk ??= this.histogram('serviceOk')), response.serviceUs);
    else this.countTime('serviceFailed', response.serviceUs);
    if (status < 200 || status > 299) this.countClass(status, response.serviceUs);
    record((this.firstByte ??= this.histogram('firstByte')), response.firstByteUs);
    record((this.transfer ??= this.histogram('transfer')), response.transferUs);
  }

  /** Records a response time from the scheduled start. It is used only for load models that schedule starts. */
  countResponse(outcome: ResponseOutcome, responseUs: number): void {
    if (outcome === 'ok') record((this.responseOk ??= this.histogram('responseOk')), responseUs);
    else this.countTime('responseFailed', responseUs);
  }

  countLag(lagUs: number): void {
    record((this.scheduleLag ??= this.histogram('scheduleLag')), lagUs);
  }

  /** `error` is a name from a small set of system and Holdfast errors. */
  countFailure(outcome: Outcome, error: string): void {
    this.countOutcome(outcome);
    this.errors.set(error, (this.errors.get(error) ?? 0) + 1);
  }

  /** Counts an outcome for one of several servers. `serviceUs` is the service time of a complete response; null if it is incomplete. */
  countServer(name: string, isOk: boolean, serviceUs: number | null): void {
    let count = this.servers.get(name);
    if (count === undefined) count = this.newServer(name);
    if (!isOk) count.failed += 1;
    if (serviceUs === null) {
      count.withoutResponse += 1;
      return;
    }
    count.responded += 1;
    // The clock has fractions of microseconds, but windows contain whole numbers.
    count.serviceUs += Math.round(serviceUs);
  }

  /** Counts a complete response whose headers name its source. */
  countCache(isFromCache: boolean, serviceUs: number): void {
    const cache = (this.cache ??= zeroCounters(CACHE_COUNTERS));
    const wholeUs = Math.round(serviceUs);
    if (isFromCache) {
      cache.fromCache += 1;
      cache.fromCacheUs += wholeUs;
    } else {
      cache.fromServer += 1;
      cache.fromServerUs += wholeUs;
    }
  }

  /** Counts of streams; created when they are first needed. */
  get streams(): StreamCount {
    return (this.streamCount ??= zeroCounters(STREAM_COUNTERS));
  }

  /** Keeps one of the first responses of its stage. */
  keepEarly(response: EarlyResponse): void {
    this.early.push(response);
  }

  /** `check` may contain text of the server and differ in each response. */
  countFailedCheck(check: string): void {
    const known = this.errors.get(check);
    if (known !== undefined || this.errors.size < MAX_NAMES) this.errors.set(check, (known ?? 0) + 1);
    else this.errors.set(OTHERS, (this.errors.get(OTHERS) ?? 0) + 1);
  }

  countTime(kind: TimeKind, valueUs: number): void {
    record(this.histogram(kind), valueUs);
  }

  /** Returns what was recorded since the last call and resets it; null if nothing was recorded. */
  take(stage: number, step: number): Cell | null {
    if (!this.touched) return null;
    const cell: Cell = {
      stage,
      step,
      ...zeroCounters(CELL_COUNTERS),
      outcomes: outcomesAbove0(this.outcomes),
      statuses: statusesAbove0(this.statuses),
      errors: Object.fromEntries(this.errors),
      servers: Object.fromEntries(this.servers),
      early: this.early,
      times: Object.fromEntries(this.times),
    };
    for (const name of CELL_COUNTERS) cell[name] = this[name];
    if (this.cache !== undefined) cell.cache = this.cache;
    if (this.streamCount !== undefined) cell.streams = this.streamCount;
    this.reset();
    return cell;
  }

  private newServer(name: string): ServerCount {
    const kept = this.servers.size < MAX_NAMES ? name : OTHERS;
    const count = this.servers.get(kept) ?? emptyServerCount();
    this.servers.set(kept, count);
    return count;
  }

  private countClass(status: number, serviceUs: number): void {
    if (status < 200) this.countTime('service1xx', serviceUs);
    else if (status < 400) this.countTime('service3xx', serviceUs);
    else if (status < 500) this.countTime('service4xx', serviceUs);
    else this.countTime('service5xx', serviceUs);
  }

  private countOutcome(outcome: Outcome): void {
    const index = outcomeIndex[outcome] ?? 0;
    this.outcomes[index] = (this.outcomes[index] ?? 0) + 1;
  }

  private histogram(kind: TimeKind): Histogram {
    const known = this.times.get(kind);
    if (known !== undefined) return known;
    const histogram = createHistogram();
    this.times.set(kind, histogram);
    return histogram;
  }

  private reset(): void {
    this.touched = false;
    for (const name of CELL_COUNTERS) this[name] = 0;
    this.cache = undefined;
    this.streamCount = undefined;
    this.early = [];
    this.servers.clear();
    this.outcomes.fill(0);
    this.statuses.fill(0);
    this.errors.clear();
    this.times.clear();
    this.serviceOk = undefined;
    this.responseOk = undefined;
    this.firstByte = undefined;
    this.transfer = undefined;
    this.scheduleLag = undefined;
  }
}

function outcomesAbove0(counts: Float64Array): Cell['outcomes'] {
  const outcomes: Cell['outcomes'] = {};
  for (const [index, outcome] of OUTCOMES.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0) outcomes[outcome] = count;
  }
  return outcomes;
}

function statusesAbove0(counts: Float64Array): Cell['statuses'] {
  return new Map([...counts.entries()].filter(([, count]) => count > 0));
}
