import { z } from 'zod';
import { ledgerSchema, OUTCOMES } from '#core/measurement/ledger.ts';
import { objectiveSchema, planSchema } from '#core/plan/schema/plan.ts';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import { selfTestSummarySchema } from '#core/measurement/selfTest/report.ts';
import { STATUS_CLASSES } from '#core/measurement/cellFigures.ts';
import { SICK_CAUSES } from '#core/measurement/window.ts';
import { behaviourSchema } from './behaviour.ts';
import { cacheResultSchema } from '#core/measurement/cache/figures.ts';
import { overloadSchema } from './overload.ts';
import { noServerSchema, serverResultSchema } from './servers.ts';
import { pagesResultSchema } from './pages.ts';
import { streamPointSchema, streamsResultSchema } from './streams.ts';
import { latencySummarySchema, timeSchema } from '#core/statistics/latencySummary.ts';
import { monitorResultSchema } from '#core/machines/monitors/result.ts';
import { visitsResultSchema } from './visits.ts';
import { waitResultSchema } from './waits.ts';

/** Version of the JSON result. It changes when a reader of the old one would be misled. */
export const RESULT_SCHEMA = 'holdfast.result/1';

export const RUN_STATES = ['preparing', 'running', 'draining', 'finished', 'stopped', 'failed', 'interrupted'] as const;
export const runStateSchema = z.enum(RUN_STATES);
export type RunState = (typeof RUN_STATES)[number];

/** Whether a run is still going on. */
export function isRunning(state: RunState): boolean {
  return state === 'preparing' || state === 'running' || state === 'draining';
}

/** `service` and `response` are of all complete answers; `errorAdjusted` counts every failed or unanswered request as "never". */
export const latencySchema = z.strictObject({
  service: latencySummarySchema,
  response: latencySummarySchema,
  errorAdjusted: latencySummarySchema,
});

export const phasesSchema = z.strictObject({
  connect: latencySummarySchema.nullable(),
  tls: latencySummarySchema.nullable(),
  firstByte: latencySummarySchema.nullable(),
  /** From the first byte of an answer to its last. */
  transfer: latencySummarySchema.nullable().default(null),
  /** How much later than planned requests started; null where nothing plans their start. */
  scheduleLag: latencySummarySchema.nullable().default(null),
  /** Time to look up the addresses of the host name; left out in older results. */
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
  requests: ledgerSchema.shape.requests,
  latency: latencySchema,
  phases: phasesSchema,
  rates: ratesSchema,
  status: countsByName,
  /** Service times by class of status. */
  latencyByStatusClass: z.partialRecord(z.enum(STATUS_CLASSES), latencySummarySchema).default({}),
  errors: countsByName,
  bytes: z.strictObject({ received: z.number(), sent: z.number(), body: z.number() }),
  bodyLength: z.strictObject({ first: z.int().nullable(), differs: z.int(), deviationBytes: z.int(), empty: z.int() }),
  connectionsOpened: z.int(),
  requestsOnReusedConnection: z.int(),
  /** Connections whose TLS handshake took up the session of an earlier one; 0 in older results. */
  sessionsResumed: z.int().default(0),
  /** Requests that were sent again because the server had not begun them (HTTP/2) or had closed their reused connection; 0 in older results. */
  requestsResent: z.int().default(0),
  /** Responses with a check that could not be made because the body was too large to keep; 0 in older results. */
  responsesUnchecked: z.int().default(0),
};

/** How many answers of a step came within its time budget: good ones, of all that were asked for. */
const budgetSchema = z.strictObject({ limitMs: z.number(), within: z.int(), of: z.int(), share: z.number().nullable() });

export const stepResultSchema = z.strictObject({ name: z.string(), ...stepFiguresShape, budget: budgetSchema.optional() });
export const stageResultSchema = z.strictObject({
  name: z.string(),
  counted: z.boolean(),
  /** What the stage put on the target. */
  level: z.strictObject({ unit: z.enum(LEVEL_UNITS), from: z.number(), to: z.number(), highest: z.number() }),
  /**
   * Journeys that were due in it, as far as that is known, those that started, and those that did not, by cause. Rates are over the time that
   * the plan gives the stage; `offeredShare` is started by planned. Both are null where nothing plans arrivals.
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
  /** What was asked while not all users of the stage ran yet: it belongs to the ledger of the run and to no figures. null where there was none. */
  startUp: z.strictObject({ requests: ledgerSchema.shape.requests, status: countsByName, errors: countsByName }).nullable().default(null),
  startedAtSecond: z.number().nullable(),
  endedAtSecond: z.number().nullable(),
  ...stepFiguresShape,
  steps: z.array(stepResultSchema),
});

/**
 * One point of the time axis; times are response times in ms, null where nothing was answered. `completed` are complete answers,
 * good or not; `failed` are all requests that ended without being ok, answered or not.
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
  /** Left out of results that are older than it. */
  p95: z.number().nullable().optional(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
  /** Service times, where the load model tells them apart from response times. */
  service: z.strictObject({ p50: z.number(), p99: z.number() }).nullable().default(null),
  /** Journeys that were due and did not start, by whose fault. */
  notStarted: z.strictObject({ target: z.int(), generator: z.int() }).default({ target: 0, generator: 0 }),
  /** Results that are waited for at its end: see `waits` of the result. */
  waiting: z.int().default(0),
  /** Of the completed, those that came from a cache and those from the server behind it; left out where none says it, or nobody asks. */
  cache: z.strictObject({ fromCache: z.int(), fromServer: z.int() }).optional(),
  /** TLS handshakes by whether they took up the session of an earlier connection; left out where none was made. */
  handshakes: z.strictObject({ full: z.int(), resumed: z.int() }).optional(),
  /** Left out where no streams are held. */
  streams: streamPointSchema.optional(),
  status: countsByName,
  errors: countsByName,
  sick: z.array(z.enum(SICK_CAUSES)),
});
export type Point = z.infer<typeof pointSchema>;

