import { z } from 'zod';
import { duetResultSchema } from './duet.ts';
import { outcomesSchema } from '#core/measurement/requestOutcomes.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import { selfTestSummarySchema } from '#core/measurement/selfTest/report.ts';
import { STATUS_CLASSES } from '#core/measurement/cellFigures.ts';
import { OVERLOAD_CAUSES } from '#core/measurement/window.ts';
import { behaviourSchema } from './behaviour.ts';
import { cacheResultSchema } from '#core/measurement/cache/figures.ts';
import { overloadSchema } from './overload.ts';
import { noServerSchema, serverResultSchema } from './servers.ts';
import { pagesResultSchema } from './pages.ts';
import { streamPointSchema, streamsResultSchema } from './streams.ts';
import { latencySummarySchema } from '#core/statistics/latency.ts';
import { monitorResultSchema } from '#core/machines/monitors/result.ts';
import { visitsResultSchema } from './visits.ts';
import { bellResultSchema } from './bells.ts';
import { placesResultSchema } from './places.ts';
import { peopleResultSchema } from './people.ts';
import { tracesSchema } from './traces.ts';
import { waitResultSchema } from './waits.ts';
import { criterionResultSchema, verdictSchema } from './verdict.ts';

/** Schema version of the JSON result. It changes when an old reader would misread the output. */
export const RESULT_SCHEMA = 'holdfast.result/1';

export const RUN_STATES = ['preparing', 'running', 'draining', 'finished', 'stopped', 'failed', 'interrupted'] as const;
export const runStateSchema = z.enum(RUN_STATES);
export type RunState = (typeof RUN_STATES)[number];

/** Returns whether a run still continues. */
export function isRunning(state: RunState): boolean {
  return state === 'preparing' || state === 'running' || state === 'draining';
}

/** `service` and `response` cover all complete responses; `errorAdjusted` counts every failed request as "never". */
export const latencySchema = z.strictObject({
  service: latencySummarySchema,
  response: latencySummarySchema,
  errorAdjusted: latencySummarySchema,
});

export const phasesSchema = z.strictObject({
  connect: latencySummarySchema.nullable(),
  tls: latencySummarySchema.nullable(),
  firstByte: latencySummarySchema.nullable(),
  /** Time from the first byte of a response to its last. */
  transfer: latencySummarySchema.nullable().default(null),
  /** Delay of requests after their scheduled start; null if requests have no scheduled start. */
  scheduleLag: latencySummarySchema.nullable().default(null),
  /** Time to look up the addresses of the host name; omitted in older results. */
  lookup: latencySummarySchema.nullable().optional(),
});

export const ratesSchema = z.strictObject({
  startedPerSecond: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
});

const countsByName = z.record(z.string(), z.int().min(0));

/** Figures of a stage, of a step, or of a step within a stage. */
const stepFiguresShape = {
  requests: outcomesSchema.shape.requests,
  latency: latencySchema,
  phases: phasesSchema,
  rates: ratesSchema,
  status: countsByName,
  /** Service times by status class. */
  latencyByStatusClass: z.partialRecord(z.enum(STATUS_CLASSES), latencySummarySchema).default({}),
  errors: countsByName,
  bytes: z.strictObject({ received: z.number(), sent: z.number(), body: z.number() }),
  bodyLength: z.strictObject({ first: z.int().nullable(), differs: z.int(), deviationBytes: z.int(), empty: z.int() }),
  connectionsOpened: z.int(),
  requestsOnReusedConnection: z.int(),
  /** Number of connections whose TLS handshake resumed an earlier session; 0 in older results. */
  sessionsResumed: z.int().default(0),
  /**
   * Number of requests that were sent again because the server had not begun them (HTTP/2) or had closed their reused connection; 0 in
   * older results.
   */
  requestsResent: z.int().default(0),
  /** Number of responses with a check that could not be made because the body was too large to keep; 0 in older results. */
  responsesUnchecked: z.int().default(0),
  /** Age of logins when the server first refused the step after it had succeeded with them; omitted if that never happened. */
  sessionAge: latencySummarySchema.optional(),
};

/** Successful responses of a step within its time budget, out of all requests that were due. */
const budgetSchema = z.strictObject({ maxMs: z.number(), within: z.int(), of: z.int(), share: z.number().nullable() });

