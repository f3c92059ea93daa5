import { z } from 'zod';
import { loadPartSchema } from '#core/work/load/part.ts';
import { MAX_MARKER_CHARACTERS } from '#core/plan/schema/populate.ts';
import { sampleSchema, SAMPLING } from '#core/work/samples/schema.ts';
import { pathReadingSchema } from '#core/machines/checks/path/schema.ts';
import { engineEndFactsSchema } from '#core/result/stageTimes.ts';
import { generatorReadingSchema, runEventSchema } from '#core/result/schema.ts';
import { clientCertificateSchema } from '#core/plan/certificates.ts';
import { feedRowsSchema } from '#core/plan/schema/feeds.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { problemSchema } from '../rpc/frames.ts';

const headersSchema = z.record(z.string(), z.string());
const resolvedTargetSchema = z.strictObject({ url: z.string(), headers: headersSchema });

/** Fields of a job for an agent or a worker thread, except the share of the load that it runs. */
export const jobShape = {
  runId: z.string(),
  plan: planSchema,
  targets: z.array(resolvedTargetSchema),
  /** Resolved targets by name; omitted if the plan names no targets. */
  namedTargets: z.record(z.string(), resolvedTargetSchema).optional(),
  steps: z.array(z.strictObject({ headers: headersSchema, body: z.string().nullable() })),
  secrets: z.record(z.string(), z.string()),
  feeds: z.record(z.string(), feedRowsSchema),
  /** Contents of sent files in Base64, by path. */
  files: z.record(z.string(), z.string()),
  /** Large files that are sent from disk, by path; omitted if there are none. */
  largeFiles: z.record(z.string(), z.strictObject({ path: z.string(), bytes: z.int(), modifiedMs: z.number() })).optional(),
  sampling: z.enum(SAMPLING),
  userAgent: z.string().nullable(),
  clientCertificate: clientCertificateSchema.nullable(),
} as const;

/** Maximum number of rows per report; a thread reports once a second. */
const MAX_REPORTED_ROWS = 1_000_000;

/** Rows of feeds with `order: once` that journeys used, and those that the server refused at a step. */
export const rowsReportShape = {
  taken: z.array(z.int().min(0)).max(MAX_REPORTED_ROWS),
  refused: z.array(z.strictObject({ row: z.int().min(0), step: z.int().min(0) })).max(MAX_REPORTED_ROWS),
} as const;
const rowsReportSchema = z.strictObject(rowsReportShape);
export type RowsReport = z.infer<typeof rowsReportSchema>;

/** An item that a user sent, identified by its marker. */
const sentItemSchema = z.strictObject({
  marker: z.string().max(MAX_MARKER_CHARACTERS),
  /** Index of the user or the arrival within the plan. */
  person: z.int().min(0),
  /** Whether a successful response arrived. Without one, the target may still have stored the item. */
  isAcknowledged: z.boolean(),
});
export type SentItem = z.infer<typeof sentItemSchema>;

/** Report of sent items. `count`: index of their count in the plan. */
export const itemsReportShape = { count: z.int().min(0).max(1_000), items: z.array(sentItemSchema) } as const;

/** Protocol version. The side that starts the agent refuses another version. */
export const AGENT_PROTOCOL = 10;

const loadJobSchema = z.strictObject({ ...jobShape, part: loadPartSchema.optional() });

const engineEndSchema = engineEndFactsSchema.required().extend({
  reason: z.enum(['completed', 'stopped', 'safety', 'failed']),
  /** The reason for an early end: a safety limit or a failure. */
  problem: problemSchema.nullable(),
});
export type EngineEnd = z.infer<typeof engineEndSchema>;

const toAgentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('clock'), id: z.int() }),
  /** Measures the network path to an address; never sent during a run. */
  z.strictObject({ type: z.literal('path'), url: z.url() }),
  z.strictObject({ type: z.literal('run'), job: loadJobSchema }),
  /** Starts a leg that is `ready`, at a time on the agent's monotonic clock. */
  z.strictObject({ type: z.literal('start'), leg: z.int(), atMs: z.number() }),
  z.strictObject({ type: z.literal('stop') }),
]);
export type ToAgent = z.infer<typeof toAgentSchema>;

/** Bounds the counts of cores, threads, stages and legs. */
const countSchema = z.int().min(0).max(100_000);

