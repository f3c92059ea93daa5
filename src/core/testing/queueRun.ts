import type { MeasuredRun } from '#core/judgement/diagnosis/rule.ts';
import { secondsOf, countUncountedSeconds } from '#core/work/load/stages.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { buildResult } from '#core/judgement/buildResult.ts';
import type { RunResult } from '#core/result/schema.ts';
import { buildMeasuredRun, type ResultInput } from '#core/judgement/measuredRun.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { findOrAddCell, EARLY_RESPONSES, emptyWindow, emptyLoadedCount } from '#core/measurement/windowFold.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import type { Cell, TimeKind, Window } from '#core/measurement/window.ts';

/** Returns numbers from 0 to 1 that depend only on a seed. */
export type Random = () => number;

/** Returns the random numbers of mulberry32, by Tommy Ettinger. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function exponential(mean: number, random: Random): number {
  return -mean * Math.log(1 - random());
}

/** Draws a time with a log-normal distribution, as response times have (Box and Muller). */
export function logNormal(median: number, sigma: number, random: Random): number {
  return median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
}

/** A server that processes requests in order of arrival, several at a time. */
export interface SimulatedServer {
  /** Maximum number of requests in progress; Infinity for a server that processes all of them in parallel. */
  readonly workers: number;
  /** Returns the service time in ms of request `n` (from 0), which arrives at `second` of the run. */
  serviceMs(random: Random, n: number, second: number): number;
  /** Time-out in ms of a proxy in front of the server. The proxy then responds with 504 while the server continues. */
  readonly patienceMs?: number;
  /** Returns the status of an immediate response without work; null if the server works on the request. */
  refuses?(n: number, second: number): number | null;
  /** Maximum number of waiting requests. Further requests get a 503 at once. Default: no maximum. */
  readonly queueLength?: number;
  /** Returns the additional length of the body of response `n`, in bytes. */
  extraBytes?(random: Random, n: number): number;
  /**
   * Returns when an event that is due at `ms` really happens. If the computer is suspended at `ms`, the event happens at the end of the
   * suspension. The result is never earlier than due, and never decreases. Default: no suspensions.
   */
  readonly resumesAtMs?: (ms: number) => number;
  /** Returns the time to open a connection in ms. Default: all connections were open before. */
  readonly connectMs?: (random: Random) => number;
}

/** A request with its outcome. */
export interface SimulatedRequest {
  readonly stage: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly status: number;
  readonly extraBytes: number;
  readonly connectMs: number | null;
}

/**
 * Simulates the requests of a plan with a single step against a server. It is a discrete simulation of one queue that is served first come,
 * first served.
 */
export function simulate(plan: Plan, server: SimulatedServer, random: Random): SimulatedRequest[] {
  const free: number[] = Number.isFinite(server.workers) ? Array.from({ length: server.workers }, () => 0) : [];
  const requests: SimulatedRequest[] = [];
  /** Times at which accepted requests end that the server may still be processing. */
  let inside: number[] = [];
  const isFull = (atMs: number): boolean => {
    if (server.queueLength === undefined) return false;
    inside = inside.filter((doneMs) => doneMs > atMs);
    return inside.length >= server.workers + server.queueLength;
  };
  const ask = (stage: number, dueMs: number): SimulatedRequest => {
    const n = requests.length;
    const startMs = server.resumesAtMs?.(dueMs) ?? dueMs;
    const refusal = server.refuses?.(n, startMs / 1_000) ?? (isFull(startMs) ? 503 : null);
    const connectMs = server.connectMs === undefined ? null : server.connectMs(random);
    const reachesMs = startMs + (connectMs ?? 0);
    const served =
      refusal === null ? work(server, free, reachesMs, server.serviceMs(random, n, startMs / 1_000)) : reachesMs + 1 + random();
    if (refusal === null && server.queueLength !== undefined) inside.push(served);
    const givenUpMs = reachesMs + (server.patienceMs ?? Number.POSITIVE_INFINITY);
    const isGivenUp = served > givenUpMs;
    const request = {
      stage,
      startMs,
      endMs: isGivenUp ? givenUpMs + 2 * random() : served,
      status: refusal ?? (isGivenUp ? 504 : 200),
      extraBytes: server.extraBytes?.(random, n) ?? 0,
      connectMs,
    };
    requests.push(request);
    return request;
  };
  let waiting: readonly number[] = [];
  for (const [stage, { fromMs, toMs }] of spansMs(plan).entries()) {
    if (plan.load.model === 'arrivals') for (const startMs of findArrivals(plan, stage, fromMs, toMs, random)) ask(stage, startMs);
    else waiting = walk(plan, stage, fromMs, toMs, random, ask, waiting);
  }
  return requests;
}