export const stepResultSchema = z.strictObject({ name: z.string(), ...stepFiguresShape, budget: budgetSchema.optional() });
export const stageResultSchema = z.strictObject({
  name: z.string(),
  counted: z.boolean(),
  /** Load of the stage on the target. */
  level: z.strictObject({ unit: z.enum(LEVEL_UNITS), from: z.number(), to: z.number(), highest: z.number() }),
  /**
   * Journeys that were due, that started, and that did not start, by cause. Rates are over the stage's planned duration; `offeredShare` is
   * started / planned. Both are null if no arrivals are planned.
   */
  journeys: z.strictObject({
    planned: z.int().nullable(),
    started: z.int().default(0),
    notStartedTarget: z.int(),
    notStartedGenerator: z.int(),
    plannedPerSecond: z.number().nullable().default(null),
    startedPerSecond: z.number().nullable().default(null),
    offeredShare: z.number().nullable().default(null),
  }),
  /**
   * Requests that were sent while the stage was still starting users. They count in the outcomes of the run but in no figures. null if
   * there were none.
   */
  startUp: z.strictObject({ requests: outcomesSchema.shape.requests, status: countsByName, errors: countsByName }).nullable().default(null),
  startedAtSecond: z.number().nullable(),
  endedAtSecond: z.number().nullable(),
  ...stepFiguresShape,
  steps: z.array(stepResultSchema),
});

/**
 * One point of the time axis. Response times are in ms, and null if there are no responses. `completed`: complete responses, successful or
 * not; `failed`: ended requests with an outcome other than ok, with or without a response.
 */