const fromAgentSchema = z.discriminatedUnion('type', [
  /** Reading of the agent's monotonic clock, to which `began` refers. */
  z.strictObject({ type: z.literal('clock'), id: z.int(), nowMs: z.number() }),
  z.strictObject({ type: z.literal('path'), reading: pathReadingSchema }),
  z.strictObject({
    type: z.literal('started'),
    threads: countSchema,
    engine: z.string(),
    engineVersion: z.string(),
    sharesMachineWithTarget: z.boolean(),
    /** True if the machine is prevented from sleeping (see `keepAwake`); null if unknown. */
    keptAwake: z.literal(true).nullable(),
    /** Path of the Unix socket for reconnecting; null if the agent ends with its connection. */
    door: z.string().min(1).max(200).startsWith('/').nullable(),
  }),
  /** A leg is ready and waits for `start`. Used if the load has several generators. */
  z.strictObject({ type: z.literal('ready'), leg: countSchema }),
  /** Time of second 0 of the run. */
  z.strictObject({ type: z.literal('began'), atMs: z.number() }),
  z.strictObject({ type: z.literal('stage'), stage: countSchema, second: z.number() }),
  z.strictObject({ type: z.literal('draining'), second: z.number() }),
  /** `bytes`: an encoded window in base64. */
  z.strictObject({ type: z.literal('window'), bytes: z.base64(), reading: generatorReadingSchema }),
  z.strictObject({ type: z.literal('event'), event: runEventSchema }),
  z.strictObject({ type: z.literal('sample'), sample: sampleSchema }),
  z.strictObject({ type: z.literal('items'), ...itemsReportShape }),
  /** Used and refused rows of feeds with `order: once`. */
  z.strictObject({ type: z.literal('rows'), ...rowsReportShape }),
  z.strictObject({ type: z.literal('end'), end: engineEndSchema }),
  /** The request could not be carried out; the agent continues. */
  z.strictObject({ type: z.literal('refused'), problem: problemSchema }),
]);
export type FromAgent = z.infer<typeof fromAgentSchema>;

const numberSchema = z.int().min(0);

/** Lines that both sides send, one JSON object each. `received`: number of the last message received. */
const sharedFrames = [
  z.strictObject({ type: z.literal('alive') }),
  z.strictObject({ type: z.literal('received'), number: numberSchema }),
] as const;

/** The lines to the agent. Messages are numbered, see `ResumableStream`. */
export const lineToAgentSchema = z.discriminatedUnion('type', [
  /** `silenceSeconds`: the agent sends heartbeats, and ends after this time without a line; if omitted, it waits forever. */
  z.strictObject({ type: z.literal('hello'), protocol: z.int(), silenceSeconds: z.number().positive().optional() }),
  /** First line of a later connection instead of `hello`. The stream continues after the message with the number `received`. */
  z.strictObject({ type: z.literal('resume'), protocol: z.int(), received: numberSchema }),
  z.strictObject({ type: z.literal('message'), number: numberSchema, message: toAgentSchema }),
  /** No reconnection follows: the agent ends at once. */
  z.strictObject({ type: z.literal('bye') }),
  ...sharedFrames,
]);
export type LineToAgent = z.infer<typeof lineToAgentSchema>;

/** Lines from the agent, which writes nothing else to its standard output. */
export const lineFromAgentSchema = z.discriminatedUnion('type', [
  /** Reply to `hello`: identity and features. */
  z.strictObject({
    type: z.literal('hello'),
    protocol: z.int(),
    nodeVersion: z.string(),
    platform: z.string(),
    release: z.string(),
    hostname: z.string(),
    cores: countSchema.min(1),
    memoryBytes: z.number().min(0),
  }),
  /** Reply to `resume`. */
  z.strictObject({ type: z.literal('resumed'), received: numberSchema }),
  z.strictObject({ type: z.literal('message'), number: numberSchema, message: fromAgentSchema }),
  /** The last line could not be executed; the agent continues. */
  z.strictObject({ type: z.literal('refused'), problem: problemSchema }),
  ...sharedFrames,
]);
export type LineFromAgent = z.infer<typeof lineFromAgentSchema>;

/** Exit code of an agent that was started to reconnect to an earlier agent that no longer exists. */
export const NO_AGENT_EXIT_CODE = 3;