/** Returns when a request that arrives now will be done. Must be called in the order of arrival. */
function work({ workers, resumesAtMs = (ms) => ms }: SimulatedServer, free: number[], atMs: number, takesMs: number): number {
  if (!Number.isFinite(workers)) return resumesAtMs(atMs + takesMs);
  let next = 0;
  for (let index = 1; index < free.length; index += 1) if ((free[index] ?? 0) < (free[next] ?? 0)) next = index;
  const doneMs = resumesAtMs(Math.max(atMs, free[next] ?? 0) + takesMs);
  free[next] = doneMs;
  return doneMs;
}

function findArrivals({ load }: Plan, index: number, fromMs: number, toMs: number, random: Random): number[] {
  const stage = load.model === 'arrivals' ? load.stages[index] : undefined;
  if (stage === undefined || load.model !== 'arrivals' || stage.kind === 'pause') return [];
  const rateAt = (share: number): number => {
    if (stage.kind === 'constant') return stage.perSecond;
    if (stage.kind === 'ramp') return stage.fromPerSecond + (stage.toPerSecond - stage.fromPerSecond) * share;
    return stage.kind === 'count' ? stage.arrivals / stage.seconds : 0;
  };
  const times: number[] = [];
  const isPoisson = load.spacing === 'poisson';
  const gapAt = (atMs: number): number => {
    const gapMs = 1_000 / Math.max(1e-6, rateAt((atMs - fromMs) / (toMs - fromMs)));
    return isPoisson ? exponential(gapMs, random) : gapMs;
  };
  for (let atMs = fromMs + gapAt(fromMs) / 2; atMs < toMs; atMs += gapAt(atMs)) times.push(atMs);
  return times;
}

/**
 * Simulates users who send a request, wait, pause and repeat until the stage ends. Returns the time at which each would send the next
 * request. Connections still waiting from the previous stage send theirs when their response arrives.
 */
function walk(
  plan: Plan,
  index: number,
  fromMs: number,
  toMs: number,
  random: Random,
  ask: (stage: number, startMs: number) => SimulatedRequest,
  waiting: readonly number[],
): readonly number[] {
  const stage = plan.load.stages[index];
  if (stage === undefined) return [];
  const visitors = 'users' in stage ? stage.users : 'connections' in stage ? stage.connections : 0;
  const startUpMs = 'users' in stage ? 1_000 * stage.startUpSeconds : 0;
  const pause = plan.load.model === 'users' ? plan.load.thinkTime : undefined;
  // The list is sorted by time, with the next request last.
  const freeMs = (visitor: number): number => ('connections' in stage ? (waiting[visitor] ?? 0) : 0);
  const due = Array.from({ length: visitors }, (_unused, visitor) =>
    Math.max(freeMs(visitor), fromMs - startUpMs + (startUpMs * visitor) / visitors),
  ).toSorted((one, other) => other - one);
  const next: number[] = [];
  for (let atMs = due.pop(); atMs !== undefined; atMs = due.pop()) {
    if (atMs >= toMs) {
      next.push(atMs);
      continue;
    }
    const isCounted = atMs >= fromMs;
    const { endMs } = ask(isCounted ? index : plan.load.stages.length + index, atMs);
    const nextMs = endMs + pauseMs(pause, random);
    let [low, high] = [0, due.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((due[middle] ?? 0) > nextMs) low = middle + 1;
      else high = middle;
    }
    due.splice(low, 0, nextMs);
  }
  return next;
}

function pauseMs(pause: ThinkTime | undefined, random: Random): number {
  if (pause === undefined) return 0;
  if (pause.kind === 'fixed') return 1_000 * pause.seconds;
  if (pause.kind === 'exponential') return exponential(1_000 * pause.meanSeconds, random);
  return 1_000 * (pause.fromSeconds + (pause.toSeconds - pause.fromSeconds) * random());
}

/** Returns the counted span of each stage, which begins after its start-up and after the previous stage. */
function spansMs(plan: Plan): { readonly fromMs: number; readonly toMs: number }[] {
  let atMs = 0;
  return plan.load.stages.map((stage) => {
    const fromMs = atMs + 1_000 * countUncountedSeconds(stage);
    atMs += 1_000 * (secondsOf(stage) ?? 0);
    return { fromMs, toMs: atMs };
  });
}

