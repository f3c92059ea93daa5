import { emptyRequestOutcomes, type RequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { loadSchema } from '#core/plan/schema/load.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { RESULT_SCHEMA, type Point, type RunResult } from '../schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';

const LATENCY: LatencySummary = {
  count: 60_000,
  min: 18,
  mean: 59.1,
  stddev: 206,
  p50: 49,
  p66: 51,
  p75: 53,
  p80: 55,
  p90: 63,
  p95: 74,
  p98: 96,
  p99: 131,
  p99_9: 5_080,
  max: 5_110,
};

const REQUESTS: RequestOutcomes = { ...emptyRequestOutcomes(), sent: 60_012, ok: 60_000, httpError: 8, refused: 3, reset: 1 };

const NONE_LEFT_OUT = {
  planned: null,
  started: REQUESTS.sent,
  notStartedTarget: 0,
  notStartedGenerator: 0,
  plannedPerSecond: null,
  startedPerSecond: null,
  offeredShare: null,
};

const FIGURES = {
  requests: REQUESTS,
  latency: {
    service: LATENCY,
    response: LATENCY,
    errorAdjusted: { ...LATENCY, mean: 'never' as const, stddev: null, max: 'never' as const },
  },
  phases: {
    connect: { ...LATENCY, count: 50, min: 0.4, mean: 0.9, stddev: 0.3, p50: 0.8, max: 3.1 },
    tls: null,
    firstByte: null,
    transfer: null,
    scheduleLag: null,
  },
  latencyByStatusClass: { '2xx': LATENCY, '5xx': { ...LATENCY, count: 8 } },
  rates: { startedPerSecond: 200, completedPerSecond: 200, bytesPerSecond: 1_460_000 },
  status: { '200': 60_000, '503': 8 },
  errors: { 'ECONNREFUSED@connect': 3, 'ECONNRESET@firstByte': 1 },
  bytes: { received: 438_000_000, sent: 9_000_000, body: 410_640_000 },
  bodyLength: { first: 6_844, differs: 6_003, deviationBytes: -6_003, empty: 0 },
  connectionsOpened: 50,
  requestsOnReusedConnection: 59_962,
  sessionsResumed: 0,
  requestsResent: 0,
  responsesUnchecked: 0,
};

/** Returns a second of the sample: a ramp for 30 s, then 200 per second, slower from 2:40 on, with three seconds missing. */
function sampleSecond(second: number): Point {
  const rate = second < 30 ? Math.round((200 * (second + 1)) / 30) : 200 + Math.round(8 * Math.sin(second));
  const slow = second > 160 ? 1 + (second - 160) / 40 : 1;
  const failed = second > 160 && second % 9 === 0 ? 4 : 0;
  return {
    second,
    width: 1,
    started: rate + 2,
    completed: rate,
    ok: rate - failed,
    failed,
    inFlight: Math.round(10 * slow),
    bytesReceived: rate * 7_300,
    p50: 49 * slow,
    p90: 63 * slow,
    p99: 131 * slow + (second % 17) * 4,
    max: 180 * slow + (second % 23) * 30,
    status: failed > 0 ? { '200': rate - failed, '503': failed } : { '200': rate },
    errors: second > 250 && second % 11 === 0 ? { 'ECONNREFUSED@connect': 3 } : {},
    service: null,
    notStarted: { target: 0, generator: 0 },
    waiting: 0,
    overloadedBy: second >= 70 && second < 74 ? ['threadCpu'] : [],
  };
}

const PLAN = planSchema.parse({
  holdfast: 1,
  name: 'Will our contest site hold?',
  story: '750 participants read tasks and hand in solutions.',
  preset: 'cms-contest',
  targets: [{ url: 'http://127.0.0.1:8888/' }],
  journey: [{ name: 'description', path: 'tasks/a/description' }],
  load: {
    model: 'connections',
    stages: [
      { name: 'warm-up', connections: 10, seconds: 30, counted: false },
      { name: 'full load', connections: 50, seconds: 300 },
    ],
  },
  criteria: [
    { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
    { kind: 'throughput', minPerSecond: 200 },
  ],
  safety: { stopAtErrorShare: 0.5 },
  exercises: ['reading a task'],
  omits: ['handing in a solution', 'the ranking'],
});

const GENERATOR: RunResult['generators'][number] = {
  name: 'this computer',
  hostname: 'desk',
  platform: 'linux x64',
  cores: 2,
  memoryBytes: 8_000_000_000,
  nodeVersion: '24.21.0',
  threads: 1,
  engine: 'autocannon',
  engineVersion: '9.0.0',
  sharesMachineWithTarget: true,
  outgoingPorts: null,
  keptAwake: null,
  selfTest: null,
  lost: null,
  figures: null,
  overloadedSeconds: 4,
  readings: [],
};

const CRITERIA: RunResult['criteria'] = [
  {
    criterion: { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
    text: '95 % of responses to “description” within 1 s',
    stage: 'full load',
    step: 'description',
    outcome: 'passed',
    reason: '71 of 60,012 took longer than 1 s or failed.',
    unknownBecause: null,
    measured: 74,
    limit: 1_000,
    unit: 'ms',
    counted: 60_012,
    over: 71,
    shareLow: 0.000_96,
    shareHigh: 0.001_46,
    fromSecond: null,
  },
  {
    criterion: { kind: 'throughput', minPerSecond: 200 },
    text: 'at least 200 successful responses a second',
    stage: 'full load',
    step: null,
    outcome: 'passed',
    reason: '200 answers a second came.',
    unknownBecause: null,
    measured: 201,
    limit: 200,
    unit: 'perSecond',
    counted: null,
    over: null,
    shareLow: null,
    shareHigh: null,
    fromSecond: null,
  },
];

const SLOW_TAIL: RunResult['findings'][number] = {
  id: 'slowTail',
  level: 'warning',
  sentence: 'About 0.167 % of responses took far longer than all others: up to 5.11 s, while 99 % arrived within 131 ms.',
  evidence: ['median 49 ms, standard deviation 206 ms, max 5.11 s'],
  remedy: 'Look for something that waits and tries again: a lost packet on a full queue, a lock, a pool without a free connection.',
  confidence: 'likely',
  range: { fromSecond: 200, toSecond: 260 },
};

const STEP = { name: 'description', ...FIGURES };

const STAGES: RunResult['stages'] = [
  {
    name: 'warm-up',
    counted: false,
    level: levelOf({ connections: 10, counted: false }),
    journeys: NONE_LEFT_OUT,
    startUp: null,
    startedAtSecond: 0,
    endedAtSecond: 30,
    ...FIGURES,
    steps: [STEP],
  },
  {
    name: 'full load',
    counted: true,
    level: levelOf({ connections: 50, counted: true }),
    journeys: NONE_LEFT_OUT,
    startUp: null,
    startedAtSecond: 30,
    endedAtSecond: 330,
    ...FIGURES,
    steps: [STEP],
  },
];

const VERDICT: RunResult['verdict'] = {
  outcome: 'passed',
  headline: 'Passed at 50 connections',
  sentence: 'Passed at 50 connections: 201 successful responses a second.',
  parts: { load: ' at 50 connections', cause: '201 successful responses a second.', more: '' },
  reasons: [
    { code: 'held', text: '95 % of responses to “description” arrived within 74 ms; 1 s was allowed.' },
    { code: 'held', text: '201 successful responses a second; the target was 200.' },
  ],
  exercised: PLAN.exercises,
  notExercised: PLAN.omits,
  next: [{ kind: 'goUp', label: 'Find the breaking point', explanation: 'The same test with 100 connections.', plan: PLAN }],
};

/** Returns the result of a contest site that passes with 750 participants, with most of the optional parts. */
export function sampleResult(changes: Partial<RunResult> = {}): RunResult {
  return {
    schema: RESULT_SCHEMA,
    run: {
      id: '20260312-140507-abcd',
      name: 'Will our contest site hold?',
      note: '',
      preset: 'cms-contest',
      startedAt: '2026-03-12T14:05:07.000Z',
      endedAt: '2026-03-12T14:10:38.000Z',
      state: 'finished',
      endedBecause: null,
      holdfastVersion: '0.1.0',
    },
    plan: PLAN,
    durationSeconds: 330.4,
    outcomes: {
      journeys: {
        planned: null,
        started: 60_012,
        notStarted: { target: 0, generator: 0, stopped: 0 },
        finished: 60_000,
        abandoned: 12,
        running: 0,
      },
      requests: REQUESTS,
    },
    balances: true,
    latency: FIGURES.latency,
    phases: FIGURES.phases,
    latencyByStatusClass: FIGURES.latencyByStatusClass,
    rates: FIGURES.rates,
    status: FIGURES.status,
    errors: FIGURES.errors,
    requestsByStep: {},
    bytes: FIGURES.bytes,
    bodyLength: FIGURES.bodyLength,
    connectionsOpened: 50,
    requestsOnReusedConnection: 59_962,
    sessionsResumed: 0,
    requestsResent: 0,
    responsesUnchecked: 0,
    server: { addresses: {}, software: 'nginx/1.22.1', host: '127.0.0.1', port: 8_888 },
    steps: [STEP],
    behaviour: null,
    servers: [],
    noServer: null,
    waits: [],
    pages: null,
    streams: null,
    visits: null,
    stages: STAGES,
    windows: Array.from({ length: 330 }, (_, second) => sampleSecond(second)).filter(({ second }) => second < 100 || second >= 103),
    generators: [GENERATOR],
    criteria: CRITERIA,
    verdict: VERDICT,
    findings: [SLOW_TAIL],
    monitors: [],
    events: [],
    ...changes,
  };
}

/**
 * Returns the result of the same site under arrivals: a ramp, and a peak at which outstanding responses kept some arrivals from starting.
 */
export function arrivalsResult(changes: Partial<RunResult> = {}): RunResult {
  const sample = sampleResult();
  const load = loadSchema.parse({
    model: 'arrivals',
    maxInFlight: 500,
    stages: [
      { name: 'warm-up', kind: 'ramp', fromPerSecond: 0, toPerSecond: 200, seconds: 30, counted: false },
      { name: 'full load', kind: 'constant', perSecond: 208, seconds: 300 },
    ],
  });
  const response = {
    ...LATENCY,
    mean: 95.2,
    p50: 61,
    p66: 72,
    p75: 96,
    p80: 130,
    p90: 240,
    p95: 610,
    p98: 1_400,
    p99: 2_300,
    p99_9: 5_900,
    max: 6_020,
  };
  const latency = {
    service: LATENCY,
    response,
    errorAdjusted: { ...response, mean: 'never' as const, stddev: null, max: 'never' as const },
  };
  const phases = {
    connect: { ...LATENCY, count: 50, min: 0.4, mean: 0.9, stddev: 0.3, p50: 0.8, p95: 2.4, p99: 3, max: 3.1 },
    tls: null,
    firstByte: { ...LATENCY, p50: 44, p95: 68, p99: 120, max: 5_060 },
    transfer: { ...LATENCY, p50: 4, p95: 6, p99: 11, max: 50 },
    scheduleLag: { ...LATENCY, p50: 0.1, p95: 0.6, p99: 1.4, max: 12 },
  };
  const [planned, notStartedTarget, notStartedGenerator] = [62_512, 2_480, 20];
  const all = { ...NONE_LEFT_OUT, planned: 60_012, plannedPerSecond: 100, startedPerSecond: 100, offeredShare: 1 };
  const some = { ...all, planned, notStartedTarget, notStartedGenerator, plannedPerSecond: 208, offeredShare: 60_012 / planned };
  const journeys = [all, some];
  const stages = sample.stages.map((stage, index) => {
    const due = load.stages[index];
    return {
      ...stage,
      latency,
      phases,
      level: due ? levelOf(due) : stage.level,
      journeys: journeys[index] ?? stage.journeys,
      steps: stage.steps.map((step) => ({ ...step, latency, phases })),
    };
  });
  const windows = sample.windows.map((point) =>
    point.second > 200
      ? {
          ...point,
          p99: (point.p99 ?? 0) * 3,
          service: { p50: 50, p99: 131 },
          notStarted: { target: 19, generator: point.second % 50 === 0 ? 10 : 0 },
        }
      : { ...point, service: { p50: 49, p99: 128 } },
  );
  return {
    ...sample,
    plan: { ...sample.plan, load },
    latency,
    phases,
    stages,
    windows,
    outcomes: {
      ...sample.outcomes,
      journeys: {
        ...sample.outcomes.journeys,
        planned: planned + 60_012,
        started: planned + 60_012 - notStartedTarget - notStartedGenerator,
        notStarted: { target: notStartedTarget, generator: notStartedGenerator, stopped: 0 },
      },
    },
    ...changes,
  };
}