export const pointSchema = z.strictObject({
  second: z.number(),
  width: z.number(),
  started: z.int(),
  completed: z.int(),
  ok: z.int(),
  failed: z.int(),
  inFlight: z.int(),
  bytesReceived: z.number(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  /** Omitted in older results. */
  p95: z.number().nullable().optional(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
  /** Service times, if the load model distinguishes them from response times. */
  service: z.strictObject({ p50: z.number(), p99: z.number() }).nullable().default(null),
  /** Numbers of journeys that were due and did not start, by cause. */
  notStarted: z.strictObject({ target: z.int(), generator: z.int() }).default({ target: 0, generator: 0 }),
  /** Number of pending results at the end of the point; see `waits` of the result. */
  waiting: z.int().default(0),
  /** Number of completed responses by origin, cache or server; omitted if unknown or not counted. */
  cache: z.strictObject({ fromCache: z.int(), fromServer: z.int() }).optional(),
  /** Numbers of full and resumed TLS handshakes; omitted if there were none. */
  handshakes: z.strictObject({ full: z.int(), resumed: z.int() }).optional(),
  /** Figures of streams; omitted if there were none. */
  streams: streamPointSchema.optional(),
  status: countsByName,
  errors: countsByName,
  overloadedBy: z.array(z.enum(OVERLOAD_CAUSES)),
});
export type Point = z.infer<typeof pointSchema>;

/** Condition of a load generator in one second. null: unknown on this machine. */
export const generatorReadingSchema = z.strictObject({
  second: z.number(),
  /** Share of one core used by the busiest worker thread, 0 to 1. */
  threadCpu: z.number().nullable(),
  /** Largest share of the second in which a thread was ready to run but had no core, 0 to 1. */
  threadWait: z.number().nullable().default(null),
  /** Share of all cores in use, 0 to 1. `steal`: share that the hypervisor took. */
  machineCpu: z.number().nullable(),
  steal: z.number().nullable(),
  /** p99 of the event-loop delay of the worst thread, minus the sampler's resolution. */
  eventLoopDelayMs: z.number().nullable(),
  scheduleLagMs: z.number().nullable(),
  garbageCollectionMs: z.number().nullable(),
  /**
   * Time in ms for which the machine stood still: no thread ran in this second, plus any suspension that ended in this second. The clock of
   * the run may not include a suspension.
   */
  stoodStillMs: z.number().nullable().default(null),
  memoryBytes: z.number().nullable(),
  openFiles: z.number().nullable(),
  timeWaitSockets: z.number().nullable(),
  /** Number of the machine's TCP sockets by state; null if unknown or too many to list. */
  sockets: z.record(z.string(), z.int()).nullable().default(null),
  /** Watched numbers by name. Numbers that were not read in this second are missing. */
  watched: z.record(z.string(), z.number()).default({}),
  overloadedBy: z.array(z.enum(OVERLOAD_CAUSES)),
});
export type GeneratorReading = z.infer<typeof generatorReadingSchema>;

/** The time at which a load generator was lost, and the reason. */
export const lossSchema = z.strictObject({ second: z.number(), text: z.string() });

/** A point of one of several load generators, with the figures that are compared. */
export const generatorPointSchema = pointSchema.pick({
  second: true,
  width: true,
  completed: true,
  bytesReceived: true,
  p50: true,
  p90: true,
});
export type GeneratorPoint = z.infer<typeof generatorPointSchema>;

export const generatorSchema = z.strictObject({
  name: z.string(),
  hostname: z.string(),
  platform: z.string(),
  cores: z.int(),
  memoryBytes: z.number(),
  nodeVersion: z.string(),
  threads: z.int(),
  engine: z.string(),
  engineVersion: z.string(),
  /** Whether a target runs on the same machine and shares its cores. */
  sharesMachineWithTarget: z.boolean(),
  /** Number of local ports that the machine has for connections to one address and port; null if unknown. */
  outgoingPorts: z.int().nullable().default(null),
  /** True if the machine was kept from sleeping; null if unknown. */
  keptAwake: z.literal(true).nullable().default(null),
  /** The last self-test of the machine before the run; null if there was none, and in old runs. */
  selfTest: selfTestSummarySchema.nullable().default(null),
  /** The loss of the load generator; null if it was not lost. */
  lost: lossSchema.nullable().default(null),
  /** The load generator's part of the run's figures, for the same stages; null for a single load generator. */
  figures: z
    .strictObject({
      sent: z.int(),
      ok: z.int(),
      /** Number of journeys that the load generator could not start. */
      notStartedGenerator: z.int().default(0),
      rates: ratesSchema,
      service: latencySummarySchema,
      response: latencySummarySchema,
      /** Phases of the response times; null in older results. */
      phases: phasesSchema.nullable().default(null),
      points: z.array(generatorPointSchema).default([]),
    })
    .nullable()
    .default(null),
  overloadedSeconds: z.int(),
  readings: z.array(generatorReadingSchema),
});

/** A span of a run in seconds. */
const rangeShape = { fromSecond: z.number(), toSecond: z.number() };

export const findingSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['info', 'warning', 'problem']),
  sentence: z.string(),
  /** Formulas and facts, in sentences. */
  evidence: z.array(z.string()),
  /** The numbers behind the finding, by name. */
  figures: z.array(z.strictObject({ what: z.string(), value: z.string() })).optional(),
  remedy: z.string(),
  /**
   * Causes of an overload, the most frequent first. A second may have several causes. `generators`: the affected ones, if there are
   * several. Omitted from other findings and older results.
   */
  causes: z
    .array(z.strictObject({ cause: z.enum(OVERLOAD_CAUSES), seconds: z.int(), generators: z.array(z.string()).optional() }))
    .optional(),
  confidence: z.enum(['certain', 'likely', 'possible']),
  /** Time of the finding. `spans`: its separate spans in order of time; omitted if they cover the whole range. */
  range: z.strictObject({ ...rangeShape, spans: z.array(z.strictObject(rangeShape)).optional() }).nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

export const runEventSchema = z.strictObject({ second: z.number(), kind: z.string(), text: z.string(), data: z.unknown().optional() });
export type RunEvent = z.infer<typeof runEventSchema>;

/** Causes of an early end of a run. `closed`: the run's Holdfast process was closed; `ownerGone`: the process disappeared. */
export const ENDINGS = ['user', 'closed', 'safety', 'failure', 'ownerGone'] as const;

const endingSchema = z.strictObject({ code: z.enum(ENDINGS), text: z.string() });
/** The reason why a run ended early: a code for programs, and a text for people. */
export type Ending = z.infer<typeof endingSchema>;

export const runHeadSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  note: z.string(),
  preset: z.string().nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  state: runStateSchema,
  endedBecause: endingSchema.nullable(),
  holdfastVersion: z.string(),
  /** The series to which the run's cell belongs; omitted for a separate run. */
  series: z.strictObject({ id: z.string(), name: z.string(), cell: z.string(), repeat: z.int() }).optional(),
});
export type RunHead = z.infer<typeof runHeadSchema>;

/** Returns the reason why a run is incomplete; null for a complete run. */
export function explainCut({ endedBecause, state }: Pick<RunHead, 'endedBecause' | 'state'>): string | null {
  return endedBecause?.text ?? (state === 'finished' ? null : 'It did not run to its end.');
}

