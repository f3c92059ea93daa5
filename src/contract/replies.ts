import { z } from 'zod';
import { cacheFiguresSchema } from '#core/measurement/cache/figures.ts';
import { labAccountSchema, labAddressSchema, labListingSchema } from '#core/base/lab/listing.ts';
import { comparedStepSchema, foundValueSchema } from '#core/import/recording/schema.ts';
import { liveMonitorSchema } from '#core/machines/monitors/live.ts';
import { liveGeneratorSchema, pointOfGeneratorSchema } from '#core/result/liveGenerators.ts';
import { overloadSchema } from '#core/result/overload.ts';
import { visitSchema } from '#core/result/visit.ts';
import { generatorReadingSchema, pointSchema, runEventSchema, runHeadSchema } from '#core/result/schema.ts';
import { latencySummarySchema } from '#core/statistics/latencySummary.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { ledgerSchema } from '#core/measurement/ledger.ts';
import { serverResultSchema } from '#core/result/servers.ts';
import { loadSizeSchema } from '#core/work/load/size.ts';
import { watchedReadingSchema } from '#core/result/readings.ts';
import { problemSchema } from './rpc/frames.ts';

/** What the backend tells that is no document of the core: schemas and their types. */

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
  /** null where its plan is of another version. */
  load: loadSizeSchema.nullable(),
  outcome: z.enum(['holds', 'breaks', 'inconclusive', 'measured']).nullable(),
  sentence: z.string().nullable(),
  requests: z.int(),
  completedPerSecond: z.number().nullable(),
  p95Ms: z.union([z.number(), z.literal('never'), z.null()]),
  /** Completed per second over the run, at most 40 values. */
  sparkline: z.array(z.number()),
  /** Number of the rules that it was judged by; null for runs that are older than it, and for those that are not judged. */
  rules: z.int().nullable().optional(),
});

/** Runs that later ones of the same preset, or of the same plan, at the same target are set against. */
export const baselineSchema = z.strictObject({
  /** Id of the preset, or name of the plan. */
  question: z.string(),
  isPreset: z.boolean(),
  target: z.string(),
  setAt: z.iso.datetime(),
  runIds: z.array(z.string()),
});

/** What a single request finds out. `problem` is set when no answer came. */
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
  /** True when the page itself holds a password field. */
  hasLoginForm: z.boolean(),
  /** Paths of the pages on the same server that it links to, those of the first so many. */
  links: z.array(z.string()),
  certificate: z
    .strictObject({ valid: z.boolean(), subject: z.string(), issuer: z.string(), validUntil: z.string(), problem: z.string().nullable() })
    .nullable(),
  /** `asksLogin`: it only says that somebody has to log in, which is no news where those who make the load do so themselves. */
  notes: z.array(
    z.strictObject({ level: z.enum(['ok', 'info', 'warning', 'problem']), text: z.string(), asksLogin: z.literal(true).optional() }),
  ),
  problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});

export const labServerSchema = z.strictObject({
  ...labListingSchema.shape,
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  /** What it is at while it starts. */
  progress: z.string().nullable(),
  urls: z.array(z.string()),
  addresses: z.array(labAddressSchema),
  accounts: z.array(labAccountSchema),
  /** Where it is asked for its logs; null unless it runs. */
  control: z.string().nullable(),
  /** Where its files lie; null unless it runs. */
  folder: z.string().nullable(),
  hasSecrets: z.boolean(),
  problem: z.string().nullable(),
});

/** A live view shows no more. */
export const MAX_LIVE_POINTS = 600;
export const MAX_LIVE_EVENTS = 200;