/** How a generating machine was in one second. null: this machine cannot tell. */
export const generatorReadingSchema = z.strictObject({
  second: z.number(),
  /** Share of one core that the busiest worker thread used, 0 to 1. */
  threadCpu: z.number().nullable(),
  /** Share of the second in which the thread that was kept waiting longest was ready to run and had no core, 0 to 1. */
  threadWait: z.number().nullable().default(null),
  /** Share of all cores in use, and stolen by the hypervisor, 0 to 1. */
  machineCpu: z.number().nullable(),
  steal: z.number().nullable(),
  /** p99 of the event-loop delay of the worst thread, the sampler's own resolution subtracted. */
  eventLoopDelayMs: z.number().nullable(),
  scheduleLagMs: z.number().nullable(),
  garbageCollectionMs: z.number().nullable(),
  /**
   * How long the machine stood still: how much of the second its threads had no turn at all, and the time for which it was suspended before its end,
   * which the seconds of the run may not contain.
   */
  stoodStillMs: z.number().nullable().default(null),
  memoryBytes: z.number().nullable(),
  openFiles: z.number().nullable(),
  timeWaitSockets: z.number().nullable(),
  /** TCP sockets of the machine by state; null where it does not tell, or has too many to list. */
  sockets: z.record(z.string(), z.int()).nullable().default(null),
  /** What the plan watches, by name; what was not read in this second is missing. */
  watched: z.record(z.string(), z.number()).default({}),
  sick: z.array(z.enum(SICK_CAUSES)),
});
export type GeneratorReading = z.infer<typeof generatorReadingSchema>;

/** When a generator was lost, and why. */
export const lossSchema = z.strictObject({ second: z.number(), text: z.string() });

/** One point of the time axis of one of several places: what they are compared by. */
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
  /** True when a target runs on this machine too: they share its cores, which is always said. */
  sharesMachineWithTarget: z.boolean(),
  /** Ports that its system has for connections to one address and port; null when that is not known. */
  outgoingPorts: z.int().nullable().default(null),
  /** True when it was kept from going to sleep; null when that is not known. */
  keptAwake: z.literal(true).nullable().default(null),
  /** The last self-test of that machine before the run; null when there was none. Runs from before there were self-tests say nothing. */
  selfTest: selfTestSummarySchema.nullable().default(null),
  /** When it was lost and why; null when it was there to the end. */
  lost: lossSchema.nullable().default(null),
  /** Its part of the figures of the run, of the same stages; null where it made all of the load. */
  figures: z
    .strictObject({
      sent: z.int(),
      ok: z.int(),
      /** Journeys that it could not begin. */
      notStartedGenerator: z.int().default(0),
      rates: ratesSchema,
      service: latencySummarySchema,
      response: latencySummarySchema,
      /** What its times were made of; null in older results. */
      phases: phasesSchema.nullable().default(null),
      points: z.array(generatorPointSchema).default([]),
    })
    .nullable()
    .default(null),
  sickSeconds: z.int(),
  readings: z.array(generatorReadingSchema),
});

