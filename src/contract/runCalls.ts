import { z } from 'zod';
import { agreedSchema } from '#core/review/asks/ask.ts';
import { runHistorySchema } from '#core/comparison/runHistory.ts';
import { aspectSchema, comparisonSchema, STANDINGS } from '#core/comparison/schema.ts';
import { generatorNamesSchema } from '#core/plan/schema/hosts.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { MAX_SEALED_BYTES, sealCheckSchema } from '#core/presentation/document/sealCheck.ts';
import { distributionSchema } from '#core/result/distribution.ts';
import { pointSchema, resultSchema } from '#core/result/schema.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';
import { call } from './rpc/frames.ts';
import { baselineSchema, layoutOptions, RUN_FORMATS, runRowSchema } from './replies.ts';

export const noInput = z.strictObject({});
export const runId = z.strictObject({ runId: z.string().min(1).max(40) });
/** Maximum length of a CSV file of measurements. Enough for one row per second over a day, with a few columns. */
const MAX_GRAPH_CHARACTERS = 4_000_000;
export const MAX_SIDES = 8;
const MAX_SEALED_BASE64 = Math.ceil(MAX_SEALED_BYTES / 3) * 4;
const MAX_RUNS_PER_SIDE = 100;

/** Calls about single runs, their comparison and their baselines. */
export const runCalls = {
  /** `on`: the load generators; this computer if omitted. */
  'runs.start': call(z.strictObject({ plan: planSchema, on: generatorNamesSchema.optional(), agreed: agreedSchema }), runId),
  'runs.stop': call(runId, noInput),
  'runs.list': call(
    z.strictObject({
      search: z.string().max(200).default(''),
      preset: z.string().optional(),
      outcome: z.string().optional(),
      limit: z.int().min(1).max(500).default(100),
      offset: z.int().min(0).default(0),
    }),
    z.strictObject({ runs: z.array(runRowSchema), total: z.int() }),
  ),
  /** Returns, for each run, the `p95Ms` of this run and of the earlier runs with the same name and target, oldest first. */
  'runs.trends': call(
    z.strictObject({ runIds: z.array(runId.shape.runId).max(500) }),
    z.array(z.strictObject({ runId: z.string(), runIds: z.array(z.string()), p95Ms: z.array(runRowSchema.shape.p95Ms) })),
  ),
  /** Returns the finished runs with this run's name, target and load, oldest first, and the changes among them. */
  'runs.history': call(runId, runHistorySchema),
  'runs.result': call(z.strictObject({ runId: runId.shape.runId, maxPoints: z.int().min(10).max(100_000).optional() }), resultSchema),
  'runs.points': call(z.strictObject({ runId: runId.shape.runId, maxPoints: z.int().min(10).max(100_000) }), z.array(pointSchema)),
  /**
   * Merges the seconds [from, to) into one point, whose percentiles cover all response times of these seconds. Returns null without
   * measurements.
   */
  'runs.range': call(
    z.strictObject({ runId: runId.shape.runId, from: z.number().min(0), to: z.number().min(0) }),
    z.strictObject({ point: pointSchema.nullable() }),
  ),
  /** Returns the distribution of response times, over the whole run and per second. */
  'runs.distribution': call(runId, distributionSchema),
  /** Imports a finished k6 run from Prometheus. `run`: name of the TestRun, or the tag `testid`. */
  'runs.importK6': call(
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      run: z.string().min(1).max(200),
      plan: planSchema,
      days: z.int().min(1).max(400),
    }),
    runId,
  ),
  'runs.rename': call(z.strictObject({ runId: runId.shape.runId, name: z.string().trim().min(1).max(120) }), noInput),
  'runs.note': call(z.strictObject({ runId: runId.shape.runId, note: z.string().max(10_000) }), noInput),
  'runs.remove': call(runId, noInput),
  /** Undoes `runs.remove`, until the backend restarts. */
  'runs.restore': call(runId, noInput),
  /** Returns the first failures of each kind with request and response. Secrets are masked. */
  'runs.samples': call(runId, z.array(sampleSchema)),
  /** Adds the measurements in a CSV file of another program to an ended run. */
  'monitors.attachGraph': call(
    z.strictObject({
      runId: runId.shape.runId,
      name: z.string().trim().min(1).max(120),
      text: z.string().max(MAX_GRAPH_CHARACTERS),
      /** Time zone for times that state none. */
      zone: z.string().max(60).nullable().default(null),
      /** Whether to replace a graph of the same name. */
      replace: z.boolean().default(false),
    }),
    z.strictObject({ columns: z.array(z.string()), leftOut: z.array(z.string()), rows: z.int(), rowsOutside: z.int() }),
  ),
  'runs.export': call(
    z.strictObject({
      runId: runId.shape.runId,
      format: z.enum(RUN_FORMATS),
      ...layoutOptions,
      /** Width of the terminal for text formats. */
      columns: z.int().min(20).max(1_000).optional(),
    }),
    z.strictObject({ fileName: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  /** Checks a sealed file: its signature, and whether its windows give the verdict that it states. */
  'sealed.verify': call(z.strictObject({ base64: z.base64().max(MAX_SEALED_BASE64) }), sealCheckSchema),
  /** Compares each side with the first; the runs of a side are repeats. `asked`: the intentional change; null if unknown. */
  'comparisons.make': call(
    z.strictObject({
      sides: z
        .array(
          z.strictObject({
            name: z.string().trim().min(1).max(120).optional(),
            runIds: z.array(runId.shape.runId).min(1).max(MAX_RUNS_PER_SIDE),
          }),
        )
        .min(2)
        .max(MAX_SIDES),
      asked: aspectSchema.nullable().default(null),
    }),
    comparisonSchema,
  ),
  /**
   * Sets the baseline from runs of one preset or plan, one target and one cell; a run of a series stands for all repeats of its cell.
   * Replaces the previous baseline.
   */
  'baselines.set': call(
    z.strictObject({ runIds: z.array(runId.shape.runId).min(1).max(MAX_RUNS_PER_SIDE) }),
    z.strictObject({ runIds: z.array(z.string()) }),
  ),
  /** Removes the baseline for this run's preset or plan and target, and returns its runs for undo. */
  'baselines.remove': call(runId, z.strictObject({ runIds: z.array(z.string()) })),
  'baselines.list': call(noInput, z.strictObject({ baselines: z.array(baselineSchema) })),
  /**
   * Compares a run and its repeats with their baseline. `comparison` is null if there is no baseline, or if the run is part of the baseline
   * or older.
   */
  'baselines.compare': call(
    runId,
    z.strictObject({ baseline: baselineSchema.nullable(), isPart: z.boolean(), comparison: comparisonSchema.nullable() }),
  ),
  /** Compares runs with their baselines; leaves out runs without one. */
  'baselines.standings': call(
    z.strictObject({ runIds: z.array(runId.shape.runId).max(500) }),
    z.strictObject({ standings: z.array(z.strictObject({ runId: z.string(), standing: z.enum(STANDINGS), sentence: z.string() })) }),
  ),
} as const;
