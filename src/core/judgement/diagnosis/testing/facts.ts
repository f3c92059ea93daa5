import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { POSTGRES_CATALOGUE } from '#core/machines/monitors/services/databases.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { type Point, RESULT_SCHEMA } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { unknownReading } from '#core/result/readings.ts';
import { samplePoint } from '#core/testing/points.ts';
import type { MeasuredRun } from '../rule.ts';

type StepFacts = MeasuredRun['steps'][number];

/** Times of an idle server: most responses take about 20 ms, and the slowest takes 40 ms. */
export const CALM: LatencySummary = {
  count: 6_000,
  min: 15,
  mean: 20.2,
  stddev: 2.1,
  p50: 20,
  p66: 20.5,
  p75: 21,
  p80: 21.5,
  p90: 23,
  p95: 24,
  p98: 27,
  p99: 29,
  p99_9: 36,
  max: 40,
};

const LATENCY = { service: CALM, response: CALM, errorAdjusted: CALM };

/** Behaviour in which the first responses of “page” took 6 s, and the others 120 ms. */
export const SLOW_AT_FIRST: NonNullable<MeasuredRun['behaviour']> = {
  firstResponses: [
    {
      step: 'page',
      first: Array<number>(10).fill(6_000),
      firstMedian: 6_000,
      restMedian: 120,
      restP90: 200,
      slower: 10,
      isSlowAtFirst: true,
      reason: null,
    },
  ],
  queues: [],
  bursts: null,
  recoveries: [],
  capacity: null,
  groups: null,
};

/** Returns a step with 6,000 successful responses of 6,844 bytes on persistent connections. */
export function healthyStep(changes: Partial<StepFacts> = {}): StepFacts {
  return {
    name: 'description',
    requests: { ...emptyRequestOutcomes(), sent: 6_000, ok: 6_000 },
    latency: LATENCY,
    phases: { connect: { ...CALM, count: 60 }, tls: null, firstByte: CALM, transfer: CALM, scheduleLag: null },
    latencyByStatusClass: { '2xx': CALM },
    rates: { startedPerSecond: 100, completedPerSecond: 100, bytesPerSecond: 730_000 },
    status: { '200': 6_000 },
    errors: {},
    bytes: { received: 43_800_000, sent: 900_000, body: 41_064_000 },
    bodyLength: { first: 6_844, differs: 0, deviationBytes: 0, empty: 0 },
    connectionsOpened: 60,
    requestsOnReusedConnection: 5_940,
    sessionsResumed: 0,
    requestsResent: 0,
    responsesUnchecked: 0,
    ...changes,
  };
}

export const point = (second: number, changes: Partial<Point> = {}): Point => samplePoint(second, { inFlight: 2, ...changes });

/** Returns a load generator with the given watched readings, one per second. */
export function generatorThatReads(watched: readonly Readonly<Record<string, number>>[]): MeasuredRun['generators'][number] {
  return {
    name: 'this computer',
    hostname: 'here',
    platform: 'linux',
    cores: 2,
    memoryBytes: 1,
    nodeVersion: '24',
    threads: 1,
    engine: 'native',
    engineVersion: '1',
    sharesMachineWithTarget: true,
    outgoingPorts: null,
    keptAwake: null,
    selfTest: null,
    lost: null,
    figures: null,
    overloadedSeconds: 0,
    readings: watched.map((values, second) => ({ ...unknownReading(second), watched: { ...values } })),
  };
}

const POSTGRES_QUANTITIES = ['connections', 'active', 'idle', 'idleInTransaction', 'locked', 'longest', 'newConnections'] as const;

/** Returns a PostgreSQL monitor with the given readings. `limit` is max_connections, if known. */
export function postgresThatReads(
  seconds: number,
  read: Readonly<Partial<Record<(typeof POSTGRES_QUANTITIES)[number], (second: number) => number>>>,
  limit: number | null = null,
): MonitorResult {
  const all = Array.from({ length: seconds }, (_unused, second) => second);
  return {
    number: 1,
    name: 'PostgreSQL',
    kind: 'postgres',
    role: 'target',
    host: null,
    state: 'ended',
    problem: null,
    errorMs: 1,
    quantities: [...POSTGRES_CATALOGUE.quantities],
    limits: limit === null ? [] : [{ chart: 'Connections', value: limit, words: 'max_connections' }],
    second: all,
    width: all.map(() => 1),
    values: Object.fromEntries(
      POSTGRES_QUANTITIES.flatMap((name) => {
        const valueAt = read[name];
        return valueAt === undefined ? [] : [[`postgres.${name}`, all.map(valueAt)]];
      }),
    ),
  };
}

const HEAD: MeasuredRun['run'] = {
  id: 'run',
  name: 'Contest',
  note: '',
  preset: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  state: 'finished',
  endedBecause: null,
  holdfastVersion: '0.1.0',
};

/** Returns a minute with 100 successful responses per second, with the given step and changes. */
export function facts(step: StepFacts = healthyStep(), changes: Partial<MeasuredRun> = {}): MeasuredRun {
  const { name: _name, ...figures } = step;
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'Contest',
    targets: [{ url: 'http://127.0.0.1:8888/' }],
    journey: [{ name: step.name }],
    load: { model: 'connections', stages: [{ connections: 60, seconds: 60 }] },
  });
  return {
    schema: RESULT_SCHEMA,
    run: HEAD,
    plan,
    durationSeconds: 60,
    outcomes: {
      journeys: {
        planned: null,
        started: 6_000,
        notStarted: { target: 0, generator: 0, stopped: 0 },
        finished: 6_000,
        abandoned: 0,
        running: 0,
      },
      requests: step.requests,
    },
    balances: true,
    latency: figures.latency,
    phases: figures.phases,
    latencyByStatusClass: figures.latencyByStatusClass,
    rates: figures.rates,
    status: figures.status,
    errors: figures.errors,
    requestsByStep: { [step.name]: step.requests },
    bytes: figures.bytes,
    bodyLength: figures.bodyLength,
    connectionsOpened: figures.connectionsOpened,
    requestsOnReusedConnection: figures.requestsOnReusedConnection,
    sessionsResumed: figures.sessionsResumed,
    requestsResent: figures.requestsResent,
    responsesUnchecked: figures.responsesUnchecked,
    server: { addresses: {}, software: 'nginx', host: '127.0.0.1', port: 8888 },
    steps: [step],
    behaviour: null,
    servers: [],
    noServer: null,
    waits: [],
    pages: null,
    streams: null,
    visits: null,
    stages: [
      {
        name: 'stage 1',
        counted: true,
        level: { unit: 'connections', from: 60, to: 60, highest: 60 },
        journeys: {
          planned: null,
          started: 6_000,
          notStartedTarget: 0,
          notStartedGenerator: 0,
          plannedPerSecond: null,
          startedPerSecond: null,
          offeredShare: null,
        },
        startUp: null,
        startedAtSecond: 0,
        endedAtSecond: 60,
        ...figures,
        steps: [step],
      },
    ],
    windows: Array.from({ length: 60 }, (_unused, second) => point(second)),
    generators: [],
    monitors: [],
    events: [],
    ...changes,
  };
}