/** Reading of one objective on one stage and step: the numbers that the outcome follows from. */
export const objectiveResultSchema = z.strictObject({
  objective: objectiveSchema,
  /** The objective in words: "95 % of responses to “description” within 1 s". */
  text: z.string(),
  stage: z.string(),
  step: z.string().nullable(),
  outcome: z.enum(['holds', 'breaks', 'unknown']),
  /** Why, in a sentence with the numbers in it. */
  reason: z.string(),
  /** Why it is unknown, for programs. */
  unknownBecause: z.enum(['tooFew', 'tooClose', 'generator', 'notOffered', 'interrupted', 'notMeasured', 'notThere']).nullable(),
  measured: timeSchema,
  limit: z.number(),
  unit: z.enum(['ms', 'share', 'perSecond', 'apdex']),
  /** Requests counted, and those over the limit (slower or failed); null where the objective is not about a share. */
  counted: z.int().nullable(),
  over: z.int().nullable(),
  /** One-sided 95 % bounds of the share over the limit; null where the objective is not about one, and of none over (high) or all (low) where that decided. */
  shareLow: z.number().nullable(),
  shareHigh: z.number().nullable(),
  /** First second of the run from which the limit was missed. */
  fromSecond: z.number().nullable(),
  /** The plan does not name it: it is judged by default. */
  isDefault: z.literal(true).optional(),
  /** It says whether what was acknowledged is stored. */
  isOfStorage: z.literal(true).optional(),
});
export type ObjectiveResult = z.infer<typeof objectiveResultSchema>;

const STORAGE_STATES = ['verified', 'contradicted', 'notVerified'] as const;

/** Whether the server kept what it acknowledged. `none`: no step stored anything. */
const storageSchema = z.strictObject({
  state: z.enum(['none', ...STORAGE_STATES]),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      state: z.enum(STORAGE_STATES),
      acknowledged: z.int(),
      /** Acknowledged items that are known to be missing. */
      missing: z.int(),
      /** Acknowledged items that are stored more than once; left out where there are none. */
      repeated: z.int().optional(),
      /** By a number that the target counts, or by a step that reads it back; null: by nothing. */
      by: z.enum(['count', 'readBack']).nullable(),
    }),
  ),
});

export const VERDICT_OUTCOMES = ['holds', 'breaks', 'inconclusive', 'measured'] as const;

/** What to do next. `planPatch` is the plan that would settle it, one click away; null when no plan would. */
export const nextActSchema = z.strictObject({ kind: z.string(), label: z.string(), explanation: z.string(), plan: planSchema.nullable() });

/** Number of the rules of docs/method.md that runs are judged by. It grows when the same run may get another verdict. */
export const JUDGING_RULES = 3;

/** Whether a verdict may be another today. */
export function isByOlderRules({
  outcome,
  rules,
}: {
  readonly outcome: string | null;
  readonly rules?: number | null | undefined;
}): boolean {
  return outcome !== null && (rules ?? 1) < JUDGING_RULES;
}

export const verdictSchema = z.strictObject({
  outcome: z.enum(VERDICT_OUTCOMES),
  /** What the sentence begins with, where one line has to do: the outcome, for whom and at which load. */
  headline: z.string(),
  /** The answer in one sentence that a non-tester understands. */
  sentence: z.string(),
  reasons: z.array(z.strictObject({ code: z.string(), text: z.string() })),
  exercised: z.array(z.string()),
  notExercised: z.array(z.string()),
  /** How long the shortest judged stage was loaded, and how rare a disturbance may be that did not come in that time, with 95 % confidence; left out where nothing was. */
  notSeen: z.strictObject({ watchedSeconds: z.number(), rarerThanSeconds: z.number() }).optional(),
  /** Left out in older results, and while a run continues. */
  storage: storageSchema.optional(),
  /** Steps without a criterion that was decided, or whose successful responses prove nothing; left out in older results. */
  notJudged: z
    .array(z.strictObject({ step: z.string(), because: z.enum(['neverSent', 'undecided', 'noCriteria', 'statusOnly', 'notChecked']) }))
    .optional(),
  /** Number of the rules that it was judged by; left out in results that are older than it. */
  rules: z.int().optional(),
  next: z.array(nextActSchema),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** A stretch of a run, in its seconds. */
const stretchShape = { fromSecond: z.number(), toSecond: z.number() };

export const findingSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['info', 'warning', 'problem']),
  sentence: z.string(),
  /** Formulas and facts, in sentences. */
  evidence: z.array(z.string()),
  /** The numbers that it follows from, each under its name. */
  figures: z.array(z.strictObject({ what: z.string(), value: z.string() })).optional(),
  remedy: z.string(),
  /**
   * Causes of an overload, the most frequent first; a second may have several. `generators`: those that had it, where there are several. Left out of
   * findings about anything else, and of results that are older than it.
   */
  causes: z.array(z.strictObject({ cause: z.enum(SICK_CAUSES), seconds: z.int(), generators: z.array(z.string()).optional() })).optional(),
  confidence: z.enum(['certain', 'likely', 'possible']),
  /** When it was. `spans`: the stretches of it that the finding is about, by time; left out where that is all of it. */
  range: z.strictObject({ ...stretchShape, spans: z.array(z.strictObject(stretchShape)).optional() }).nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

export const runEventSchema = z.strictObject({ second: z.number(), kind: z.string(), text: z.string(), data: z.unknown().optional() });
export type RunEvent = z.infer<typeof runEventSchema>;

/** What ends a run early. `closed`: the Holdfast that ran it was closed; `ownerGone`: it was gone without a word. */
export const ENDINGS = ['user', 'closed', 'safety', 'failure', 'ownerGone'] as const;

const endingSchema = z.strictObject({ code: z.enum(ENDINGS), text: z.string() });
/** Why a run ended early: programs go by the code, the text is for people. */
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
  /** The series whose cell it is; left out for a run of its own. */
  series: z.strictObject({ id: z.string(), name: z.string(), cell: z.string(), repeat: z.int() }).optional(),
});
export type RunHead = z.infer<typeof runHeadSchema>;