/** The server's words in responses of one kind of failure. `failure` is a name of core/base/errorNames.ts. */
const serverMessagesSchema = z.strictObject({ request: z.string(), failure: z.string(), words: z.string() });

const wholeResultSchema = z.strictObject({
  schema: z.literal(RESULT_SCHEMA),
  run: runHeadSchema,
  plan: planSchema,
  durationSeconds: z.number().nullable(),
  outcomes: outcomesSchema,
  balances: z.boolean(),
  latency: latencySchema,
  phases: phasesSchema,
  rates: ratesSchema,
  status: countsByName,
  errors: countsByName,
  /**
   * Outcomes of the whole run by step, including warm-up, start-up and drain, for comparison with a server's own count. Empty in older
   * results.
   */
  requestsByStep: z.record(z.string(), outcomesSchema.shape.requests).default({}),
  latencyByStatusClass: stepFiguresShape.latencyByStatusClass,
  bytes: stepFiguresShape.bytes,
  bodyLength: stepFiguresShape.bodyLength,
  connectionsOpened: z.int(),
  requestsOnReusedConnection: z.int(),
  sessionsResumed: stepFiguresShape.sessionsResumed,
  requestsResent: stepFiguresShape.requestsResent,
  responsesUnchecked: stepFiguresShape.responsesUnchecked,
  sessionAge: stepFiguresShape.sessionAge,
  server: z.strictObject({
    software: z.string().nullable(),
    host: z.string(),
    port: z.int(),
    /** Number of requests sent to each address or Unix socket path. In older results, number of connections. */
    addresses: z.record(z.string(), z.int().min(0)).default({}),
    /** Number of connection attempts that had no response for 250 ms or more, by address. */
    silentAddresses: z.record(z.string(), z.int().min(0)).optional(),
  }),
  steps: z.array(stepResultSchema),
  /** Requests that count in no other figure. */
  sideCalls: z.array(z.strictObject({ name: z.string(), requests: outcomesSchema.shape.requests, errors: countsByName })).optional(),
  stages: z.array(stageResultSchema),
  /** The server's behaviour, inferred from times; null in older results. */
  behaviour: behaviourSchema.nullable().default(null),
  /** Results by server; empty for a single server. */
  servers: z.array(serverResultSchema).default([]),
  /** Responses for which a proxy had no server left; null if it always had one. */
  noServer: noServerSchema.nullable().default(null),
  /** Responses from caches; omitted if they were not counted, or if the engine cannot know them. */
  cache: cacheResultSchema.optional(),
  /** Polled results, by step. */
  waits: z.array(waitResultSchema).default([]),
  /** Abandoned journeys by the first step that failed; omitted in older results. */
  abandonedAt: z.array(z.strictObject({ step: z.string(), journeys: z.int() })).optional(),
  /** Comparison of two variants that took turns; omitted without a duet. */
  duet: duetResultSchema.optional(),
  /** Bells of the plan; omitted if there are none. */
  bells: z.array(bellResultSchema).optional(),
  /** Outcomes of people; omitted for a plan without people and bells, and in older results. */
  people: peopleResultSchema.optional(),
  /** Places that a step gave; omitted for a plan without places. */
  places: placesResultSchema.optional(),
  /** Whole pages; null if only single requests were sent. */
  pages: pagesResultSchema.nullable().default(null),
  /** Figures of streams; null if there were none. */
  streams: streamsResultSchema.nullable().default(null),
  /** Visits with a real browser; null if there are no visits. */
  visits: visitsResultSchema.nullable().default(null),
  windows: z.array(pointSchema),
  /** Overloaded time in total; omitted in older results. `findOverload` reads it. */
  overload: overloadSchema.optional(),
  generators: z.array(generatorSchema),
  /** Readings of machines and services during the load. */
  monitors: z.array(monitorResultSchema).default([]),
  criteria: z.array(criterionResultSchema),
  verdict: verdictSchema,
  findings: z.array(findingSchema),
  /** Reasons of failures in the server's words, from stored samples; omitted in older results. */
  serverMessages: z.array(serverMessagesSchema).optional(),
  /** Traced requests that failed or were slow; omitted if the plan sends no trace ids. */
  traces: tracesSchema.optional(),
  events: z.array(runEventSchema),
});
export interface RunResult extends z.output<typeof wholeResultSchema> {}
export interface RunResultInput extends z.input<typeof wholeResultSchema> {}
export const resultSchema: z.ZodType<RunResult, RunResultInput> = wholeResultSchema;