/** What the live view gets, at most four times a second. Points of the same second replace earlier ones. */
export const liveSchema = z.strictObject({
  run: runHeadSchema,
  /** In a full picture: a plan never changes while its run goes. */
  plan: planSchema.optional(),
  elapsedSeconds: z.number(),
  plannedSeconds: z.number().nullable(),
  plannedRequests: z.number().nullable(),
  stage: z.strictObject({ index: z.int(), name: z.string(), counted: z.boolean() }).nullable(),
  ledger: ledgerSchema,
  balances: z.boolean(),
  latency: latencySummarySchema,
  points: z.array(pointSchema),
  /** True when points were dropped for a slow reader: fetch `runs.points` again. */
  resync: z.boolean(),
  generator: generatorReadingSchema.nullable(),
  /** For how long they were overloaded so far. */
  overload: overloadSchema,
  /** Who makes the load, in the order of the places. */
  generators: z.array(liveGeneratorSchema).default([]),
  /** What each of several places had, second by second; those that are new. */
  generatorPoints: z.array(pointOfGeneratorSchema).default([]),
  /** What the plan watches, as it was read; like points, those that are new. */
  watched: z.array(watchedReadingSchema),
  /** What each of several servers did so far; empty where answers do not tell. */
  servers: z.array(serverResultSchema),
  /** Which answers came from a cache so far, warm-up included; left out where nobody asks. */
  cache: cacheFiguresSchema.optional(),
  /** What the last visitor saw; left out where none has been yet. */
  visit: visitSchema.optional(),
  events: z.array(runEventSchema),
  /** Monitors that have something new; in a full picture, all of them. */
  monitors: z.array(liveMonitorSchema).default([]),
});

export type AppInfo = z.infer<typeof appInfoSchema>;
export type RunRow = z.infer<typeof runRowSchema>;
export type Probe = z.infer<typeof probeSchema>;
export type LabServer = z.infer<typeof labServerSchema>;
export type Live = z.infer<typeof liveSchema>;

/** What a person does in the browser whose requests are recorded. */
const seenActionSchema = z.strictObject({
  kind: z.enum(['open', 'click', 'submit', 'choose', 'mark', 'back', 'reload', 'tab', 'upload', 'download']),
  /** Words on what was clicked; empty where there are none. */
  text: z.string(),
  /** Of the page after it. */
  title: z.string(),
  requestCount: z.int(),
  /** The first of them. */
  requests: z.array(
    z.strictObject({ method: z.string(), url: z.string(), /** 0: no response. */ status: z.int(), type: z.string(), bytes: z.number() }),
  ),
});
export type SeenAction = z.infer<typeof seenActionSchema>;

export const recordingSchema = z.strictObject({
  recordingId: z.string(),
  /** Where it began, without a password. */
  url: z.string(),
  /** `ended`: the window is closed, and a plan can be made. */
  state: z.enum(['opening', 'recording', 'paused', 'ended', 'failed']),
  actions: z.array(seenActionSchema),
  /** What did not fit. */
  dropped: z.strictObject({ requests: z.int(), bodies: z.int(), actions: z.int() }),
  problem: problemSchema.nullable(),
});
export type RecordingState = z.infer<typeof recordingSchema>;

/** How long users pause between two steps: as the person did, not at all, or so many seconds. */
export const thinkTimesSchema = z.union([z.enum(['recorded', 'none']), z.number().min(0).max(120)]);
export type ThinkTimes = z.infer<typeof thinkTimesSchema>;

/** The plan of a recording. */
export const recordedPlanSchema = z.strictObject({
  /** As a person would write it: secrets are variables of the environment. */
  written: z.record(z.string(), z.unknown()),
  /** The same, with the secrets of the recording kept in memory. */
  plan: planSchema,
  notes: z.array(
    z.strictObject({ kind: z.enum(['leftOut', 'changed', 'assumed', 'secret']), place: z.string(), what: z.string(), instead: z.string() }),
  ),
  /** Names of the variables that `written` asks for. */
  variables: z.array(z.string()),
  /** What Holdfast found by walking the journey again; null where it did not. */
  walked: z.strictObject({ rounds: z.int(), captured: z.array(foundValueSchema), steps: z.array(comparedStepSchema) }).nullable(),
  /** Why it was not walked. */
  problem: problemSchema.nullable(),
  /** How much of it a browser can take beside a load: so many steps after the first page, and what it ends before. null: none of it. */
  watched: z.strictObject({ steps: z.int(), endsBefore: z.string().nullable() }).nullable(),
  /** The recording itself (HAR), where it was asked for. It holds the cookies of the session, but no password. */
  recording: z.string().nullable(),
});
export type RecordedPlan = z.infer<typeof recordedPlanSchema>;