const BODY_BYTES = 6_844;

/**
 * Returns what a recorder would have written for the given requests, with the facts that follow from it. Requests that end after `untilMs`
 * have no response.
 */
export function collectFacts(plan: Plan, requests: readonly SimulatedRequest[], untilMs?: number): MeasuredRun {
  return buildMeasuredRun(recordRequests(plan, requests, untilMs));
}

/** Returns the facts of {@link collectFacts} with the conclusions that follow from them. */
export function buildRunResult(plan: Plan, requests: readonly SimulatedRequest[]): RunResult {
  return buildResult(recordRequests(plan, requests));
}

function recordRequests(plan: Plan, requests: readonly SimulatedRequest[], untilMs = Number.POSITIVE_INFINITY): ResultInput {
  const spans = spansMs(plan);
  const ended = requests.filter(({ endMs }) => endMs <= untilMs);
  const lastMs = Math.min(untilMs, Math.max(spans.at(-1)?.toMs ?? 0, ...requests.map(({ endMs }) => endMs)));
  const windows = Array.from({ length: Math.ceil(lastMs / 1_000) }, (_unused, second) => emptyWindow(second, 1));
  const at = (ms: number): Window | undefined => windows[Math.min(windows.length - 1, Math.floor(ms / 1_000))];
  const firstOfStage = new Map<number, number>();
  for (const { stage, startMs, connectMs } of requests) {
    const window = at(startMs);
    if (window === undefined) continue;
    const cell = findOrAddCell(window, stage, 0);
    cell.started += 1;
    cell.journeysStarted += 1;
    window.journeys.started += 1;
    window.journeys.finished += 1;
    if (connectMs === null) cell.requestsOnReusedConnection += 1;
    else {
      cell.connectionsOpened += 1;
      time(cell, 'connect', connectMs);
    }
  }
  const early = requests.filter(({ stage }) => {
    const place = firstOfStage.get(stage) ?? 0;
    firstOfStage.set(stage, place + 1);
    return place < EARLY_RESPONSES;
  });
  const isEarly = new Set(early);
  for (const request of ended) {
    const { stage, startMs, endMs, status, extraBytes } = request;
    const window = at(endMs);
    if (window === undefined) continue;
    const cell = findOrAddCell(window, stage, 0);
    const tookMs = endMs - startMs;
    const isOk = status >= 200 && status < 300;
    const outcome = isOk ? 'ok' : 'httpError';
    cell.outcomes[outcome] = (cell.outcomes[outcome] ?? 0) + 1;
    cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + 1);
    cell.bytesReceived += BODY_BYTES + 400 + extraBytes;
    cell.bodyBytes += BODY_BYTES + extraBytes;
    if (extraBytes !== 0) {
      cell.bodyLengthDiffers += 1;
      cell.bodyLengthDeviation += extraBytes;
    }
    time(cell, isOk ? 'serviceOk' : 'serviceFailed', tookMs);
    if (status >= 500) time(cell, 'service5xx', tookMs);
    else if (status >= 400) time(cell, 'service4xx', tookMs);
    if (isEarly.has(request)) cell.early.push({ startUs: Math.round(startMs * 1_000), responseUs: Math.round(tookMs * 1_000), ok: isOk });
    const loaded = spans.findIndex(({ fromMs, toMs }) => endMs >= fromMs && endMs < toMs);
    if (loaded < 0) continue;
    let count = window.loaded.find((one) => one.stage === loaded);
    if (count === undefined) window.loaded.push((count = emptyLoadedCount(loaded, 0)));
    count.responded += 1;
    count.ok += isOk ? 1 : 0;
    count.bytesReceived += BODY_BYTES;
  }
  let inFlight = 0;
  for (const window of windows) {
    for (const cell of window.cells) inFlight += cell.started - (cell.outcomes.ok ?? 0) - (cell.outcomes.httpError ?? 0);
    window.inFlight = inFlight;
  }
  return {
    head: runHead,
    plan,
    windows,
    end: {
      firstBodyLengths: [BODY_BYTES],
      serverSoftware: 'nginx',
      addresses: {},
      stages: spans.map(({ fromMs, toMs }) => ({ startedAtSecond: fromMs / 1_000, endedAtSecond: toMs / 1_000 })),
      endedAtSecond: lastMs / 1_000,
    },
    generators: [],
    events: [],
  };
}

function time(cell: Cell, kind: TimeKind, ms: number): void {
  record((cell.times[kind] ??= createHistogram()), ms * 1_000);
}
