import { z } from 'zod';
import { bellResultSchema } from '#core/result/bells.ts';
import { cacheFiguresSchema } from '#core/measurement/cache/figures.ts';
import { labAccountSchema, labAddressSchema, labListingSchema } from '#core/base/lab/listing.ts';
import { comparedStepSchema, foundValueSchema } from '#core/import/recording/schema.ts';
import { liveMonitorSchema } from '#core/machines/monitors/foldPoints.ts';
import { liveGeneratorSchema, pointOfGeneratorSchema } from '#core/result/liveGenerators.ts';
import { overloadSchema } from '#core/result/overload.ts';
import { visitSchema } from '#core/result/visits.ts';
import { generatorReadingSchema, pointSchema, runEventSchema, runHeadSchema } from '#core/result/schema.ts';
import { latencySummarySchema } from '#core/statistics/latency.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { outcomesSchema } from '#core/measurement/requestOutcomes.ts';
import { serverResultSchema } from '#core/result/servers.ts';
import { loadSizeSchema } from '#core/work/load/stages.ts';
import { watchedReadingSchema } from '#core/result/readings.ts';
import { problemSchema } from './rpc/frames.ts';
import { PAPERS } from '#core/presentation/html/style.ts';

/** Layout of printed reports; JSON and CSV have no pages. */
export const layoutOptions = {
  paper: z.enum(PAPERS).optional(),
  /** Only the result, on a single page. */
  onePage: z.boolean().optional(),
};
export const RUN_FORMATS = [
  'json',
  'csv',
  'steps',
  'people',
  'ab',
  'jmeter',
  'cycles',
  'text',
  'summary',
  'html',
  'markdown',
  'junit',
  'hlog',
  'sealed',
] as const;
export const SEARCH_FORMATS = ['json', 'html', 'markdown'] as const;
export const SERIES_FORMATS = ['json', 'csv', 'html', 'markdown', 'junit'] as const;

export const appInfoSchema = z.strictObject({
  version: z.string(),
  nodeVersion: z.string(),
  platform: z.string(),
  hostname: z.string(),
  cores: z.int(),
  dataDirectory: z.string(),
  logFile: z.string(),
  notice: z.string().nullable(),
});

export const runRowSchema = z.strictObject({
  ...runHeadSchema.shape,
  target: z.string(),
  /** Size of the load; null if the stored plan has another schema version. */
  load: loadSizeSchema.nullable(),
  outcome: z.enum(['passed', 'failed', 'inconclusive', 'measured']).nullable(),
  sentence: z.string().nullable(),
  requests: z.int(),
  completedPerSecond: z.number().nullable(),
  p95Ms: z.union([z.number(), z.literal('never'), z.null()]),
  /** Completed requests per second, at most 40 values. */
  sparkline: z.array(z.number()),
  /** Version of the judgement rules; null for older and unjudged runs. */
  rules: z.int().nullable().optional(),
});

/** Reference runs for later runs of the same preset or plan at the same target. */
export const baselineSchema = z.strictObject({
  /** Id of the preset or name of the plan. */
  question: z.string(),
  isPreset: z.boolean(),
  target: z.string(),
  setAt: z.iso.datetime(),
  runIds: z.array(z.string()),
});

/** Result of a single request. `problem` is set if there was no response. */
export const probeSchema = z.strictObject({
  url: z.string(),
  status: z.int().nullable(),
  statusText: z.string(),
  bodyBytes: z.int(),
  totalMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  httpVersion: z.string(),
  keepAlive: z.boolean().nullable(),
  server: z.string().nullable(),
  contentType: z.string().nullable(),
  address: z.string().nullable(),
  redirect: z.strictObject({ location: z.string(), looksLikeLogin: z.boolean() }).nullable(),
  /** True if the page has a password field. */
  hasLoginForm: z.boolean(),
  /** Paths of linked pages on the same server, up to a limit. */
  links: z.array(z.string()),
  certificate: z
    .strictObject({ valid: z.boolean(), subject: z.string(), issuer: z.string(), validUntil: z.string(), problem: z.string().nullable() })
    .nullable(),
  /** `asksLogin`: the note only says that a login is required, which does not matter if the load logs in itself. */
  notes: z.array(
    z.strictObject({ level: z.enum(['ok', 'info', 'warning', 'problem']), text: z.string(), asksLogin: z.literal(true).optional() }),
  ),
  problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});

export const labServerSchema = z.strictObject({
  ...labListingSchema.shape,
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  progress: z.string().nullable(),
  urls: z.array(z.string()),
  addresses: z.array(labAddressSchema),
  accounts: z.array(labAccountSchema),
  /** Address of the practice server's logs; null unless it runs. */
  control: z.string().nullable(),
  /** Folder of the practice server's files; null unless it runs. */
  folder: z.string().nullable(),
  hasSecrets: z.boolean(),
  problem: z.string().nullable(),
});