/** Why a run is not measured to its end; null where it is. */
export function whyCut({ endedBecause, state }: Pick<RunHead, 'endedBecause' | 'state'>): string | null {
  return endedBecause?.text ?? (state === 'finished' ? null : 'It did not run to its end.');
}

/** What a server said in responses of one kind of failure of a request; `failure` is a name of core/base/errorNames.ts. */
const serverSaidSchema = z.strictObject({ request: z.string(), failure: z.string(), words: z.string() });

const wholeResultSchema = z.strictObject({
  schema: z.literal(RESULT_SCHEMA),
  run: runHeadSchema,
  plan: planSchema,
  durationSeconds: z.number().nullable(),
  ledger: ledgerSchema,
  balances: z.boolean(),
  latency: latencySchema,
  phases: phasesSchema,
  rates: ratesSchema,
  status: countsByName,
  errors: countsByName,
  outcomes: z.partialRecord(z.enum(OUTCOMES), z.int()),
  /** Of the whole run, warm-up, start-up and drain included: what a server's own count is compared with. Empty in older results. */
  requestsByStep: z.record(z.string(), ledgerSchema.shape.requests).default({}),
  latencyByStatusClass: stepFiguresShape.latencyByStatusClass,
  bytes: stepFiguresShape.bytes,
  bodyLength: stepFiguresShape.bodyLength,
  connectionsOpened: z.int(),
  requestsOnReusedConnection: z.int(),
  sessionsResumed: stepFiguresShape.sessionsResumed,
  requestsResent: stepFiguresShape.requestsResent,
  responsesUnchecked: stepFiguresShape.responsesUnchecked,
  server: z.strictObject({
    software: z.string().nullable(),
    host: z.string(),
    port: z.int(),
    /** Requests sent to each address or Unix socket path; in older results, connections. */
    addresses: z.record(z.string(), z.int().min(0)).default({}),
    /** Connection attempts without a response for 250 ms or more, by address. */
    silentAddresses: z.record(z.string(), z.int().min(0)).optional(),
  }),
  steps: z.array(stepResultSchema),
  /** Requests that are part of no other figure. */
  sideCalls: z.array(z.strictObject({ name: z.string(), requests: ledgerSchema.shape.requests, errors: countsByName })).optional(),
  stages: z.array(stageResultSchema),
  /** What times give away about how the server works; null in results of a Holdfast that did not look. */
  behaviour: behaviourSchema.nullable().default(null),
  /** What each of several servers did; empty where one does all the work. */
  servers: z.array(serverResultSchema).default([]),
  /** When a proxy had none of them left to ask; null where it always had one. */
  noServer: noServerSchema.nullable().default(null),
  /** Which answers came from a cache; left out where nobody asks, or the engine does not tell. */
  cache: cacheResultSchema.optional(),
  /** What was waited for by asking again and again, by step. */
  waits: z.array(waitResultSchema).default([]),
  /** Whole pages; null where only requests by themselves were sent. */
  pages: pagesResultSchema.nullable().default(null),
  /** null where no stream was opened. */
  streams: streamsResultSchema.nullable().default(null),
  /** What visitors with a real browser saw; null where there were none. */
  visits: visitsResultSchema.nullable().default(null),
  windows: z.array(pointSchema),
  /** For how long it was overloaded, in all; left out in older results. Read it by `overloadOf`. */
  overload: overloadSchema.optional(),
  generators: z.array(generatorSchema),
  /** How machines and services were while the load went. */
  monitors: z.array(monitorResultSchema).default([]),
  objectives: z.array(objectiveResultSchema),
  verdict: verdictSchema,
  findings: z.array(findingSchema),
  /** Why requests failed, in the words of the server, as far as kept failures show it; left out in older results. */
  serverSaid: z.array(serverSaidSchema).optional(),
  events: z.array(runEventSchema),
});
export interface RunResult extends z.output<typeof wholeResultSchema> {}
export interface RunResultInput extends z.input<typeof wholeResultSchema> {}
export const resultSchema: z.ZodType<RunResult, RunResultInput> = wholeResultSchema;
