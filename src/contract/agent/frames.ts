import { problemSchema } from '../rpc/frames.ts';
import { z } from 'zod';
import { jobShape, rowsReportShape } from './jobShape.ts';
import { loadPartSchema } from '#core/work/load/part.ts';
import { MAX_MARKER_CHARACTERS } from '#core/plan/schema/populate.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';
import { pathReadingSchema } from '#core/machines/checks/path/schema.ts';
import { engineEndFactsSchema } from '#core/result/engineEnd.ts';
import { generatorReadingSchema, runEventSchema } from '#core/result/schema.ts';

/** Version of the lines below. The side that starts the agent refuses one that speaks another. */
export const AGENT_PROTOCOL = 8;

const loadJobSchema = z.strictObject({
  ...jobShape,
  part: loadPartSchema.optional(),
});

/** How a load ended. */
const engineEndSchema = engineEndFactsSchema.required().extend({
  reason: z.enum(['completed', 'stopped', 'safety', 'failed']),
  /** What stopped it: the safety limit in words, or the failure. */
  problem: problemSchema.nullable(),
});
export type EngineEnd = z.infer<typeof engineEndSchema>;

/** What the agent is told. */
const toAgentSchema = z.discriminatedUnion('type', [
  /** Asks for the time. */
  z.strictObject({ type: z.literal('clock'), id: z.int() }),
  /** Measures the path to an address; not while a run goes. */
  z.strictObject({ type: z.literal('path'), url: z.url() }),
  z.strictObject({ type: z.literal('run'), job: loadJobSchema }),
  /** Begins a leg of which it said `ready`, at an instant of its monotonic clock. */
  z.strictObject({ type: z.literal('start'), leg: z.int(), atMs: z.number() }),
  z.strictObject({ type: z.literal('stop') }),
]);
export type ToAgent = z.infer<typeof toAgentSchema>;

/** Of cores, threads, stages and legs: nobody has more. */
const countSchema = z.int().min(0).max(100_000);

/** What the agent says. */
const fromAgentSchema = z.discriminatedUnion('type', [
  /** Its monotonic clock, by which `began` is told. */
  z.strictObject({ type: z.literal('clock'), id: z.int(), nowMs: z.number() }),
  z.strictObject({ type: z.literal('path'), reading: pathReadingSchema }),
  z.strictObject({
    type: z.literal('started'),
    threads: countSchema,
    engine: z.string(),
    engineVersion: z.string(),
    sharesMachineWithTarget: z.boolean(),
    /** See `keepAwake`: true when the machine is kept from sleeping, null when that is not known. */
    keptAwake: z.literal(true).nullable(),
    /** Path of the Unix socket at which it can be found again when its connection was lost; null when it ends with its connection. */
    door: z.string().min(1).max(200).startsWith('/').nullable(),
  }),
  /** A leg can begin and waits for `start`: only where the load is a part of one. */
  z.strictObject({ type: z.literal('ready'), leg: countSchema }),
  /** The instant from which all seconds of the run count. */
  z.strictObject({ type: z.literal('began'), atMs: z.number() }),
  z.strictObject({ type: z.literal('stage'), stage: countSchema, second: z.number() }),
  z.strictObject({ type: z.literal('draining'), second: z.number() }),
  /** `bytes`: an encoded window in base64. */
  z.strictObject({ type: z.literal('window'), bytes: z.base64(), reading: generatorReadingSchema }),
  z.strictObject({ type: z.literal('event'), event: runEventSchema }),
  z.strictObject({ type: z.literal('sample'), sample: sampleSchema }),
  /** Markers of items that the target acknowledged. `count`: index in the counts of the plan. */
  z.strictObject({ type: z.literal('acknowledged'), count: countSchema, markers: z.array(z.string().max(MAX_MARKER_CHARACTERS)) }),
  /** Rows of feeds with `order: once`. */
  z.strictObject({ type: z.literal('rows'), ...rowsReportShape }),
  z.strictObject({ type: z.literal('end'), end: engineEndSchema }),
  /** What it was told cannot be done; the agent goes on. */
  z.strictObject({ type: z.literal('refused'), problem: problemSchema }),
]);
export type FromAgent = z.infer<typeof fromAgentSchema>;

const numberSchema = z.int().min(0);

/** Lines that both sides write, one JSON object each. `heard`: up to which number the other side's messages have come. */
const bothWays = [
  z.strictObject({ type: z.literal('alive') }),
  z.strictObject({ type: z.literal('heard'), number: numberSchema }),
] as const;

/** The lines to the agent. Messages are numbered, see `ResumableStream`. */
export const lineToAgentSchema = z.discriminatedUnion('type', [
  /** `silenceSeconds`: the agent ends when it has heard nothing for so long, and gives a sign of life itself; left out, it waits for ever. */
  z.strictObject({ type: z.literal('hello'), protocol: z.int(), silenceSeconds: z.number().positive().optional() }),
  /** The first line of a later connection, instead of `hello`: goes on after the message with this number. */
  z.strictObject({ type: z.literal('resume'), protocol: z.int(), heard: numberSchema }),
  z.strictObject({ type: z.literal('message'), number: numberSchema, message: toAgentSchema }),
  /** Nobody will come back: the agent ends at once. */
  z.strictObject({ type: z.literal('bye') }),
  ...bothWays,
]);
export type LineToAgent = z.infer<typeof lineToAgentSchema>;

/** The lines from the agent. Nothing else is ever written to its standard output. */
export const lineFromAgentSchema = z.discriminatedUnion('type', [
  /** The answer to `hello`: who this is and what it can drive. */
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
  /** The answer to `resume`. */
  z.strictObject({ type: z.literal('resumed'), heard: numberSchema }),
  z.strictObject({ type: z.literal('message'), number: numberSchema, message: fromAgentSchema }),
  /** The last line could not be followed; the agent goes on. */
  z.strictObject({ type: z.literal('refused'), problem: problemSchema }),
  ...bothWays,
]);
export type LineFromAgent = z.infer<typeof lineFromAgentSchema>;

/** Exit code of an agent that was started to join us with an earlier one, and found none. */
export const NO_AGENT_THERE = 3;