/** Limits of the live view. */
export const MAX_LIVE_POINTS = 600;
export const MAX_LIVE_EVENTS = 200;

/** Update of the live view, at most four times a second. A point replaces an earlier one of the same second. */
export const liveSchema = z.strictObject({
  run: runHeadSchema,
  /** Only in a full picture, because a plan does not change during its run. */
  plan: planSchema.optional(),
  elapsedSeconds: z.number(),
  plannedSeconds: z.number().nullable(),
  plannedRequests: z.number().nullable(),
  stage: z.strictObject({ index: z.int(), name: z.string(), counted: z.boolean() }).nullable(),
  outcomes: outcomesSchema,
  balances: z.boolean(),
  latency: latencySummarySchema,
  points: z.array(pointSchema),
  /** True when points were dropped for a slow reader: fetch `runs.points` again. */
  resync: z.boolean(),
  generator: generatorReadingSchema.nullable(),
  overload: overloadSchema,
  /** The load generators in order. */
  generators: z.array(liveGeneratorSchema).default([]),
  /** New points per load generator, if there are several generators. */
  generatorPoints: z.array(pointOfGeneratorSchema).default([]),
  /** New readings of the plan's watched values. */
  watched: z.array(watchedReadingSchema),
  /** Results per server so far; empty if responses do not identify their server. */
  servers: z.array(serverResultSchema),
  /** Cache use so far including warm-up; omitted if not requested. */
  cache: cacheFiguresSchema.optional(),
  /** The last page visit; omitted before the first. */
  visit: visitSchema.optional(),
  /** Bells at which users arrived so far; omitted without bells in the plan. */
  bells: z.array(bellResultSchema).optional(),
  events: z.array(runEventSchema),
  /** Monitors with new readings; all monitors in a full picture. */
  monitors: z.array(liveMonitorSchema).default([]),
});

export type AppInfo = z.infer<typeof appInfoSchema>;
export type RunRow = z.infer<typeof runRowSchema>;
export type Probe = z.infer<typeof probeSchema>;
export type LabServer = z.infer<typeof labServerSchema>;
export type LiveSnapshot = z.infer<typeof liveSchema>;

/** A user action in the recorded browser. */
const seenActionSchema = z.strictObject({
  kind: z.enum(['open', 'click', 'submit', 'choose', 'mark', 'back', 'reload', 'tab', 'upload', 'download']),
  /** Text of the clicked element; empty if it has none. */
  text: z.string(),
  /** Title of the page after the action. */
  title: z.string(),
  requestCount: z.int(),
  /** The first requests that the action caused. */
  requests: z.array(
    z.strictObject({ method: z.string(), url: z.string(), /** 0: no response. */ status: z.int(), type: z.string(), bytes: z.number() }),
  ),
});
export type RecordedAction = z.infer<typeof seenActionSchema>;

export const recordingSchema = z.strictObject({
  recordingId: z.string(),
  /** Start address without a password. */
  url: z.string(),
  /** `ended`: the window is closed and a plan can be created. */
  state: z.enum(['opening', 'recording', 'paused', 'ended', 'failed']),
  actions: z.array(seenActionSchema),
  /** Numbers of requests, bodies and actions that were dropped because of limits. */
  dropped: z.strictObject({ requests: z.int(), bodies: z.int(), actions: z.int() }),
  problem: problemSchema.nullable(),
});
export type RecordingState = z.infer<typeof recordingSchema>;

/** Pause between two steps: as recorded, none, or a number of seconds. */
export const thinkTimesSchema = z.union([z.enum(['recorded', 'none']), z.number().min(0).max(120)]);
export type ThinkTimes = z.infer<typeof thinkTimesSchema>;

export const recordedPlanSchema = z.strictObject({
  /** The plan as written by hand: secrets are environment variables. */
  written: z.record(z.string(), z.unknown()),
  /** The plan with references to the recorded secrets, which are kept in memory. */
  plan: planSchema,
  notes: z.array(
    z.strictObject({
      kind: z.enum(['leftOut', 'changed', 'assumed', 'secret']),
      location: z.string(),
      what: z.string(),
      instead: z.string(),
    }),
  ),
  /** Names of the variables that `written` needs. */
  variables: z.array(z.string()),
  /** Results of running the journey again; null if it did not run. */
  walked: z.strictObject({ rounds: z.int(), captured: z.array(foundValueSchema), steps: z.array(comparedStepSchema) }).nullable(),
  /** Why the journey did not run again. */
  problem: problemSchema.nullable(),
  /**
   * The part of the journey that a browser can run during a load: the number of its steps after the first page, and the step before which
   * it ends. null if there is none.
   */
  watched: z.strictObject({ steps: z.int(), endsBefore: z.string().nullable() }).nullable(),
  /** The recording (HAR), if requested. Contains session cookies but no password. */
  recording: z.string().nullable(),
});
export type RecordedPlan = z.infer<typeof recordedPlanSchema>;
